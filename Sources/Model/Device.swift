/// A device that sends a person's positions, known by a token that only it has.
public struct Device: Codable, Hashable, Sendable {
    /// The id, unique among the devices of its person.
    public var id: DeviceID
    /// What is kept of the token.
    public var token: TokenHash
    /// When the token was made.
    public var since: Timestamp

    /// A device with the token that it got at an instant.
    public init(id: DeviceID, token: TokenHash, since: Timestamp) {
        self.id = id
        self.token = token
        self.since = since
    }
}

/// The SHA-256 of a secret that is itself kept nowhere.
public struct TokenHash: Codable, Hashable, Sendable {
    /// How many bytes a hash has.
    public static let size = 32

    package let bytes: [UInt8]

    /// - Precondition: there are ``size`` bytes.
    public init(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
        precondition(self.bytes.count == Self.size, "SHA-256 has 32 bytes")
    }

    /// Whether two hashes are the same, in a time that does not depend on where they differ.
    public func matches(_ other: TokenHash) -> Bool {
        zip(bytes, other.bytes).reduce(into: 0 as UInt8) { $0 |= $1.0 ^ $1.1 } == 0
    }
}
