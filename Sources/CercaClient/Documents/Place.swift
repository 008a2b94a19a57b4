public import Foundation

extension CercaClient {
    /// A place's document.
    public struct Place: Codable, Hashable, Sendable {
        /// Names the place.
        public var id: String
        /// `store`, or any other word.
        public var kind: String
        /// What it is called.
        public var name: String
        /// In degrees; a place has both or none.
        public var lat: Double?
        /// In degrees; a place has both or none.
        public var lon: Double?
        /// The address.
        public var address: String?
        /// Such as `shoes`.
        public var category: String?
        /// Words by which it is found.
        public var tags: [String]?
        /// The opening hours, as OpenStreetMap writes them.
        public var hours: String?
        /// Such as `Europe/Madrid`.
        public var timezone: String?
        /// The person who may change it.
        public var owner: String?
        /// Anything else.
        public var attributes: [String: Attribute]?
        /// The area that belongs to it.
        public var area: Area?
        /// When it was first written; the service sets it.
        public var created: Date?
        /// How many people have it among their favourites; the service counts them.
        public var favourites: Int?

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case id, kind, name, lat, lon, address, category, tags, hours, timezone, owner, attributes, area, created,
                favourites
        }

        /// With what is required; the rest is set afterwards.
        public init(id: String, kind: String, name: String) {
            self.id = id
            self.kind = kind
            self.name = name
        }
    }

    /// A place at a distance.
    public struct PlaceNearby: Decodable, Hashable, Sendable {
        /// Its document without the area, which lists do not tell.
        public var place: Place
        /// How far it is, in metres: the geodesic on WGS 84.
        public var distanceM: Double
        /// The direction in which it lies, in degrees from north, clockwise.
        public var bearing: Int
        /// Whether it is open, where that is known.
        public var open: Bool?
        /// When it opens next, where that is known.
        public var opensAt: Date?
        /// When it closes next, where that is known.
        public var closesAt: Date?

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case bearing, open
            case distanceM = "distance_m"
            case opensAt = "opens_at"
            case closesAt = "closes_at"
        }

        /// Reads the document, and what lies beside its members.
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

    /// A store at a distance, with what it has of what was asked for.
    public struct Store: Decodable, Hashable, Sendable {
        /// Its document without the area, which lists do not tell.
        public var place: Place
        /// How far it is, in metres: the geodesic on WGS 84.
        public var distanceM: Double
        /// The direction in which it lies, in degrees from north, clockwise.
        public var bearing: Int
        /// Whether it is open, where that is known.
        public var open: Bool?
        /// When it opens next, where that is known.
        public var opensAt: Date?
        /// When it closes next, where that is known.
        public var closesAt: Date?
        /// What it has.
        public var products: [Offer]

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case bearing, open, products
            case distanceM = "distance_m"
            case opensAt = "opens_at"
            case closesAt = "closes_at"
        }

        /// Reads the document, and what lies beside its members.
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

    /// What a store has of a product.
    public struct Offer: Decodable, Hashable, Sendable {
        /// The product.
        public var id: String
        /// Whose product it is.
        public var brand: String?
        /// What it is called.
        public var name: String?
        /// In minor units, such as cents.
        public var price: Int?
        /// Such as `EUR`.
        public var currency: String?
        /// How many pieces there are of each size, such as `EU:37`.
        public var sizes: [String: Int]?
        /// How many pieces there are, of a product without sizes.
        public var quantity: Int?
        /// The address of a picture.
        public var photo: String?

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case id, brand, name, price, currency, sizes, quantity, photo
        }
    }
}
