extension CercaClient {
    /// An area on the Earth's surface, such as the area of a place.
    public enum Area: Codable, Hashable, Sendable {
        /// A longitude and a latitude in degrees, in this order as in GeoJSON.
        public typealias Vertex = [Double]

        /// All points within a distance of a point, in meters.
        case circle(lat: Double, lon: Double, withinM: Double)
        /// A GeoJSON polygon: the outer ring, followed by holes.
        case polygon([[Vertex]])
        /// Several GeoJSON polygons.
        case multiPolygon([[[Vertex]]])
        /// All points within a distance of a line, in meters.
        case corridor([Vertex], withinM: Double)

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case type, coordinates, lat, lon
            case withinM = "within_m"
        }

        /// Decodes a circle or GeoJSON.
        public init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            switch try fields.decodeIfPresent(String.self, forKey: .type) {
            case nil:
                self = .circle(
                    lat: try fields.decode(Double.self, forKey: .lat),
                    lon: try fields.decode(Double.self, forKey: .lon),
                    withinM: try fields.decode(Double.self, forKey: .withinM))
            case "Polygon": self = .polygon(try fields.decode([[Vertex]].self, forKey: .coordinates))
            case "MultiPolygon": self = .multiPolygon(try fields.decode([[[Vertex]]].self, forKey: .coordinates))
            case "LineString":
                self = .corridor(
                    try fields.decode([Vertex].self, forKey: .coordinates),
                    withinM: try fields.decode(Double.self, forKey: .withinM))
            case let type?:
                throw DecodingError.dataCorruptedError(
                    forKey: .type, in: fields, debugDescription: "'\(type)' is not a type of area.")
            }
        }

        /// Encodes the form that ``init(from:)`` decodes.
        public func encode(to encoder: any Encoder) throws {
            var fields = encoder.container(keyedBy: CodingKeys.self)
            switch self {
            case .circle(let lat, let lon, let withinM):
                try fields.encode(lat, forKey: .lat)
                try fields.encode(lon, forKey: .lon)
                try fields.encode(withinM, forKey: .withinM)
            case .polygon(let rings):
                try fields.encode("Polygon", forKey: .type)
                try fields.encode(rings, forKey: .coordinates)
            case .multiPolygon(let polygons):
                try fields.encode("MultiPolygon", forKey: .type)
                try fields.encode(polygons, forKey: .coordinates)
            case .corridor(let line, let withinM):
                try fields.encode("LineString", forKey: .type)
                try fields.encode(line, forKey: .coordinates)
                try fields.encode(withinM, forKey: .withinM)
            }
        }
    }
}
