internal import Foundation
internal import Geo
internal import HTTPTypes
internal import Hours
internal import Interchange
internal import Model

extension Call {
    static let latitude = optionalLatitude.required.example(.number(39.4699))
    static let longitude = optionalLongitude.required.example(.number(-0.3763))
    static let optionalLatitude = Parameter.text("lat", "degrees north of the equator", .latitude)
    static let optionalLongitude = Parameter.text("lon", "degrees east of Greenwich", .longitude)
    static let within = radius("within_m", "the maximum distance, in meters")
    static let beyond = radius("beyond_m", "the minimum distance, in meters")
    static let polygon = Parameter.text(
        "in", "the area, a GeoJSON Polygon or MultiPolygon",
        .text().with("contentMediaType", .text("application/geo+json")))
    static let box = Parameter.text(
        "bbox", "the area, as west,south,east,north in degrees, such as -0.4,39.4,-0.3,39.5",
        .text(pattern: "^[^,]+,[^,]+,[^,]+,[^,]+$"))

    /// The parameters that all searches by distance share.
    static let nearestParameters: [any QueryParameter] = [
        latitude, longitude, Paging.mapLimit, Paging.cursor, within, beyond, polygon, box,
    ]

    /// A radius up to the setting `limits.radius_m`, by default half the way around the Earth.
    private static func radius(_ name: String, _ summary: String) -> Parameter<Double?> {
        Parameter(name, summary, .number(0...Limits().radius)) { call throws(Problem) in
            try call.query.number(name, 0...call.limits.radius)
        }
    }

    /// The query from `limit`, `within_m`, `beyond_m`, `in` and `bbox`.
    func nearestQuery() throws(Problem) -> NearestQuery {
        var query = NearestQuery(limit: try self[Paging.mapLimit])
        query.maxScan = limits.scan
        if let within = try self[Self.within] { query.within = within }
        if let beyond = try self[Self.beyond] { query.beyond = beyond }
        query.region = try region()
        return query
    }

    private static let openNow = Parameter("open_now", "only what is open now, or is not", .flag) {
        call throws(Problem) in
        try call.query.flag("open_now")
    }
    private static let openAt = Parameter.text("open_at", "only what is open at this time", .time)
    static let openingParameters: [any QueryParameter] = [openNow, openAt]

    /// The opening filter from `open_now` and `open_at`; without them hours are reported for the present.
    func openingQuery() throws(Problem) -> OpeningQuery {
        let isNow = try self[Self.openNow]
        guard let text = try self[Self.openAt] else {
            return OpeningQuery(at: received, isFilter: isNow ?? false)
        }
        guard isNow == nil else {
            throw Problem(.invalidParameter, detail: "'open_now' and 'open_at' exclude each other.")
        }
        guard let instant = Timestamp(rfc3339: text) else {
            throw query.invalid("open_at", "an RFC 3339 time such as 2026-11-20T18:30:00Z")
        }
        return OpeningQuery(at: instant, isFilter: true)
    }

    /// The circle of radius `within_m` around `lat` and `lon`; nil for everywhere.
    func circle() throws(Problem) -> Circle? {
        let radius = try self[Self.within]
        let (latitude, longitude) = (try self[Self.optionalLatitude], try self[Self.optionalLongitude])
        guard radius != nil || latitude != nil || longitude != nil else { return nil }
        let centre = try query.place()
        guard let radius else {
            throw Problem(.invalidParameter, detail: "'lat' and 'lon' are the center of a circle and need 'within_m'.")
        }
        return Circle(centre, radius)
    }

    /// The area in `in` or `bbox`; nil for everywhere.
    func region() throws(Problem) -> Region? {
        let polygon = try self[Self.polygon]
        let box = try self[Self.box]
        if let polygon {
            guard box == nil else {
                throw Problem(.invalidParameter, detail: "'in' and 'bbox' exclude each other.")
            }
            guard let json = try? JSON(Data(polygon.utf8)) else {
                throw self.query.invalid("in", "a GeoJSON Polygon or MultiPolygon")
            }
            do throws(FormError) {
                return try Region(geoJSON: json, named: "in", vertices: limits.vertices)
            } catch { throw Problem(error) }
        }
        guard let box else { return nil }
        let numbers = box.split(separator: ",", omittingEmptySubsequences: false).map { $0.decimalNumber }
        guard numbers.count == 4, let west = numbers[0], let south = numbers[1], let east = numbers[2],
            let north = numbers[3]
        else { throw query.invalid("bbox", "four numbers: west,south,east,north in degrees") }
        return try region(west: west, south: south, east: east, north: north)
    }

    /// The box in `bbox`.
    func region(west: Double, south: Double, east: Double, north: Double) throws(Problem) -> Region {
        guard let longitudes = Self.longitudes(from: west, to: east) else {
            throw query.invalid("bbox", "west,south,east,north, beyond 180 or -180 only with west below east")
        }
        do throws(BoxError) {
            return .box(
                try Box(west: longitudes.west, south: south, east: longitudes.east, north: north))
        } catch {
            let isOrder = error == .southAboveNorth
            throw query.invalid(
                "bbox", "west,south,east,north, " + (isOrder ? "south not above north" : "latitudes from -90 to 90"))
        }
    }

    /// The longitudes from -180 to 180 of a box on a map that was moved around the world, up to ten times.
    ///
    /// The result is nil for longitudes beyond that, and for any beyond 180 with west above east.
    private static func longitudes(from west: Double, to east: Double) -> (west: Double, east: Double)? {
        guard !(-180...180).contains(west) || !(-180...180).contains(east) else { return (west, east) }
        guard west <= east, west >= -3600, east <= 3600 else { return nil }
        guard east - west < 360 else { return (-180, 180) }
        let (start, end) = (wrapped(west), wrapped(east))
        return (start, end == -180 && west < east ? 180 : end)
    }

    /// The longitude from -180 up to 180.
    private static func wrapped(_ longitude: Double) -> Double {
        longitude - 360 * ((longitude + 180) / 360).rounded(.down)
    }
}
