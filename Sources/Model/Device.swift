/// A device that sends a person's positions, authenticated by its own token.
public struct Device: Codable, Hashable, Sendable {
    /// The id, unique among the devices of its person.
    public var id: DeviceID
    /// The stored hash of the token.
    public var token: TokenHash
    /// When the token was created.
    public var since: Timestamp

    /// Creates a device whose token was issued at an instant.
    public init(id: DeviceID, token: TokenHash, since: Timestamp) {
        self.id = id
        self.token = token
        self.since = since
    }
}

/// The SHA-256 of a secret that is itself not stored.
public struct TokenHash: Codable, Hashable, Sendable {
    /// The number of bytes of a hash.
    public static let size = 32

    package let bytes: [UInt8]

    /// - Precondition: there are ``size`` bytes.
    public init(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
        precondition(self.bytes.count == Self.size, "SHA-256 has 32 bytes")
    }

    /// Whether two hashes are equal, in constant time.
    public func matches(_ other: TokenHash) -> Bool {
        zip(bytes, other.bytes).reduce(into: 0 as UInt8) { $0 |= $1.0 ^ $1.1 } == 0
    }
}
