public import Foundation

extension CercaClient {
    /// A spatial filter of a nearby search.
    ///
    /// Nil criteria match everything. At most one of `in` and `bbox` may be set.
    public struct AreaFilter: Hashable, Sendable {
        /// Maximum distance in meters.
        public var withinM: Double?
        /// Minimum distance in meters.
        public var beyondM: Double?
        /// A polygon or several.
        public var `in`: Area?
        /// A bounding box.
        public var bbox: BoundingBox?

        /// Creates a filter with these criteria, by default none.
        public init(
            withinM: Double? = nil, beyondM: Double? = nil, in area: Area? = nil, bbox: BoundingBox? = nil
        ) {
            self.withinM = withinM
            self.beyondM = beyondM
            self.in = area
            self.bbox = bbox
        }

        func add(to query: inout Query) throws {
            query.add("within_m", withinM)
            query.add("beyond_m", beyondM)
            query.add("in", try self.in.map(JSON.text))
            query.add("bbox", bbox)
        }
    }

    /// A box between meridians and parallels in degrees, whose west may be east of its east, across 180°.
    public struct BoundingBox: Hashable, Sendable, CustomStringConvertible {
        /// The western meridian.
        public var west: Double
        /// The southern parallel.
        public var south: Double
        /// The eastern meridian.
        public var east: Double
        /// The northern parallel.
        public var north: Double

        /// Creates a box from its four sides.
        public init(west: Double, south: Double, east: Double, north: Double) {
            self.west = west
            self.south = south
            self.east = east
            self.north = north
        }

        /// The sides in the service's format.
        public var description: String { "\(west),\(south),\(east),\(north)" }
    }

    /// A filter of places.
    ///
    /// Nil or empty criteria match everything.
    public struct PlaceFilter: Hashable, Sendable {
        /// The kind.
        public var kind: String?
        /// Categories, one of which must match.
        public var category: [String] = []
        /// Tags, one of which must match.
        public var tag: [String] = []
        /// Words in name, address, category and tags, all of which must match.
        public var q: String?
        /// The owner's id.
        public var owner: String?
        /// Attributes with their values, all of which must match; `size.lt` compares.
        public var attributes: [String: String] = [:]
        /// Whether the place is open now.
        public var openNow: Bool?
        /// A time at which the place must be open.
        public var openAt: Date?

        /// Creates a filter that matches all places.
        public init() {}

        func add(to query: inout Query) {
            query.add("kind", kind)
            query.add("category", anyOf: category)
            query.add("tag", anyOf: tag)
            query.add("q", q)
            query.add("owner", owner)
            query.add(attributes: attributes)
            query.add("open_now", openNow)
            query.add("open_at", openAt)
        }
    }

    /// A filter of stores, besides the filter of their products.
    ///
    /// Empty criteria match everything.
    public struct StoreFilter: Hashable, Sendable {
        /// Categories, one of which must match.
        public var category: [String] = []
        /// Tags, one of which must match.
        public var tag: [String] = []
        /// Attributes with their values, all of which must match; `size.lt` compares.
        public var attributes: [String: String] = [:]

        /// Creates a filter that matches all stores.
        public init() {}

        func add(to query: inout Query) {
            query.add("store.category", anyOf: category)
            query.add("tag", anyOf: tag)
            query.add(attributes: attributes, "store.attr")
        }
    }

    /// A filter of products.
    ///
    /// Nil or empty criteria match everything.
    public struct ProductFilter: Hashable, Sendable {
        /// Product ids, one of which must match.
        public var product: [String] = []
        /// Brands, one of which must match.
        public var brand: [String] = []
        /// Categories, one of which must match.
        public var category: [String] = []
        /// Genders, one of which must match.
        public var gender: [String] = []
        /// Colors, one of which must match.
        public var color: [String] = []
        /// Materials, one of which must match.
        public var material: [String] = []
        /// Sizes such as `EU:37`, one of which must match.
        public var size: [String] = []
        /// Attributes with their values, all of which must match; `weight.lte` compares.
        public var attributes: [String: String] = [:]
        /// Minimum price in minor units.
        public var priceMin: Int?
        /// Maximum price in minor units.
        public var priceMax: Int?
        /// The currency of the prices, such as `EUR`.
        public var currency: String?
        /// Words in brand, name, category, description, colors and materials, all of which must match.
        public var q: String?
        /// A person whom the product must fit.
        public var `for`: String?

        /// Creates a filter that matches all products.
        public init() {}

        func add(to query: inout Query) {
            query.add("product", anyOf: product)
            query.add("brand", anyOf: brand)
            query.add("category", anyOf: category)
            query.add("gender", anyOf: gender)
            query.add("color", anyOf: color)
            query.add("material", anyOf: material)
            query.add("size", anyOf: size)
            query.add(attributes: attributes)
            query.add("price_min", priceMin)
            query.add("price_max", priceMax)
            query.add("currency", currency)
            query.add("q", q)
            query.add("for", self.for)
        }
    }
}

extension Query {
    mutating func add(attributes: [String: String], _ prefix: String = "attr") {
        for (name, value) in attributes.sorted(by: { $0.key < $1.key }) { add("\(prefix).\(name)", value) }
    }
}
