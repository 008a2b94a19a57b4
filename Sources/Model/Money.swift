/// An amount in the minor unit of a currency: 5990 EUR is 59.90 euro.
public struct Money: Codable, Hashable, Sendable {
    /// The amount in the currency's minor unit, such as cents.
    public var minor: Int64
    /// The currency of the amount.
    public var currency: Currency

    /// Creates an amount in minor units.
    public init(minor: Int64, currency: Currency) {
        self.minor = minor
        self.currency = currency
    }
}

/// An ISO 4217 code: three capital letters.
public struct Currency: Codable, Hashable, Sendable {
    /// The code in uppercase letters.
    public let code: String

    /// The currency with this code, in any case; nil unless it consists of three letters.
    public init?(_ code: some StringProtocol) {
        let capital = code.uppercased()
        guard capital.utf8.count == 3,
            capital.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) })
        else { return nil }
        self.code = capital
    }

    package init(stored code: String) { self.code = code }
}
