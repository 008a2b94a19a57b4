/// How long a connection waits for its client.
///
/// What a client does not send or take in time ends its connection; the time that the service itself takes does not count.
public struct Pace: Hashable, Sendable {
    /// For the first byte after the opening, and for a whole head after its first byte.
    public var head = Duration.seconds(10)
    /// For the next request, after an answer.
    public var idle = Duration.seconds(75)
    /// The bytes a second that a body comes at, at least.
    public var bodyRate = 1000
    /// How long a body may lag behind that rate at any moment, whatever it was ahead before.
    public var bodyLag = Duration.seconds(20)
    /// For the rest of a body that nobody read, and for the client to close after the last answer.
    public var farewell = Duration.seconds(10)
    /// For the client to take something of what is sent to it.
    public var patience = Duration.seconds(60)

    /// The times that hold when nothing is configured.
    public init() {}
}
