/// A product of the catalog.
public struct Product: Codable, Hashable, Sendable {
    /// The id, unique among products.
    public var id: ProductID
    /// The brand; nil if not given.
    public var brand: String?
    /// The name as it is shown.
    public var name: String
    /// What kind of product it is, in any words; nil if not given.
    public var category: String?
    /// Whom it is made for, in any words; nil if not given.
    public var gender: String?
    /// The colors it comes in; empty if not given.
    public var colors: [String] = []
    /// What it is made of; empty if not given.
    public var materials: [String] = []
    /// The sizes it is made in; empty for a product without sizes.
    public var sizes: [ProductSize] = []
    /// The recommended price; a store's own price is in its stock.
    public var price: Money?
    /// A description in free text; nil for none.
    public var description: String?
    /// Where to read more (URL).
    public var url: String?
    /// An address (URL) of a picture.
    public var photo: String?

    /// A product of which nothing else is known.
    public init(id: ProductID, name: String) {
        self.id = id
        self.name = name
    }
}

/// A size in a system, such as `EU:37.5`, `UK:4`, or in none, such as `M`.
///
/// Held in upper case without spaces.
public struct ProductSize: Codable, Hashable, Comparable, Sendable {
    /// The size as it is written.
    public let text: String

    /// The size written here; nil for text that has no letter or digit, a foreign character, or more than 24 characters.
    public init?(_ text: some StringProtocol) {
        let folded = text.uppercased().filter { !$0.isWhitespace }
        let allowed = folded.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
            default: false
            }
        }
        guard allowed, (1...24).contains(folded.utf8.count), folded == "-" || folded.contains(where: \.isLetterOrDigit)
        else { return nil }
        self.text = Self.withoutZeros(folded)
    }

    /// `37.0` and `37.50` without the zeros that make no other size of them.
    private static func withoutZeros(_ text: String) -> String {
        let number = text.drop { !$0.isNumber }
        let system = text.prefix(text.count - number.count)
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isNumber) }),
            system.isEmpty || system.hasSuffix(":")
        else { return text }
        let decimals = String(parts[1].reversed().drop { $0 == "0" }.reversed())
        return system + parts[0] + (decimals.isEmpty ? "" : "." + decimals)
    }

    package init(stored text: String) { self.text = text }

    /// The system that a size names, such as `EU`; nil for one without.
    package var system: Substring? { text.firstIndex(of: ":").map { text[..<$0] } }

    /// Whether this is a number alone, such as `37.5`.
    package var isBareNumber: Bool { text.utf8.allSatisfy { (48...57).contains($0) || $0 == UInt8(ascii: ".") } }

    /// The size of a product that has no sizes.
    public static let none = ProductSize(stored: "-")

    /// Whether one size's text sorts before another's.
    public static func < (a: ProductSize, b: ProductSize) -> Bool { a.text < b.text }
}

extension Character {
    fileprivate var isLetterOrDigit: Bool { isLetter || isNumber }
}
