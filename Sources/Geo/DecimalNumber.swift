extension StringProtocol {
    /// The finite decimal number in this text, such as `-1.5` or `2e3`.
    ///
    /// It is nil for anything else that Swift parses as a number, such as hexadecimal numbers and infinity, and for
    /// text that is not a number.
    ///
    /// - Complexity: O(length of the text).
    package var decimalNumber: Double? {
        if let number = utf8.withContiguousStorageIfAvailable({ $0.shortDecimal }) ?? nil { return number }
        let isDecimal = utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"),
                UInt8(ascii: "e"), UInt8(ascii: "E"):
                true
            default: false
            }
        }
        guard isDecimal, let number = Double(self), number.isFinite else { return nil }
        return number
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The decimal number in these digits, with an optional sign and point; nil for text that needs the slow path or is
    /// not a number.
    ///
    /// Digits that fit in 53 bits, with up to 18 decimals, are divided by an exact power of ten, which rounds once, as
    /// the slow path does (W. Clinger, "How to Read Floating Point Numbers Accurately", 1990).
    package var shortDecimal: Double? {
        let isNegative = first == UInt8(ascii: "-")
        var (mantissa, digits, decimals, sawPoint) = (UInt64(0), 0, 0, false)
        for byte in self[(isNegative || first == UInt8(ascii: "+") ? 1 : 0)...] {
            if byte &- 0x30 < 10, digits < 18 {
                mantissa = mantissa * 10 + UInt64(byte - 0x30)
                digits += 1
                if sawPoint { decimals += 1 }
            } else if byte == UInt8(ascii: "."), !sawPoint {
                sawPoint = true
            } else {
                return nil
            }
        }
        guard digits > 0, mantissa < 1 << 53 else { return nil }
        let number = Double(mantissa) / powersOfTen[decimals]
        return isNegative ? -number : number
    }
}

/// The powers that 18 decimals need, each of them exact.
private let powersOfTen: [Double] = (0...18).map { power in (0..<power).reduce(1.0) { value, _ in value * 10 } }
