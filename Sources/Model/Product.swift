/// A product of the catalog.
public struct Product: Codable, Hashable, Sendable {
    /// The id, unique among products.
    public var id: ProductID
    /// The brand; nil if not given.
    public var brand: String?
    /// The display name.
    public var name: String
    /// The category, in any words; nil if not given.
    public var category: String?
    /// The target group, in any words; nil if not given.
    public var gender: String?
    /// The available colors; empty if not given.
    public var colors: [String] = []
    /// The materials; empty if not given.
    public var materials: [String] = []
    /// The available sizes; empty for a product without sizes.
    public var sizes: [ProductSize] = []
    /// The recommended price; a store's own price is in its stock.
    public var price: Money?
    /// A description in free text; nil if not given.
    public var description: String?
    /// The URL of a page about the product.
    public var url: String?
    /// The URL of a picture.
    public var photo: String?
    /// Other attributes by name; empty if there are none.
    public var attributes: [String: AttributeValue] {
        get { attributesIfAny ?? [:] }
        set { attributesIfAny = newValue.isEmpty ? nil : newValue }
    }
    /// Optional, so that entries of a log from before are read.
    private var attributesIfAny: [String: AttributeValue]?

    /// Creates a product without other properties.
    public init(id: ProductID, name: String) {
        self.id = id
        self.name = name
    }
}

/// A size in a system, such as `EU:37.5` or `UK:4`, or without a system, such as `M`.
///
/// It is normalized to uppercase without spaces.
public struct ProductSize: Codable, Hashable, Comparable, Sendable {
    /// The normalized text.
    public let text: String

    /// Parses a size; nil for text without a letter or digit, with an invalid character, or of more than 24 characters.
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

    /// The text without zeros that do not change the size, as in `37.0` and `37.50`.
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

    /// The system of a size, such as `EU`; nil if it has none.
    package var system: Substring? { text.firstIndex(of: ":").map { text[..<$0] } }

    /// Whether the size is a number alone, such as `37.5`.
    package var isBareNumber: Bool { text.utf8.allSatisfy { (48...57).contains($0) || $0 == UInt8(ascii: ".") } }

    /// The size of products without sizes.
    public static let none = ProductSize(stored: "-")

    /// Whether one size's text sorts before another's.
    public static func < (a: ProductSize, b: ProductSize) -> Bool { a.text < b.text }
}

extension Character {
    fileprivate var isLetterOrDigit: Bool { isLetter || isNumber }
}
