/// Numbers in their shortest exact form, as in JSON, CSV and XML.
extension [UInt8] {
    package mutating func append(digits number: Int64) { append(number, decimals: 0) }

    /// Appends a number given in units of 10^-decimals, without trailing zeros.
    ///
    /// - Precondition: at most 19 decimals.
    package mutating func append(_ number: Int64, decimals: Int) {
        var decimals = decimals
        var rest = number.magnitude
        while decimals > 0, rest.isMultiple(of: 10) {
            rest /= 10
            decimals -= 1
        }
        // Written from the end: 20 digits, a point and a sign. The text is appended in one step, not byte by byte.
        var text = InlineArray<22, UInt8>(repeating: 0)
        var (start, digits) = (text.count, 0)
        repeat {
            if digits == decimals, decimals > 0 {
                start -= 1
                text[start] = UInt8(ascii: ".")
            }
            start -= 1
            text[start] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
            digits += 1
        } while rest > 0 || digits <= decimals
        if number < 0 {
            start -= 1
            text[start] = UInt8(ascii: "-")
        }
        text.span.withUnsafeBufferPointer { append(contentsOf: UnsafeBufferPointer(rebasing: $0[start...])) }
    }

    /// Appends a finite number, without a decimal point if it is whole.
    package mutating func append(_ number: some BinaryFloatingPoint & CustomStringConvertible) {
        let description = number.description
        append(contentsOf: description.hasSuffix(".0") ? description.utf8.dropLast(2) : description.utf8[...])
    }
}
