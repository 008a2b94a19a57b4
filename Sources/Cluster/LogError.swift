#if Cluster
    /// Why a log was not opened, written or read.
    public enum LogError: Error, Equatable {
        /// The connection cannot be made or used; what the library says.
        case unreachable(String)
        /// Nobody answered in time. What was published may be in the log all the same.
        case unanswered
        /// A server answers that it will not; its number of the error and its words.
        case refused(code: Int, String)
        /// A server answers what cannot be read.
        case malformed(String)
        /// The log may lose what it acknowledges.
        case unsafe([Unsafety])
        /// The message has more bytes than one may have.
        case tooLong(Int)
        /// The log has dropped what is to be read; it begins here.
        case dropped(first: UInt64)
        /// The log ends here, before what was read of it already: it is another log, or has lost something.
        case shorter(last: UInt64)
        /// The log has later messages, but not this one.
        case missing(UInt64)
        /// A file cannot be read.
        case file(String)
    }

    /// Why a log may lose what it acknowledges.
    public enum Unsafety: Equatable, Sendable {
        /// A setting of the stream.
        case stream(setting: String, is: String, needed: String)
        /// A setting of a server, or its version.
        case server(String, setting: String, is: String, needed: String)
        /// So few of the servers that keep the log tell how they keep it.
        case unseen(servers: Int, needed: Int)
    }
#endif
