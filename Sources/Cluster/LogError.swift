#if Cluster
    /// The reason why a log could not be opened, written or read.
    public enum LogError: Error, Equatable {
        /// The connection cannot be made or used, with the library's message.
        case unreachable(String)
        /// No answer arrived in time; a published message may be in the log nonetheless.
        case unanswered
        /// A server refused the request, with its error number and message.
        case refused(code: Int, String)
        /// A server's answer cannot be parsed.
        case malformed(String)
        /// The log may lose acknowledged messages.
        case unsafe([Unsafety])
        /// The message exceeds the maximum number of bytes.
        case tooLong(Int)
        /// The log has dropped the next message to read; it begins at this number.
        case dropped(first: UInt64)
        /// The log ends before messages that were already read: it is a different log, or it lost messages.
        case shorter(last: UInt64)
        /// The log has later messages, but not this one.
        case missing(UInt64)
        /// A file cannot be read.
        case file(String)
    }

    /// The reason why a log may lose acknowledged messages.
    public enum Unsafety: Equatable, Sendable {
        /// An unsafe setting of the stream.
        case stream(setting: String, is: String, needed: String)
        /// An unsafe setting or version of a server.
        case server(String, setting: String, is: String, needed: String)
        /// Too few of the servers that store the log report their configuration.
        case unseen(servers: Int, needed: Int)
    }
#endif
