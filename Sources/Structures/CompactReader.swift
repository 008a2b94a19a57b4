/// A decoder of ``CompactWriter``'s format.
package struct CompactReader {
    private var source: Source

    /// Creates a reader of bytes from an offset on.
    package init(_ bytes: [UInt8], from offset: Int = 0) { source = Source(bytes: bytes, offset: offset) }

    /// Whether everything was read.
    package var isAtEnd: Bool { source.offset >= source.bytes.count }

    /// The next value.
    ///
    /// - Throws: `DecodingError`.
    package mutating func read<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        let node = try source.node(depth: 0)
        return try Found(node: node, names: source.names).decode(type)
    }

    /// A parsed value.
    fileprivate enum Node {
        case null, end
        case bool(Bool)
        case integer(Int64)
        case unsigned(UInt64)
        case double(Double)
        case float(Float)
        case text(String)
        case list([Node])
        case object([(name: Int, value: Node)])
    }

    private struct Source {
        private static let deepest = 100
        let bytes: [UInt8]
        var offset: Int
        /// The names of members, in the order of their first occurrence.
        var names: [String] = []

        private func broken(_ what: String) -> DecodingError {
            .dataCorrupted(.init(codingPath: [], debugDescription: "\(what) at byte \(offset) of \(bytes.count)"))
        }

        private mutating func byte() throws -> UInt8 {
            guard offset < bytes.count else { throw broken("it ends") }
            defer { offset += 1 }
            return bytes[offset]
        }

        private mutating func varying() throws -> UInt64 {
            var (value, shift) = (UInt64(0), UInt64(0))
            while true {
                let byte = try byte()
                value |= UInt64(byte & 0x7F) << shift
                if byte < 0x80 { return value }
                shift += 7
                guard shift < 64 else { throw broken("too long a number") }
            }
        }

        private mutating func fixed<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
            guard bytes.count - offset >= MemoryLayout<Number>.size else { throw broken("it ends") }
            defer { offset += MemoryLayout<Number>.size }
            return bytes.withUnsafeBytes {
                Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self))
            }
        }

        private mutating func text() throws -> String {
            let count = try varying()
            guard count <= UInt64(bytes.count - offset) else { throw broken("too long a text") }
            defer { offset += Int(count) }
            return String(decoding: bytes[offset..<offset + Int(count)], as: UTF8.self)
        }

        private mutating func name() throws -> Int {
            let number = try varying()
            guard number > 0 else {
                names.append(try text())
                return names.count - 1
            }
            guard number <= UInt64(names.count) else { throw broken("a name of no number") }
            return Int(number) - 1
        }

        mutating func node(depth: Int) throws -> Node {
            guard depth < Self.deepest else { throw broken("too deep") }
            switch CompactTag(rawValue: try byte()) {
            case .null: return .null
            case .no: return .bool(false)
            case .yes: return .bool(true)
            case .integer:
                let value = try varying()
                return .integer(Int64(bitPattern: value >> 1 ^ (0 &- (value & 1))))
            case .unsigned: return .unsigned(try varying())
            case .double: return .double(Double(bitPattern: try fixed(UInt64.self)))
            case .float: return .float(Float(bitPattern: try fixed(UInt32.self)))
            case .text: return .text(try text())
            case .list:
                var list: [Node] = []
                while true {
                    let next = try node(depth: depth + 1)
                    if case .end = next { return .list(list) }
                    list.append(next)
                }
            case .object: return .object(try members(depth))
            case .end: return .end
            case .member, nil: throw broken("no value")
            }
        }

        private mutating func members(_ depth: Int) throws -> [(name: Int, value: Node)] {
            var members: [(name: Int, value: Node)] = []
            while true {
                switch CompactTag(rawValue: try byte()) {
                case .member:
                    let name = try name()
                    members.append((name, try node(depth: depth + 1)))
                case .end: return members
                default: throw broken("no member")
                }
            }
        }
    }
}

extension CompactReader {
    fileprivate struct Found: Decoder, SingleValueDecodingContainer {
        let node: Node
        let names: [String]
        var codingPath: [any CodingKey] { [] }
        var userInfo: [CodingUserInfoKey: Any] { [:] }

        private func mismatch<Value>(_ type: Any.Type) throws -> Value {
            throw DecodingError.typeMismatch(type, .init(codingPath: [], debugDescription: "no \(type): \(node)"))
        }

        func number<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
            switch node {
            case .integer(let value): if let number = Number(exactly: value) { return number }
            case .unsigned(let value): if let number = Number(exactly: value) { return number }
            default: break
            }
            return try mismatch(type)
        }

