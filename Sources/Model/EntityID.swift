/// The name by which the outside knows a person, a place or a product: 1 to 128 printable ASCII characters, no space.
///
/// ASCII, so that two ids that look alike are alike, their order is that of their bytes, and none can break a line of a log.
public struct EntityID: Codable, Hashable, Comparable, Sendable {
    /// The id as it is written.
    public let text: String

    /// - Throws: ``EntityIDError`` for text that is no id.
    public init(_ text: String) throws(EntityIDError) {
        guard !text.isEmpty else { throw .empty }
        guard text.utf8.count <= Self.longest else { throw .tooLong(text.utf8.count) }
        guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else { throw .character }
        self.text = text
    }

    /// The id of an entity that is known already.
    package init(known text: String) { self.text = text }

    /// The greatest number of characters.
    public static let longest = 128

    /// Whether one id's bytes sort before another's.
    public static func < (a: EntityID, b: EntityID) -> Bool { a.text.utf8.lexicographicallyPrecedes(b.text.utf8) }
}

extension EntityID: CustomStringConvertible {
    /// The id as it is written.
    public var description: String { text }
}

/// Why a text is not an id.
public enum EntityIDError: Error, Hashable {
    case empty
    /// With the number of its bytes.
    case tooLong(Int)
    /// A character is not printable ASCII, or is a space.
    case character
}
