internal import Geo
package import Model

/// Writes compact JSON with members in the order in which they are written, without nil or empty members.
package struct JSONWriter {
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false
    /// The names of the members to write of the current item; nil for all.
    private var columns: Set<String>?
    /// Whether the current object is the properties of a GeoJSON feature.
    package var isInFeature = false

    package init(capacity: Int = 512) { bytes.reserveCapacity(capacity) }

    // MARK: - Structure

    /// The bytes of an object whose members `body` writes.
    package static func object(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        json.object { body(&$0) }
        return json.bytes
    }

    package mutating func object<Failure: Error>(_ body: (inout JSONWriter) throws(Failure) -> Void) throws(Failure) {
        separate()
        bytes.append(UInt8(ascii: "{"))
        needsComma = false
        try body(&self)
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    /// An object with only the members in `columns`; nil for all.
    package mutating func item(_ columns: Set<String>?, _ body: (inout JSONWriter) -> Void) {
        object { json in
            json.columns = columns
            body(&json)
            json.columns = nil
        }
    }

    package mutating func list<Items: Sequence>(_ items: Items, _ body: (inout JSONWriter, Items.Element) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "["))
        needsComma = false
        for item in items { body(&self, item) }
        bytes.append(UInt8(ascii: "]"))
        needsComma = true
    }

    /// Whether a member of the current item is written.
    package func wants(_ name: String) -> Bool { columns?.contains(name) ?? true }

    /// Whether a member was selected by name; false if all members are written.
    package func isChosen(_ name: String) -> Bool { columns?.contains(name) ?? false }

    /// A member whose value `body` writes.
    package mutating func member(_ name: String, _ body: (inout JSONWriter) -> Void) {
        guard wants(name) else { return }
        let outer = columns
        columns = nil
        key(name)
        body(&self)
        columns = outer
    }

    // MARK: - Members

    package mutating func object(_ name: String, _ body: (inout JSONWriter) -> Void) {
        member(name) { $0.object(body) }
    }

    /// A member that is a list of objects, the members of each written by `body`.
    package mutating func objects<Items: Sequence>(
        _ name: String, _ items: Items, _ body: (inout JSONWriter, Items.Element) -> Void
    ) {
        member(name) { json in json.list(items) { json, item in json.object { body(&$0, item) } } }
    }

    package mutating func member(_ name: String, _ value: String?) {
        guard let value, wants(name) else { return }
        key(name)
        self.value(value)
    }

    package mutating func member(_ name: String, _ value: Int64?) {
        guard let value, wants(name) else { return }
        key(name)
        self.value(value)
    }

    package mutating func member(_ name: String, _ value: Bool?) {
        guard let value, wants(name) else { return }
        key(name)
        self.value(value)
    }

    package mutating func member(_ name: String, _ value: Timestamp?) {
        guard let value, wants(name) else { return }
        key(name)
        self.value(value.rfc3339)
    }

    package mutating func member(_ name: String, _ value: Float?) {
        if let value, value.isFinite { member(name) { $0.value(value) } }
    }

    package mutating func member(_ name: String, _ value: Double?) {
        guard let value, wants(name) else { return }
        key(name)
        self.value(value)
    }

    package mutating func member(_ name: String, _ values: [String]) {
        if !values.isEmpty { member(name) { json in json.list(values) { $0.value($1) } } }
    }

    /// A number given in tenths.
    package mutating func member(_ name: String, tenths: Int64) { member(name, tenths, decimals: 1) }

    /// A number given in units of 10^-decimals.
    package mutating func member(_ name: String, _ number: Int64, decimals: Int) {
        guard wants(name) else { return }
        key(name)
        value(number, decimals: decimals)
    }

    // MARK: - Values

    package mutating func value(_ number: Int64) {
        separate()
        bytes.append(digits: number)
        needsComma = true
    }

    package mutating func value(_ flag: Bool) { raw(flag ? "true" : "false") }

    /// Writes a number, or null for one that JSON cannot represent.
    package mutating func value(_ number: some BinaryFloatingPoint & CustomStringConvertible) {
        guard number.isFinite else { return raw("null") }
        separate()
        bytes.append(number)
        needsComma = true
    }

    /// A number given in units of 10^-decimals, without trailing zeros.
    package mutating func value(_ number: Int64, decimals: Int) {
        separate()
        bytes.append(number, decimals: decimals)
        needsComma = true
    }

    package mutating func value(_ text: String) { write(text, isName: false) }

    /// Appends a value that is already JSON.
    package mutating func value(written value: [UInt8]) {
        separate()
        bytes.append(contentsOf: value)
        needsComma = true
    }

    package mutating func value(_ json: JSON) {
        switch json {
        case .null: raw("null")
        case .flag(let flag): value(flag)
        case .number(let number): value(number)
        case .text(let text): value(text)
        case .list(let items): list(items) { $0.value($1) }
        case .object(let members):
            object { json in
                for (name, value) in members.sorted(by: { $0.key < $1.key }) { json.member(name) { $0.value(value) } }
            }
        }
    }

    // MARK: - Bytes

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    private mutating func key(_ name: String) { write(name, isName: true) }

    /// Writes a text in quotation marks, after a comma if necessary; a colon follows a name.
    private mutating func write(_ text: String, isName: Bool) {
        var text = text
        text.withUTF8 { utf8 in
            if utf8.count > Self.longestPiece || !writeShort(utf8, isName) {
                separate()
                bytes.append(UInt8(ascii: "\""))
                appendEscaped(utf8)
                bytes.append(UInt8(ascii: "\""))
                if isName { bytes.append(UInt8(ascii: ":")) }
            }
        }
        needsComma = !isName
    }

    /// Maximum size of a text that is assembled before it is appended, in bytes.
    private static let longestPiece = 60

    /// Writes a text that needs no escapes; returns false and writes nothing for another.
    private mutating func writeShort(_ text: UnsafeBufferPointer<UInt8>, _ isName: Bool) -> Bool {
        var piece = InlineArray<64, UInt8>(repeating: UInt8(ascii: "\""))
        var end = 1
        if needsComma {
            piece[0] = UInt8(ascii: ",")
            end = 2
        }
        for byte in text {
            guard byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else { return false }
            piece[end] = byte
            end += 1
        }
        end += 1
        if isName {
            piece[end] = UInt8(ascii: ":")
            end += 1
        }
        piece.span.withUnsafeBufferPointer { bytes.append(contentsOf: UnsafeBufferPointer(rebasing: $0[..<end])) }
        return true
    }

    private mutating func raw(_ text: String) {
        separate()
        bytes.append(contentsOf: text.utf8)
        needsComma = true
    }

    private mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>) {
        guard text.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) else {
            return bytes.append(contentsOf: text)
        }
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20:
                let hex = String(byte, radix: 16)
                bytes.append(contentsOf: "\\u00\(hex.utf8.count == 1 ? "0" : "")\(hex)".utf8)
            default: bytes.append(byte)
            }
        }
    }
}