        func decodeNil() -> Bool { if case .null = node { true } else { false } }
        func decode(_ type: Bool.Type) throws -> Bool {
            if case .bool(let value) = node { value } else { try mismatch(type) }
        }
        func decode(_ type: String.Type) throws -> String {
            if case .text(let value) = node { value } else { try mismatch(type) }
        }
        func decode(_ type: Double.Type) throws -> Double {
            if case .double(let value) = node { value } else { try mismatch(type) }
        }
        func decode(_ type: Float.Type) throws -> Float {
            if case .float(let value) = node { value } else { try mismatch(type) }
        }
        func decode(_ type: Int.Type) throws -> Int { try number(type) }
        func decode(_ type: Int8.Type) throws -> Int8 { try number(type) }
        func decode(_ type: Int16.Type) throws -> Int16 { try number(type) }
        func decode(_ type: Int32.Type) throws -> Int32 { try number(type) }
        func decode(_ type: Int64.Type) throws -> Int64 { try number(type) }
        func decode(_ type: UInt.Type) throws -> UInt { try number(type) }
        func decode(_ type: UInt8.Type) throws -> UInt8 { try number(type) }
        func decode(_ type: UInt16.Type) throws -> UInt16 { try number(type) }
        func decode(_ type: UInt32.Type) throws -> UInt32 { try number(type) }
        func decode(_ type: UInt64.Type) throws -> UInt64 { try number(type) }
        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: self) }

        func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
            guard case .object(let members) = node else { return try mismatch([String: Any].self) }
            return KeyedDecodingContainer(Members(members: members, names: names))
        }
        func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
            guard case .list(let list) = node else { return try mismatch([Any].self) }
            return Elements(list: list, names: names)
        }
        func singleValueContainer() -> any SingleValueDecodingContainer { self }
    }

    fileprivate struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let members: [(name: Int, value: Node)]
        let names: [String]
        var codingPath: [any CodingKey] { [] }
        var allKeys: [Key] { members.compactMap { Key(stringValue: names[$0.name]) } }

        private func find(_ key: any CodingKey) -> Found? {
            let name = key.stringValue
            return members.first { names[$0.name] == name }.map { Found(node: $0.value, names: names) }
        }

        private func value(_ key: any CodingKey) throws -> Found {
            guard let found = find(key) else {
                throw DecodingError.keyNotFound(key, .init(codingPath: [], debugDescription: "no \(key.stringValue)"))
            }
            return found
        }

        func contains(_ key: Key) -> Bool { find(key) != nil }
        func decodeNil(forKey key: Key) throws -> Bool { try value(key).decodeNil() }
        func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try value(key).decode(type) }
        func decode(_ type: String.Type, forKey key: Key) throws -> String { try value(key).decode(type) }
        func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try value(key).decode(type) }
        func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try value(key).decode(type) }
        func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try value(key).number(type) }
        func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try value(key).number(type) }
        func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try value(key).number(type) }
        func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try value(key).number(type) }
        func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try value(key).number(type) }
        func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try value(key).number(type) }
        func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try value(key).number(type) }
        func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try value(key).number(type) }
        func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try value(key).number(type) }
        func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try value(key).number(type) }
        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            try value(key).decode(type)
        }
        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> { try value(key).container(keyedBy: type) }
        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            try value(key).unkeyedContainer()
        }
        func superDecoder() throws -> any Decoder { try value(SuperKey()) }
        func superDecoder(forKey key: Key) throws -> any Decoder { try value(key) }
    }

    fileprivate struct Elements: UnkeyedDecodingContainer {
        let list: [Node]
        let names: [String]
        var currentIndex = 0
        var codingPath: [any CodingKey] { [] }
        var count: Int? { list.count }
        var isAtEnd: Bool { currentIndex >= list.count }

        init(list: [Node], names: [String]) { (self.list, self.names) = (list, names) }

        private mutating func next() throws -> Found {
            guard !isAtEnd else {
                throw DecodingError.valueNotFound(Any.self, .init(codingPath: [], debugDescription: "the list ends"))
            }
            defer { currentIndex += 1 }
            return Found(node: list[currentIndex], names: names)
        }

        mutating func decodeNil() -> Bool {
            guard !isAtEnd, case .null = list[currentIndex] else { return false }
            currentIndex += 1
            return true
        }
        mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next().decode(type) }
        mutating func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type
        ) throws -> KeyedDecodingContainer<Nested> { try next().container(keyedBy: type) }
        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }
        mutating func superDecoder() throws -> any Decoder { try next() }
    }
}
