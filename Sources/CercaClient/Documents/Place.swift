public import Foundation

extension CercaClient {
    /// A place's document.
    public struct Place: Codable, Hashable, Sendable {
        /// The place's id.
        public var id: String
        /// `store`, or any other word.
        public var kind: String
        /// The name.
        public var name: String
        /// Latitude in degrees; a place has both coordinates or none.
        public var lat: Double?
        /// Longitude in degrees; a place has both coordinates or none.
        public var lon: Double?
        /// The address.
        public var address: String?
        /// The category, such as `shoes`.
        public var category: String?
        /// Keywords for searches.
        public var tags: [String]?
        /// The opening hours in OpenStreetMap's format.
        public var hours: String?
        /// The IANA time zone, such as `Europe/Madrid`.
        public var timezone: String?
        /// The person who may change the place.
        public var owner: String?
        /// Free attributes.
        public var attributes: [String: Attribute]?
        /// The area of the place.
        public var area: Area?
        /// The creation time; set by the service.
        public var created: Date?
        /// The number of people who have the place as a favorite; counted by the service.
        public var favourites: Int?

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case id, kind, name, lat, lon, address, category, tags, hours, timezone, owner, attributes, area, created,
                favourites
        }

        /// Creates a document with the required members.
        public init(id: String, kind: String, name: String) {
            self.id = id
            self.kind = kind
            self.name = name
        }
    }

    /// A place with a distance.
    public struct PlaceNearby: Decodable, Hashable, Sendable {
        /// The document without the area, which lists leave out.
        public var place: Place
        /// The distance in meters, as the geodesic on WGS 84.
        public var distanceM: Double
        /// The bearing in degrees, clockwise from north.
        public var bearing: Int
        /// Whether the place is open, if known.
        public var open: Bool?
        /// When the place opens next, if known.
        public var opensAt: Date?
        /// When the place closes next, if known.
        public var closesAt: Date?

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case bearing, open
            case distanceM = "distance_m"
            case opensAt = "opens_at"
            case closesAt = "closes_at"
        }

        /// Decodes the document and the additional members.
        public init(from decoder: any Decoder) throws {
            place = try Place(from: decoder)
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            distanceM = try fields.decode(Double.self, forKey: .distanceM)
            bearing = try fields.decode(Int.self, forKey: .bearing)
            open = try fields.decodeIfPresent(Bool.self, forKey: .open)
            opensAt = try fields.decodeIfPresent(Date.self, forKey: .opensAt)
            closesAt = try fields.decodeIfPresent(Date.self, forKey: .closesAt)
        }
    }

    /// A store with a distance and its matching products.
    public struct Store: Decodable, Hashable, Sendable {
        /// The document without the area, which lists leave out.
        public var place: Place
        /// The distance in meters, as the geodesic on WGS 84.
        public var distanceM: Double
        /// The bearing in degrees, clockwise from north.
        public var bearing: Int
        /// Whether the store is open, if known.
        public var open: Bool?
        /// When the store opens next, if known.
        public var opensAt: Date?
        /// When the store closes next, if known.
        public var closesAt: Date?
        /// The matching products.
        public var products: [Offer]

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case bearing, open, products
            case distanceM = "distance_m"
            case opensAt = "opens_at"
            case closesAt = "closes_at"
        }

        /// Decodes the document and the additional members.
        public init(from decoder: any Decoder) throws {
            place = try Place(from: decoder)
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            distanceM = try fields.decode(Double.self, forKey: .distanceM)
            bearing = try fields.decode(Int.self, forKey: .bearing)
            open = try fields.decodeIfPresent(Bool.self, forKey: .open)
            opensAt = try fields.decodeIfPresent(Date.self, forKey: .opensAt)
            closesAt = try fields.decodeIfPresent(Date.self, forKey: .closesAt)
            products = try fields.decode([Offer].self, forKey: .products)
        }
    }

    /// A product in a store's stock.
    public struct Offer: Decodable, Hashable, Sendable {
        /// The product's id.
        public var id: String
        /// The brand.
        public var brand: String?
        /// The name.
        public var name: String?
        /// The price in minor units, such as cents.
        public var price: Int?
        /// The currency, such as `EUR`.
        public var currency: String?
        /// The quantity by size, such as `EU:37`.
        public var sizes: [String: Int]?
        /// The quantity of a product without sizes.
        public var quantity: Int?
        /// The URL of a picture.
        public var photo: String?

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case id, brand, name, price, currency, sizes, quantity, photo
        }
    }
}
