/// The name by which the outside knows a thing, such as a person or a place: 1 to 128 printable ASCII characters, no space.
///
/// ASCII, so that two ids that look alike are alike, their order is that of their bytes, and none can break a line of a log.
/// The type of the thing is part of the id's type, so that the id of a place is never taken for that of a person.
@frozen public struct ID<Thing>: Codable, Hashable, Comparable, Sendable {
    /// The id as it is written.
    public let text: String

    /// - Throws: ``IDError`` for text that is no id.
    public init(_ text: String) throws(IDError) {
        guard !text.isEmpty else { throw .empty }
        guard text.utf8.count <= Self.longest else { throw .tooLong(text.utf8.count) }
        guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else { throw .character }
        self.text = text
    }

    /// The id of a thing that is known already.
    @inlinable package init(known text: String) { self.text = text }

    /// The id of a thing of which a value beside the id says what it is.
    @inlinable public init(_ id: AnyID) { text = id.text }

    /// The greatest number of characters.
    public static var longest: Int { 128 }

    /// The same text, where a value beside it says what it names.
    @inlinable public var any: AnyID { AnyID(known: text) }

    /// Whether one id's bytes sort before another's.
    @inlinable public static func < (a: ID, b: ID) -> Bool { a.text.utf8.lexicographicallyPrecedes(b.text.utf8) }
}

/// The id of something of which a value beside it says what it is.
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
    /// The id as it is written.
    public var description: String { text }
}

/// Why a text is not an id.
public enum IDError: Error, Hashable {
    case empty
    /// With the number of its bytes.
    case tooLong(Int)
    /// A character is not printable ASCII, or is a space.
    case character
}
