/// An amount in the minor unit of a currency: 5990 EUR is 59.90 euro.
public struct Money: Codable, Hashable, Sendable {
    /// The amount in the currency's minor unit, such as cents.
    public var minor: Int64
    /// What the amount is counted in.
    public var currency: Currency

    /// An amount of so many minor units.
    public init(minor: Int64, currency: Currency) {
        self.minor = minor
        self.currency = currency
    }
}

/// An ISO 4217 code: three capital letters.
public struct Currency: Codable, Hashable, Sendable {
    /// The code in capital letters.
    public let code: String

    /// The currency with this code, in capital or small letters; nil for anything but three of them.
    public init?(_ code: some StringProtocol) {
        let capital = code.uppercased()
        guard capital.utf8.count == 3,
            capital.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) })
        else { return nil }
        self.code = capital
    }

    package init(stored code: String) { self.code = code }
}
