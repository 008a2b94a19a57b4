/// The timeouts of a connection while it waits for its client.
///
/// A client that does not send or read in time is disconnected; the service's own processing time does not count.
public struct ConnectionTimeouts: Hashable, Sendable {
    /// For the first byte after the connection opens, and for a whole head after its first byte.
    public var head = Duration.seconds(10)
    /// For the next request, after an answer.
    public var idle = Duration.seconds(75)
    /// The minimum rate of a body, in bytes per second.
    public var bodyRate = 1000
    /// How far a body may fall behind that rate at any moment, regardless of any earlier lead.
    public var bodyLag = Duration.seconds(20)
    /// For the rest of a body that is discarded, and for the client to close after the last answer.
    public var lingeringClose = Duration.seconds(10)
    /// From a client's half-close until the search or batch being answered ends, because most such clients have left.
    public var abandonment = Duration.seconds(1)
    /// For the client to read some of the bytes that are sent to it.
    public var stallTimeout = Duration.seconds(60)

    /// Creates the default timeouts.
    public init() {}
}
