/// The external id of an entity, such as a person or a place: 1 to 128 printable ASCII characters without spaces.
///
/// `.` and `..` are not ids, because clients remove such segments from a URL, and with `..` the one before it.
///
/// ASCII ensures that ids which look equal are equal, that their order is the order of their bytes, and that none can
/// break a log line. The entity type is part of the id type, so that the id of a place is never used for a person.
@frozen public struct ID<Thing>: Codable, Hashable, Comparable, Sendable {
    /// The text of the id.
    public let text: String

    /// - Throws: ``IDError`` for text that is not an id.
    public init(_ text: String) throws(IDError) {
        guard !text.isEmpty else { throw .empty }
        guard text.utf8.count <= Self.longest else { throw .tooLong(text.utf8.count) }
        guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else { throw .character }
        guard text != ".", text != ".." else { throw .dots }
        self.text = text
    }

    /// Creates an id of an existing entity, unchecked.
    @inlinable package init(known text: String) { self.text = text }

    /// Creates a typed id, given that a value beside it identifies the type.
    @inlinable public init(_ id: AnyID) { text = id.text }

    /// The maximum number of characters.
    public static var longest: Int { 128 }

    /// The untyped id, for use beside a value that identifies the type.
    @inlinable public var any: AnyID { AnyID(known: text) }

    /// Whether one id sorts before another, by bytes.
    @inlinable public static func < (a: ID, b: ID) -> Bool { a.text.utf8.lexicographicallyPrecedes(b.text.utf8) }
}

/// An id whose type is identified by a value beside it.
public typealias AnyID = ID<Any>
/// The id of a comment, unique among comments.
public typealias CommentID = ID<PlaceComment>
/// The id of a device, unique among the devices of its person.
public typealias DeviceID = ID<Device>
/// The id of a group, unique among groups.
public typealias GroupID = ID<Group>
/// The id of a person, unique among people.
public typealias PersonID = ID<Person>
/// The id of a place, unique among places; a store is a place.
public typealias PlaceID = ID<Place>
/// The id of a product, unique among products.
public typealias ProductID = ID<Product>

extension ID: CustomStringConvertible {
    /// The text of the id.
    public var description: String { text }
}

/// The reason why a text is not an id.
public enum IDError: Error, Hashable {
    case empty
    /// The text has this number of bytes, which is too many.
    case tooLong(Int)
    /// A character is not printable ASCII, or is a space.
    case character
    /// The text is `.` or `..`.
    case dots
}
