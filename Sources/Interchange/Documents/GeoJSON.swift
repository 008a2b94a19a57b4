package import Geo

/// GeoJSON (RFC 7946), the only place where positions are written or read as `[longitude, latitude]`.
extension JSONWriter {
    /// The members `lat` and `lon`, which a GeoJSON feature has in its geometry instead.
    package mutating func coordinate(_ place: Coordinate) {
        guard !isInFeature else { return }
        member("lat", Int64(place.latitudeE7), decimals: 7)
        member("lon", Int64(place.longitudeE7), decimals: 7)
    }

    /// A feature collection whose properties are written by `properties` and limited to `columns`; nil for all.
    package mutating func features<Item>(
        _ items: [Item], at place: (Item) -> Coordinate?, _ columns: Set<String>?,
        _ properties: (inout JSONWriter, Item) -> Void,
        then rest: (inout JSONWriter) -> Void = { _ in }
    ) {
        object { json in
            json.member("type", "FeatureCollection")
            json.member("features") { json in
                json.list(items) { json, item in json.feature(at: place(item), columns) { properties(&$0, item) } }
            }
            rest(&json)
        }
    }

    /// A feature whose properties are limited to `columns`; nil for all.
    package mutating func feature(
        at place: Coordinate?, _ columns: Set<String>?, _ properties: (inout JSONWriter) -> Void
    ) {
        object { $0.featureMembers(at: place, columns, properties: properties) }
    }

    /// The members of a feature whose properties are limited to `columns`; nil for all.
    package mutating func featureMembers(
        _ id: String? = nil, at place: Coordinate?, _ columns: Set<String>? = nil,
        properties: (inout JSONWriter) -> Void
    ) {
        member("type", "Feature")
        member("id", id)
        member("geometry") { $0.point(place) }
        member("properties") { json in
            json.item(columns) { json in
                json.isInFeature = true
                properties(&json)
                json.isInFeature = false
            }
        }
    }

    private mutating func point(_ place: Coordinate?) {
        guard let place else { return value(JSON.null) }
        object { json in
            json.member("type", "Point")
            json.member("coordinates") { json in
                json.list([place.longitudeE7, place.latitudeE7]) { $0.value(Int64($1), decimals: 7) }
            }
        }
    }
}

extension Region {
    /// The area of a GeoJSON `Polygon` or `MultiPolygon`.
    ///
    /// - Throws: ``FormError`` that names the invalid vertex and its ring.
    package init(geoJSON: JSON, named name: String, vertices limit: Int) throws(FormError) {
        self = .polygons(try [Polygon](geoJSON: geoJSON, named: name, vertices: limit))
    }
}

extension [Polygon] {
    /// The polygons of a GeoJSON `Polygon` or `MultiPolygon`.
    ///
    /// - Throws: ``FormError`` that names the invalid vertex and its ring.
    package init(geoJSON: JSON, named name: String, vertices limit: Int) throws(FormError) {
        guard case .object(let members) = geoJSON, case .text(let type)? = members["type"],
            case .list(let coordinates)? = members["coordinates"]
        else { throw Self.problem(name, "must be a GeoJSON Polygon or MultiPolygon") }
        let shapes: [[JSON]]
        switch type {
        case "Polygon": shapes = [coordinates]
        case "MultiPolygon":
            shapes = coordinates.compactMap { shape in if case .list(let rings) = shape { rings } else { nil } }
            guard shapes.count == coordinates.count, !shapes.isEmpty else {
                throw Self.problem(name, "a MultiPolygon must be an array of arrays of rings")
            }
        default: throw Self.problem(name, "is a \(type); must be a Polygon or MultiPolygon")
        }
        var polygons: [Polygon] = []
        for shape in shapes {
            do { polygons.append(try Polygon(rings: Self.rings(shape, name))) } catch {
                throw (error as? FormError) ?? Self.problem(name, (error as? PolygonError)?.sentence ?? "\(error)")
            }
        }
        guard polygons.reduce(0, { $0 + $1.vertexCount }) <= limit else {
            throw Self.problem(name, "has more than \(limit) vertices")
        }
        self = polygons
    }

    private static func rings(
        _ shape: [JSON], _ name: String
    ) throws(FormError) -> [[(longitude: Double, latitude: Double)]] {
        var rings: [[(longitude: Double, latitude: Double)]] = []
        for ring in shape {
            guard case .list(let positions) = ring else { throw problem(name, "a ring must be an array of positions") }
            var vertices: [(longitude: Double, latitude: Double)] = []
            for position in positions {
                guard case .list(let numbers) = position, numbers.count >= 2,
                    case .number(let longitude) = numbers[0], case .number(let latitude) = numbers[1]
                else { throw problem(name, "a position must be [longitude, latitude]") }
                vertices.append((longitude, latitude))
            }
            rings.append(vertices)
        }
        return rings
    }

    private static func problem(_ name: String, _ sentence: String) -> FormError {
        FormError(
            .invalidParameter, detail: "'\(name)': \(sentence).",
            errors: [FieldError(pointer: "?\(name)", code: .format, detail: sentence)])
    }
}

extension PolygonError {
    fileprivate var sentence: String {
        switch self {
        case .noRing: "has no ring"
        case .ring(let ring, let vertex, let fault):
            switch fault {
            case .coordinate(let error):
                "vertex \(vertex) of ring \(ring): \(error.fieldError("").pointer) \(error.fieldError("").detail)"
            case .fewerThanFour: "ring \(ring) has fewer than four positions"
            case .notClosed: "the last position of ring \(ring) is not its first"
            case .noArea: "ring \(ring) encloses nothing"
            case .edgeWiderThanHalfTurn:
                "the edge before vertex \(vertex) of ring \(ring) is more than 180° of longitude wide, which is "
                    + "ambiguous: cut the polygon at the 180° meridian, or add a vertex"
            }
        }
    }
}
