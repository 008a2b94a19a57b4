public import Foundation

extension CercaClient {
    /// Which nearby things are asked for, by where they are.
    ///
    /// What is nil selects nothing; of `in` and `bbox` one may be given.
    public struct AreaFilter: Hashable, Sendable {
        /// Not farther away, in metres.
        public var withinM: Double?
        /// Not nearer, in metres.
        public var beyondM: Double?
        /// In a polygon or several.
        public var `in`: Area?
        /// In a box.
        public var bbox: BoundingBox?

        /// Everything.
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

    /// A box between meridians and parallels, in degrees; its west may lie east of its east, across 180°.
    public struct BoundingBox: Hashable, Sendable, CustomStringConvertible {
        /// The western meridian.
        public var west: Double
        /// The southern parallel.
        public var south: Double
        /// The eastern meridian.
        public var east: Double
        /// The northern parallel.
        public var north: Double

        /// A box from its four sides.
        public init(west: Double, south: Double, east: Double, north: Double) {
            self.west = west
            self.south = south
            self.east = east
            self.north = north
        }

        /// The sides as the service has them.
        public var description: String { "\(west),\(south),\(east),\(north)" }
    }

    /// Which places are asked for.
    ///
    /// What is nil or empty selects nothing.
    public struct PlaceFilter: Hashable, Sendable {
        /// Of this kind.
        public var kind: String?
        /// Of any of these categories.
        public var category: [String] = []
        /// With any of these tags.
        public var tag: [String] = []
        /// With these words in name, address, category and tags.
        public var q: String?
        /// Of this person.
        public var owner: String?
        /// With these attributes; `size.lt` compares.
        public var attributes: [String: String] = [:]
        /// Open now.
        public var openNow: Bool?
        /// Open then.
        public var openAt: Date?

        /// All places.
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

    /// Which stores are asked for, beside what they shall have.
    ///
    /// What is empty selects nothing.
    public struct StoreFilter: Hashable, Sendable {
        /// Of any of these categories.
        public var category: [String] = []
        /// With any of these tags.
        public var tag: [String] = []
        /// With these attributes; `size.lt` compares.
        public var attributes: [String: String] = [:]

        /// All stores.
        public init() {}

        func add(to query: inout Query) {
            query.add("store.category", anyOf: category)
            query.add("tag", anyOf: tag)
            query.add(attributes: attributes)
        }
    }

    /// Which products stores shall have.
    ///
    /// What is nil or empty selects nothing.
    public struct ProductFilter: Hashable, Sendable {
        /// Any of these products.
        public var product: [String] = []
        /// Of any of these brands.
        public var brand: [String] = []
        /// Of any of these categories.
        public var category: [String] = []
        /// For any of these genders.
        public var gender: [String] = []
        /// In any of these colours.
        public var color: [String] = []
        /// Of any of these materials.
        public var material: [String] = []
        /// In any of these sizes, such as `EU:37`.
        public var size: [String] = []
        /// Not cheaper, in minor units.
        public var priceMin: Int?
        /// Not dearer, in minor units.
        public var priceMax: Int?
        /// The currency of the prices, such as `EUR`.
        public var currency: String?
        /// With these words in brand, name, category, description, colours and materials.
        public var q: String?
        /// What fits this person.
        public var `for`: String?

        /// All products.
        public init() {}

        func add(to query: inout Query) {
            query.add("product", anyOf: product)
            query.add("brand", anyOf: brand)
            query.add("category", anyOf: category)
            query.add("gender", anyOf: gender)
            query.add("color", anyOf: color)
            query.add("material", anyOf: material)
            query.add("size", anyOf: size)
            query.add("price_min", priceMin)
            query.add("price_max", priceMax)
            query.add("currency", currency)
            query.add("q", q)
            query.add("for", self.for)
        }
    }
}

extension Query {
    mutating func add(attributes: [String: String]) {
        for (name, value) in attributes.sorted(by: { $0.key < $1.key }) { add("attr.\(name)", value) }
    }
}
