/// An encoder of a compact, self-describing format that later versions can read: members are identified by name, never
/// by position.
///
/// A tag byte precedes each value. Numbers are little endian or LEB128. A member's name is written once; later
/// occurrences are a number. Adding or removing a member affects nothing else, so a reader accepts the output of an
/// older writer.
package final class CompactWriter: Encoder {
    /// The bytes written so far.
    package private(set) var bytes: [UInt8]
    private var numbers: [String: Int] = [:]
    private var names: [String] = []
    /// The number of open objects and lists.
    private var depth = 0

    /// Always empty: an error concerns the whole value.
    package var codingPath: [any CodingKey] { [] }
    /// Always empty.
    package var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Creates a writer that appends to a prefix, such as a version.
    package init(_ bytes: [UInt8] = []) { self.bytes = bytes }

    /// A position for ``goBack(to:)``.
    package struct Mark {
        fileprivate let bytes, names: Int
    }

    /// The current position.
    package var mark: Mark { Mark(bytes: bytes.count, names: names.count) }

    /// Discards everything written since a mark.
    package func goBack(to mark: Mark) {
        bytes.removeLast(bytes.count - mark.bytes)
        for name in names[mark.names...] { numbers[name] = nil }
        names.removeLast(names.count - mark.names)
    }

    /// Appends a value.
    ///
    /// - Throws: the error of the value's encoding.
    package func write(_ value: some Encodable) throws {
        let (start, open) = (bytes.count, depth)
        try value.encode(to: self)
        if bytes.count == start { self.open(.object) }
        close(to: open)
    }

    fileprivate func open(_ tag: CompactTag) {
        bytes.append(tag.rawValue)
        depth += 1
    }

    fileprivate func close(to open: Int) {
        while depth > open {
            bytes.append(CompactTag.end.rawValue)
            depth -= 1
        }
    }

    fileprivate func put(_ tag: CompactTag) { bytes.append(tag.rawValue) }

    fileprivate func put(varying value: UInt64) {
        var rest = value
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    fileprivate func put(_ value: some FixedWidthInteger) {
        if let small = Int64(exactly: value) {
            put(.integer)
            put(varying: UInt64(bitPattern: small << 1 ^ small >> 63))
        } else {
            put(.unsigned)
            put(varying: UInt64(truncatingIfNeeded: value))
        }
    }

    fileprivate func put(_ text: String) {
        put(.text)
        put(characters: text)
    }

    private func put(characters text: String) {
        put(varying: UInt64(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    fileprivate func put(_ value: Double) {
        put(.double)
        withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    }

    fileprivate func put(_ value: Float) {
        put(.float)
        withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// The name of a member: 0 and a new name, or one more than the number of a known name.
    fileprivate func put(name: String) {
        put(.member)
        if let number = numbers[name] { return put(varying: UInt64(number + 1)) }
        numbers[name] = names.count
        names.append(name)
        put(varying: 0)
        put(characters: name)
    }

    /// A container for an object.
    package func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        open(.object)
        return KeyedEncodingContainer(Members(writer: self, depth: depth))
    }

    /// A container for a list.
    package func unkeyedContainer() -> any UnkeyedEncodingContainer {
        open(.list)
        return Elements(writer: self, depth: depth)
    }

    /// A container for a single value.
    package func singleValueContainer() -> any SingleValueEncodingContainer { One(writer: self) }
}

/// The tag of the next value.
enum CompactTag: UInt8 {
    case null, no, yes, integer, unsigned, double, float, text, list, object, member, end
}

extension CompactWriter {
    private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let writer: CompactWriter
        let depth: Int
        var codingPath: [any CodingKey] { [] }

        private func at(_ key: any CodingKey) -> CompactWriter {
            writer.close(to: depth)
            writer.put(name: key.stringValue)
            return writer
        }

        func encodeNil(forKey key: Key) { at(key).put(.null) }
        func encode(_ value: Bool, forKey key: Key) { at(key).put(value ? .yes : .no) }
        func encode(_ value: String, forKey key: Key) { at(key).put(value) }
        func encode(_ value: Double, forKey key: Key) { at(key).put(value) }
        func encode(_ value: Float, forKey key: Key) { at(key).put(value) }
        func encode(_ value: Int, forKey key: Key) { at(key).put(value) }
        func encode(_ value: Int8, forKey key: Key) { at(key).put(value) }
        func encode(_ value: Int16, forKey key: Key) { at(key).put(value) }
        func encode(_ value: Int32, forKey key: Key) { at(key).put(value) }
        func encode(_ value: Int64, forKey key: Key) { at(key).put(value) }
        func encode(_ value: UInt, forKey key: Key) { at(key).put(value) }
        func encode(_ value: UInt8, forKey key: Key) { at(key).put(value) }
        func encode(_ value: UInt16, forKey key: Key) { at(key).put(value) }
        func encode(_ value: UInt32, forKey key: Key) { at(key).put(value) }
        func encode(_ value: UInt64, forKey key: Key) { at(key).put(value) }
        func encode(_ value: some Encodable, forKey key: Key) throws { try at(key).write(value) }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) -> KeyedEncodingContainer<Nested> { at(key).container(keyedBy: type) }
        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { at(key).unkeyedContainer() }
        func superEncoder() -> any Encoder { at(SuperKey()) }
        func superEncoder(forKey key: Key) -> any Encoder { at(key) }
    }

    private struct Elements: UnkeyedEncodingContainer {
        let writer: CompactWriter
        let depth: Int
        var count = 0
        var codingPath: [any CodingKey] { [] }

        private mutating func next() -> CompactWriter {
            writer.close(to: depth)
            count += 1
            return writer
        }

        mutating func encodeNil() { next().put(.null) }
        mutating func encode(_ value: some Encodable) throws { try next().write(value) }
        mutating func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type
        ) -> KeyedEncodingContainer<Nested> { next().container(keyedBy: type) }
        mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }
        mutating func superEncoder() -> any Encoder { next() }
    }

    private struct One: SingleValueEncodingContainer {
        let writer: CompactWriter
        var codingPath: [any CodingKey] { [] }

        func encodeNil() { writer.put(.null) }
        func encode(_ value: Bool) { writer.put(value ? .yes : .no) }
        func encode(_ value: String) { writer.put(value) }
        func encode(_ value: Double) { writer.put(value) }
        func encode(_ value: Float) { writer.put(value) }
        func encode(_ value: Int) { writer.put(value) }
        func encode(_ value: Int8) { writer.put(value) }
        func encode(_ value: Int16) { writer.put(value) }
        func encode(_ value: Int32) { writer.put(value) }
        func encode(_ value: Int64) { writer.put(value) }
        func encode(_ value: UInt) { writer.put(value) }
        func encode(_ value: UInt8) { writer.put(value) }
        func encode(_ value: UInt16) { writer.put(value) }
        func encode(_ value: UInt32) { writer.put(value) }
        func encode(_ value: UInt64) { writer.put(value) }
        func encode(_ value: some Encodable) throws { try writer.write(value) }
    }
}

/// The key under which a class encodes its superclass.
struct SuperKey: CodingKey {
    var stringValue: String { "super" }
    var intValue: Int? { nil }
    init() {}
    init?(stringValue: String) { nil }
    init?(intValue: Int) { nil }
}
