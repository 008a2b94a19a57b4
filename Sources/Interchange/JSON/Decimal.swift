/// Numbers in the shortest form in which they say all, as JSON, CSV and XML write them alike.
extension [UInt8] {
    package mutating func append(digits number: Int64) { append(contentsOf: String(number).utf8) }

    /// A number given in units of 10^-decimals, without trailing zeros.
    package mutating func append(_ number: Int64, decimals: Int) {
        var decimals = decimals
        var number = number
        while decimals > 0, number.isMultiple(of: 10) {
            number /= 10
            decimals -= 1
        }
        if number < 0 { append(UInt8(ascii: "-")) }
        let scale = (0..<decimals).reduce(UInt64(1)) { power, _ in power * 10 }
        let (whole, fraction) = number.magnitude.quotientAndRemainder(dividingBy: scale)
        append(digits: Int64(whole))
        guard decimals > 0 else { return }
        append(UInt8(ascii: "."))
        let digits = String(fraction).utf8
        append(contentsOf: repeatElement(UInt8(ascii: "0"), count: decimals - digits.count))
        append(contentsOf: digits)
    }

    /// A finite number; whole ones have no decimal point.
    package mutating func append(_ number: some BinaryFloatingPoint & CustomStringConvertible) {
        let description = number.description
        append(contentsOf: description.hasSuffix(".0") ? description.utf8.dropLast(2) : description.utf8[...])
    }
}
