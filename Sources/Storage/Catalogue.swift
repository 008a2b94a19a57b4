public import Geo

/// A store, a topic, a recipe, a monument: anything that may be looked for by distance.
public struct Place: Hashable, Sendable {
    public var id: EntityID
    /// `store`, `topic`, `recipe` or any other word.
    public var kind: String
    public var name: String
    /// Where it is; nil for a place without a position, which is in no answer by distance.
    public var coordinate: Coordinate?
    public var address: String?
    public var category: String?
    public var tags: [String] = []
    /// Opening hours in the syntax of OpenStreetMap's `opening_hours`.
    public var hours: String?
    /// An IANA time zone.
    public var timezone: String?
    /// The person who may change the place.
    public var owner: EntityID?
    public var attributes: [String: AttributeValue] = [:]

    public init(id: EntityID, kind: String, name: String) {
        self.id = id
        self.kind = kind
        self.name = name
    }
}

/// A product of the catalogue.
public struct Product: Hashable, Sendable {
    public var id: EntityID
    public var brand: String?
    public var name: String
    public var category: String?
    public var gender: String?
    public var colors: [String] = []
    public var materials: [String] = []
    public var sizes: [ProductSize] = []
    /// The recommended price; a store's own price is in its stock.
    public var price: Money?
    public var description: String?
    /// Where to read more (URL).
    public var url: String?
    /// An address (URL) of a picture.
    public var photo: String?

    public init(id: EntityID, name: String) {
        self.id = id
        self.name = name
    }
}

/// A product on a store's shelves.
public struct StockItem: Hashable, Sendable {
    public var store: EntityID
    public var product: EntityID
    public var price: Money?
    /// How many of each size; a product without sizes has one entry with the size `-`.
    public var sizes: [SizeQuantity]

    public init(store: EntityID, product: EntityID, price: Money?, sizes: [SizeQuantity]) {
        self.store = store
        self.product = product
        self.price = price
        self.sizes = sizes
    }
}

/// How many pieces of a size there are.
public struct SizeQuantity: Hashable, Sendable {
    public var size: ProductSize
    public var quantity: Int

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
        self.text = folded
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
    public var minor: Int64
    public var currency: Currency

    public init(minor: Int64, currency: Currency) {
        self.minor = minor
        self.currency = currency
    }
}

/// An ISO 4217 code: three capital letters.
public struct Currency: Hashable, Sendable {
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
