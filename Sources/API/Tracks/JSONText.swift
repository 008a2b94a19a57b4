/// Reads JSON (RFC 8259) that is in memory as a whole, several times as fast as Foundation does.
///
/// Of members that are given twice the last counts.
struct JSONText {
    /// What is wrong, and at which byte.
    struct Fault: Error, Hashable {
        var detail: String
        var byte: Int
    }

    /// Values within values, at most.
    private static let deepest = 64

    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0
    private var depth = 0

    private init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// The value that bytes are.
    ///
    /// - Throws: ``Fault`` for bytes that are not one value with nothing but space around it.
    static func value(of bytes: [UInt8]) throws(Fault) -> JSON {
        var fault: Fault?
        let value = bytes.withUnsafeBufferPointer { bytes -> JSON in
            var text = JSONText(bytes)
            do throws(Fault) {
                let value = try text.value()
                text.skipSpace()
                guard text.index == bytes.count else { throw text.fault("has more after its end") }
                return value
            } catch {
                fault = error
                return .null
            }
        }
        if let fault { throw fault }
        return value
    }

    private func fault(_ detail: String) -> Fault { Fault(detail: detail, byte: index) }

    private mutating func skipSpace() {
        while index < bytes.count, bytes[index].isJSONSpace { index += 1 }
    }

    /// The next byte that is no space.
    private mutating func peek() throws(Fault) -> UInt8 {
        skipSpace()
        guard index < bytes.count else { throw fault("ends early") }
        return bytes[index]
    }

    private mutating func value() throws(Fault) -> JSON {
        switch try peek() {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try list()
        case UInt8(ascii: "\""): return .text(try text())
        case UInt8(ascii: "t"): return try word("true", .flag(true))
        case UInt8(ascii: "f"): return try word("false", .flag(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSON) throws(Fault) -> JSON {
        let count = word.utf8CodeUnitCount
        let isThere =
            index + count <= bytes.count && (0..<count).allSatisfy { bytes[index + $0] == word.utf8Start[$0] }
        guard isThere else { throw fault("has a value that is none of JSON") }
        index += count
        return value
    }

    private mutating func number() throws(Fault) -> JSON {
        let start = index
        while index < bytes.count, bytes[index].isOfNumber { index += 1 }
        guard index > start, bytes[start] != UInt8(ascii: "+"), bytes[start] != UInt8(ascii: "."),
            let number = TrackText.number(UnsafeBufferPointer(rebasing: bytes[start..<index]))
        else {
            index = start
            throw fault("has a value that is none of JSON")
        }
        return .number(number)
    }

    private mutating func enter() throws(Fault) {
        depth += 1
        guard depth <= Self.deepest else { throw fault("has values within values more than \(Self.deepest) deep") }
        index += 1
    }

    private mutating func object() throws(Fault) -> JSON {
        try enter()
        defer { depth -= 1 }
        var members: [String: JSON] = [:]
        guard try peek() != UInt8(ascii: "}") else {
            index += 1
            return .object(members)
        }
        while true {
            guard try peek() == UInt8(ascii: "\"") else { throw fault("has a member without a name") }
            let name = try text()
            guard try peek() == UInt8(ascii: ":") else { throw fault("has no ':' after a name") }
            index += 1
            members[name] = try value()
            let next = try peek()
            guard next == UInt8(ascii: ",") || next == UInt8(ascii: "}") else { throw fault("has no ',' or '}'") }
            index += 1
            if next == UInt8(ascii: "}") { return .object(members) }
        }
    }

    private mutating func list() throws(Fault) -> JSON {
        try enter()
        defer { depth -= 1 }
        var items: [JSON] = []
        guard try peek() != UInt8(ascii: "]") else {
            index += 1
            return .list(items)
        }
        while true {
            items.append(try value())
            let next = try peek()
            guard next == UInt8(ascii: ",") || next == UInt8(ascii: "]") else { throw fault("has no ',' or ']'") }
            index += 1
            if next == UInt8(ascii: "]") { return .list(items) }
        }
    }

    /// The text that begins at the quotation mark here.
    private mutating func text() throws(Fault) -> String {
        index += 1
        let start = index
        while index < bytes.count, bytes[index] != UInt8(ascii: "\""), bytes[index] != UInt8(ascii: "\\") { index += 1 }
        guard index < bytes.count else { throw fault("ends within a text") }
        if bytes[index] == UInt8(ascii: "\"") {
            defer { index += 1 }
            return try valid(bytes[start..<index])
        }
        var unescaped = Array(bytes[start..<index])
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return try valid(unescaped)
            case UInt8(ascii: "\\"): unescaped += try escape()
            default: unescaped.append(byte)
            }
        }
        throw fault("ends within a text")
    }

    private func valid(_ utf8: some Collection<UInt8>) throws(Fault) -> String {
        guard let text = String(validating: utf8, as: UTF8.self) else { throw fault("has a text that is not UTF-8") }
        return text
    }

    private mutating func escape() throws(Fault) -> [UInt8] {
        guard index < bytes.count else { throw fault("ends within a text") }
        let byte = bytes[index]
        index += 1
        switch byte {
        case UInt8(ascii: "n"): return [0x0a]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "r"): return [0x0d]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0c]
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "u"): return try unicode()
        default: throw fault("has an escape that JSON has none of")
        }
    }

    private mutating func unicode() throws(Fault) -> [UInt8] {
        var code = try fourDigits()
        if (0xd800..<0xdc00).contains(code), index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
            bytes[index + 1] == UInt8(ascii: "u")
        {
            index += 2
            let low = try fourDigits()
            guard (0xdc00..<0xe000).contains(low) else { throw fault("has half of a character") }
            code = 0x10000 + (code - 0xd800) << 10 + (low - 0xdc00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw fault("has half of a character") }
        return Array(String(Character(scalar)).utf8)
    }

    private mutating func fourDigits() throws(Fault) -> UInt32 {
        guard index + 4 <= bytes.count,
            let code = UInt32(String(decoding: bytes[index..<index + 4], as: UTF8.self), radix: 16),
            bytes[index] != UInt8(ascii: "+")
        else { throw fault("has an escape that JSON has none of") }
        index += 4
        return code
    }
}

extension UInt8 {
    /// Whether JSON takes the byte for space.
    var isJSONSpace: Bool { self == 0x20 || self == 0x0a || self == 0x0d || self == 0x09 }

    /// Whether a decimal number can have the byte.
    var isOfNumber: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }
}
