/// The internal number of an entity: counted from 0 for each type of entity, and never reused while the service runs.
///
/// The entity type is part of the number type, so that the number of a store is never used for a product.
@frozen
public struct Number<Thing>: RawRepresentable, Codable, Hashable, Strideable, ExpressibleByIntegerLiteral, Sendable {
    /// The number as an integer.
    public let rawValue: Int32

    /// Creates a number from an integer.
    @inlinable public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Creates a number from a literal.
    @inlinable public init(integerLiteral number: Int32) { rawValue = number }

    /// - Precondition: the number has at most 32 bits.
    @inlinable public init(_ number: some BinaryInteger) { rawValue = Int32(number) }

    /// Creates a typed number, given that a value beside it identifies the type.
    @inlinable public init(_ number: AnyNumber) { rawValue = number.rawValue }

    /// The untyped number, for use beside a value that identifies the type.
    @inlinable public var any: AnyNumber { AnyNumber(rawValue: rawValue) }

    /// Whether two numbers are equal.
    @inlinable public static func == (a: Number, b: Number) -> Bool { a.rawValue == b.rawValue }

    /// Whether one number is less than another.
    @inlinable public static func < (a: Number, b: Number) -> Bool { a.rawValue < b.rawValue }

    /// The difference to another number.
    @inlinable public func distance(to other: Number) -> Int { Int(other.rawValue) - Int(rawValue) }

    /// The number `count` after this one.
    @inlinable public func advanced(by count: Int) -> Number { Number(Int(rawValue) + count) }
}

extension Number: CustomStringConvertible {
    /// The number in decimal.
    public var description: String { rawValue.description }
}

extension BinaryInteger {
    /// The number as an integer, such as a row id or an index.
    @inlinable public init<Thing>(_ number: Number<Thing>) { self.init(number.rawValue) }
}

/// A number whose type is identified by a value beside it.
public typealias AnyNumber = Number<Any>
/// The number of a comment, greater than the number of every earlier comment.
public typealias CommentNumber = Number<PlaceComment>
/// The number of a device, which is part of its token.
public typealias DeviceNumber = Number<Device>
/// The number of a group.
public typealias GroupNumber = Number<Group>
/// The number of a person.
public typealias PersonNumber = Number<Person>
/// The number of a place; a store is a place.
public typealias PlaceNumber = Number<Place>
/// The number of a product.
public typealias ProductNumber = Number<Product>
