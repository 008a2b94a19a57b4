/// The number that stands for a thing inside the service: counted from 0, apart for each kind of thing, and never given twice
/// while the service runs.
///
/// The type of the thing is part of the number's type, so that the number of a store is never taken for that of a product.
@frozen
public struct Number<Thing>: RawRepresentable, Codable, Hashable, Strideable, ExpressibleByIntegerLiteral, Sendable {
    /// The number itself.
    public let rawValue: Int32

    /// The number of a thing.
    @inlinable public init(rawValue: Int32) { self.rawValue = rawValue }

    /// A number as it is written in a program.
    @inlinable public init(integerLiteral number: Int32) { rawValue = number }

    /// - Precondition: the number has at most 32 bits.
    @inlinable public init(_ number: some BinaryInteger) { rawValue = Int32(number) }

    /// The number of a thing of which a value beside the number says what it is.
    @inlinable public init(_ number: AnyNumber) { rawValue = number.rawValue }

    /// The same number, where a value beside it says of what.
    @inlinable public var any: AnyNumber { AnyNumber(rawValue: rawValue) }

    /// Whether two numbers are the same.
    @inlinable public static func == (a: Number, b: Number) -> Bool { a.rawValue == b.rawValue }

    /// Whether one number is less than another.
    @inlinable public static func < (a: Number, b: Number) -> Bool { a.rawValue < b.rawValue }

    /// How many numbers another is after this one.
    @inlinable public func distance(to other: Number) -> Int { Int(other.rawValue) - Int(rawValue) }

    /// The number so many after this one.
    @inlinable public func advanced(by count: Int) -> Number { Number(Int(rawValue) + count) }
}

extension Number: CustomStringConvertible {
    /// The number in decimal.
    public var description: String { rawValue.description }
}

extension BinaryInteger {
    /// A thing's number, as a row or a position.
    @inlinable public init<Thing>(_ number: Number<Thing>) { self.init(number.rawValue) }
}

/// The number of something of which a value beside it says what it is.
public typealias AnyNumber = Number<Any>
/// The number of a comment, greater than that of every comment made before.
public typealias CommentNumber = Number<PlaceComment>
/// The number of a device, which its token names.
public typealias DeviceNumber = Number<Device>
/// The number of a group.
public typealias GroupNumber = Number<Group>
/// The number of a person.
public typealias PersonNumber = Number<Person>
/// The number of a place; a store is a place.
public typealias PlaceNumber = Number<Place>
/// The number of a product.
public typealias ProductNumber = Number<Product>
