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

    /// Whether ISO 4217 lists the code as one in use (list one of 2025), without codes of metals, funds and tests.
    public var isListed: Bool { Self.listed.contains(code) }

    private static let listed: Set<String> = Set(
        """
        AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF \
        CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG \
        HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA \
        MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD \
        RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX \
        USD UYU UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG
        """.split(separator: " ").map(String.init))
}
