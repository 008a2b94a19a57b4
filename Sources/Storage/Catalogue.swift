public import Geo

/// A store, a topic, a recipe, a monument: anything that may be looked for by distance.
public struct Place: Hashable, Sendable {
    /// The id, unique among places.
    public var id: EntityID
    /// `store`, `topic`, `recipe` or any other word.
    public var kind: String
    /// The name as it is shown.
    public var name: String
    /// Where it is; nil for a place without a position, which is in no answer by distance.
    public var coordinate: Coordinate?
    /// A postal address as it is written; nil if not given.
    public var address: String?
    /// What it is within its kind, in any words; nil if not given.
    public var category: String?
    /// Further words to be found by; empty for none.
    public var tags: [String] = []
    /// Opening hours in the syntax of OpenStreetMap's `opening_hours`.
    public var hours: String?
    /// An IANA time zone.
    public var timezone: String?
    /// The person who may change the place.
    public var owner: EntityID?
    /// Whatever else is known, by its name; empty for nothing.
    public var attributes: [String: AttributeValue] = [:]
    /// When the place was first stored, which the service notes; nil for one that is not stored, or has been since before
    /// that was noted.
    public var created: Timestamp?

    /// A place of which neither position nor anything else is known.
    public init(id: EntityID, kind: String, name: String) {
        self.id = id
        self.kind = kind
        self.name = name
    }
}

/// A product of the catalogue.
public struct Product: Hashable, Sendable {
    /// The id, unique among products.
    public var id: EntityID
    /// The brand; nil if not given.
    public var brand: String?
    /// The name as it is shown.
    public var name: String
    /// What kind of product it is, in any words; nil if not given.
    public var category: String?
    /// Whom it is made for, in any words; nil if not given.
    public var gender: String?
    /// The colours it comes in; empty if not given.
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
    public init(id: EntityID, name: String) {
        self.id = id
        self.name = name
    }
}

/// A product on a store's shelves.
public struct StockItem: Hashable, Sendable {
    /// The id of the place that has it.
    public var store: EntityID
    /// The id of what it has.
    public var product: EntityID
    /// The store's own price; nil where the recommended one holds.
    public var price: Money?
    /// How many of each size; a product without sizes has one entry with the size `-`.
    public var sizes: [SizeQuantity]

    /// What a store has of a product.
    public init(store: EntityID, product: EntityID, price: Money?, sizes: [SizeQuantity]) {
        self.store = store
        self.product = product
        self.price = price
        self.sizes = sizes
    }
}

/// How many pieces of a size there are.
public struct SizeQuantity: Hashable, Sendable {
    /// The size; ``ProductSize/none`` for a product without sizes.
    public var size: ProductSize
    /// The number of pieces; 0 when it is sold out.
    public var quantity: Int

    /// So many pieces of a size.
    public init(size: ProductSize, quantity: Int) {
        self.size = size
        self.quantity = quantity
    }
}

/// A size in a system, such as `EU:37.5`, `UK:4`, or in none, such as `M`.
///
/// Held in upper case without spaces.
public struct ProductSize: Hashable, Comparable, Sendable {
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

    init(stored text: String) { self.text = text }

    /// The size of a product that has no sizes.
    public static let none = ProductSize(stored: "-")

    /// Whether one size's text sorts before another's.
    public static func < (a: ProductSize, b: ProductSize) -> Bool { a.text < b.text }
}

extension Character {
    fileprivate var isLetterOrDigit: Bool { isLetter || isNumber }
}

/// An amount in the minor unit of a currency: 5990 EUR is 59.90 euro.
public struct Money: Hashable, Sendable {
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
public struct Currency: Hashable, Sendable {
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

    init(stored code: String) { self.code = code }
}
