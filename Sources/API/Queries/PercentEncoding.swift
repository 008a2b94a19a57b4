/// Percent encoding of queries, where `+` is a space (WHATWG URL, 5.1).
package enum PercentEncoding {
    /// The decoded text; nil if it is not UTF-8, or a `%` is not followed by two digits.
    package static func decoded(_ coded: ArraySlice<UInt8>) -> String? {
        guard coded.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else {
            return String(validating: coded, as: UTF8.self)
        }
        var bytes: [UInt8] = []
        var rest = coded
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = hexDigit(rest.popFirst()), let low = hexDigit(rest.popFirst()) else { return nil }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// The decoded text, with invalid encoding kept, and invalid UTF-8 replaced.
    static func lenient(_ coded: some Collection<UInt8>) -> String {
        var rest = Array(coded)[...]
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count > 1, let high = hexDigit(rest.first),
                let low = hexDigit(rest.dropFirst().first)
            {
                bytes.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func hexDigit(_ byte: UInt8?) -> UInt8? {
        guard let byte else { return nil }
        if byte &- UInt8(ascii: "0") < 10 { return byte - UInt8(ascii: "0") }
        // In lowercase.
        let letter = byte | 0x20
        return letter &- UInt8(ascii: "a") < 6 ? letter - UInt8(ascii: "a") + 10 : nil
    }
}
