extension StringProtocol {
    /// The finite decimal number that is written here, such as `-1.5` or `2e3`.
    ///
    /// nil for anything else that Swift reads as a number: hexadecimal ones, infinity and what is none.
    ///
    /// - Complexity: O(length of the text).
    package var decimalNumber: Double? {
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
