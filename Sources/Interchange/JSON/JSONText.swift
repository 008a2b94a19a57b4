internal import Model

/// Parses JSON (RFC 8259) that is completely in memory, with limits that are enforced while it is parsed.
///
/// All JSON from outside is parsed here. The last of several members with the same name counts. A byte order mark is
/// skipped.
package struct JSONText {
    /// A syntax error and its byte offset.
    package struct Fault: Error, Hashable {
        package var detail: String
        package var byte: Int
        /// Whether the text has more values than the limit, and may be valid JSON.
        package var isTooMuch = false

        /// The number of the line in `text` that contains the error, from 1.
        package func line(in text: some Sequence<UInt8>) -> Int {
            text.prefix(byte).count { $0 == UInt8(ascii: "\n") } + 1
        }
    }

    /// Maximum nesting depth.
    private static let deepest = 64
    /// The default maximum number of values; an object takes about 200 bytes of memory, other values take less.
    package static let mostValues = 200_000

    private let bytes: UnsafeBufferPointer<UInt8>
    private let mostValues: Int
    var index = 0
    private var depth = 0
    /// The number of values parsed so far that count toward the limit.
    package var values = 0

    private init(_ bytes: UnsafeBufferPointer<UInt8>, _ mostValues: Int) {
        self.bytes = bytes
        self.mostValues = mostValues
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { index = 3 }
    }

    /// Parses bytes as one value that contains at most `mostValues` values.
    ///
    /// - Throws: ``Fault`` for bytes that are not exactly one value and whitespace.
    package static func value(of bytes: some Sequence<UInt8>, atMost mostValues: Int = JSONText.mostValues)
        throws(Fault) -> JSON
    {
        try read(bytes, mostValues) { text throws(Fault) in
            let value = try text.value()
            try text.end()
            return value
        }
    }

    package static func read<Result, Failure: Error>(
        _ bytes: some Sequence<UInt8>, _ mostValues: Int, _ body: (inout JSONText) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        func read(_ bytes: UnsafeBufferPointer<UInt8>) -> Swift.Result<Result, Failure> {
            var text = JSONText(bytes, mostValues)
            do throws(Failure) { return .success(try body(&text)) } catch { return .failure(error) }
        }
        let result = bytes.withContiguousStorageIfAvailable(read) ?? Array(bytes).withUnsafeBufferPointer(read)
        return try result.get()
    }

    /// - Throws: ``Fault`` for anything but whitespace.
    package mutating func end() throws(Fault) {
        skipSpace()
        guard index == bytes.count else { throw fault("has more after its end") }
    }

    private func fault(_ detail: String) -> Fault { Fault(detail: detail, byte: index) }

    mutating func skipSpace() {
        while index < bytes.count, bytes[index].isJSONSpace { index += 1 }
    }

    /// The next byte that is not whitespace.
    package mutating func peek() throws(Fault) -> UInt8 {
        skipSpace()
        guard index < bytes.count else { throw fault("ends early") }
        return bytes[index]
    }

    package mutating func value() throws(Fault) -> JSON {
        values += 1
        guard values <= mostValues else {
            throw Fault(detail: "has more than \(mostValues) values", byte: index, isTooMuch: true)
        }
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
        guard isThere else { throw fault("has a value that is not JSON") }
        index += count
        return value
    }

    private mutating func number() throws(Fault) -> JSON {
        let start = index
        guard skipNumber() else {
            index = start
            throw fault("has a value that is not JSON")
        }
        guard let number = TrackText.number(UnsafeBufferPointer(rebasing: bytes[start..<index])) else {
            index = start
            throw fault("has a number that is too large")
        }
        return .number(number)
    }

    /// The number here; nil if there is none or it is out of range, and then `index` is undefined.
    mutating func plainNumber() -> Double? {
        let start = index
        return skipNumber() ? TrackText.number(UnsafeBufferPointer(rebasing: bytes[start..<index])) : nil
    }

    /// The bytes between the quotation marks here, if all are printable ASCII without escapes; else nil.
    mutating func plainText() -> UnsafeBufferPointer<UInt8>? {
        guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { return nil }
        let start = index + 1
        var end = start
        while end < bytes.count, bytes[end].isPlainInText, bytes[end] < 0x7f { end += 1 }
        guard end < bytes.count, bytes[end] == UInt8(ascii: "\"") else { return nil }
        index = end + 1
        return UnsafeBufferPointer(rebasing: bytes[start..<end])
    }

    /// Skips a number; false if there is none.
    private mutating func skipNumber() -> Bool {
        skip("-")
        guard skip("0") || skipDigits() else { return false }
        if skip("."), !skipDigits() { return false }
        guard skip("e") || skip("E") else { return true }
        if !skip("-") { skip("+") }
        return skipDigits()
    }

    /// Skips a character if it is here, and returns whether it was.
    @discardableResult
    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    /// Skips digits, and returns whether there were any.
    private mutating func skipDigits() -> Bool {
        let start = index
        while index < bytes.count, bytes[index] &- UInt8(ascii: "0") < 10 { index += 1 }
        return index > start
    }

    private mutating func enter() throws(Fault) {
        depth += 1
        guard depth <= Self.deepest else { throw fault("has values nested more than \(Self.deepest) deep") }
        index += 1
    }

    private mutating func object() throws(Fault) -> JSON {
        var members: [String: JSON] = [:]
        try eachMember { text, name throws(Fault) in members[name] = try text.value() }
        return .object(members)
    }

    private mutating func list() throws(Fault) -> JSON {
        var items: [JSON] = []
        try eachItem { text throws(Fault) in items.append(try text.value()) }
        return .list(items)
    }

    /// Parses the object here; `read` parses the value of each member.
    package mutating func eachMember(_ read: (inout JSONText, String) throws(Fault) -> Void) throws(Fault) {
        try each(endingWith: UInt8(ascii: "}")) { text throws(Fault) in
            guard try text.peek() == UInt8(ascii: "\"") else { throw text.fault("has a member without a name") }
            let name = try text.text()
            guard try text.peek() == UInt8(ascii: ":") else { throw text.fault("has no ':' after a name") }
            text.index += 1
            try read(&text, name)
        }
    }

    /// Parses the list here; `read` parses each item.
    package mutating func eachItem(_ read: (inout JSONText) throws(Fault) -> Void) throws(Fault) {
        try each(endingWith: UInt8(ascii: "]"), read)
    }

    private mutating func each(
        endingWith end: UInt8, _ read: (inout JSONText) throws(Fault) -> Void
    ) throws(Fault) {
        try enter()
        defer { depth -= 1 }
        guard try peek() != end else {
            index += 1
            return
        }
        repeat { try read(&self) } while try !endItem(end)
    }

    /// Parses the separator after an item, and returns whether it ends the list or object.
    private mutating func endItem(_ end: UInt8) throws(Fault) -> Bool {
        let next = try peek()
        guard next == UInt8(ascii: ",") || next == end else {
            throw fault("has no ',' or '\(Unicode.Scalar(end))'")
        }
        index += 1
        return next == end
    }

    /// Parses the text that begins at the quotation mark here.
    private mutating func text() throws(Fault) -> String {
        index += 1
        let start = index
        while index < bytes.count, bytes[index].isPlainInText { index += 1 }
        if index < bytes.count, bytes[index] == UInt8(ascii: "\"") {
            defer { index += 1 }
            return try valid(bytes[start..<index])
        }
        var unescaped = Array(bytes[start..<index])
        while index < bytes.count {
            let byte = bytes[index]
            guard byte >= 0x20 else { throw fault("has a control character in a string") }
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return try valid(unescaped)
            case UInt8(ascii: "\\"): unescaped += try escape()
            default: unescaped.append(byte)
            }
        }
        throw fault("ends within a string")
    }

    private func valid(_ utf8: some Collection<UInt8>) throws(Fault) -> String {
        guard let text = String(validating: utf8, as: UTF8.self) else { throw fault("has a string that is not UTF-8") }
        guard text.isStreamSafe else {
            throw fault("has a string with more than \(String.mostMarks) combining marks in a row")
        }
        return text
    }

    private mutating func escape() throws(Fault) -> [UInt8] {
        guard index < bytes.count else { throw fault("ends within a string") }
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
        default: throw fault("has an invalid escape")
        }
    }

    private mutating func unicode() throws(Fault) -> [UInt8] {
        var code = try fourDigits()
        if (0xd800..<0xdc00).contains(code), index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
            bytes[index + 1] == UInt8(ascii: "u")
        {
            index += 2
            let low = try fourDigits()
            guard (0xdc00..<0xe000).contains(low) else { throw fault("has half of a surrogate pair") }
            code = 0x10000 + (code - 0xd800) << 10 + (low - 0xdc00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw fault("has half of a surrogate pair") }
        return Array(String(Character(scalar)).utf8)
    }

    private mutating func fourDigits() throws(Fault) -> UInt32 {
        guard index + 4 <= bytes.count, bytes[index] != UInt8(ascii: "+"), bytes[index] != UInt8(ascii: "-"),
            let code = UInt32(String(decoding: bytes[index..<index + 4], as: UTF8.self), radix: 16)
        else { throw fault("has an invalid escape") }
        index += 4
        return code
    }
}

extension UInt8 {
    /// Whether the byte may be in a JSON text without an escape and does not end it.
    fileprivate var isPlainInText: Bool {
        self >= 0x20 && self != UInt8(ascii: "\"") && self != UInt8(ascii: "\\")
    }

    package var isJSONSpace: Bool { self == 0x20 || self == 0x0a || self == 0x0d || self == 0x09 }
}
