internal import Foundation
internal import Geo
internal import HTTPTypes
internal import Hours
internal import Interchange
internal import Model

extension Call {
    /// The names of the parameters that every search by distance understands.
    static let nearestParameters = ["lat", "lon", "limit", "cursor", "within_m", "beyond_m", "in", "bbox", "fields"]

    /// What `limit`, `within_m`, `beyond_m`, `in` and `bbox` ask for.
    func nearestQuery() throws(Problem) -> NearestQuery {
        var query = NearestQuery(limit: try self.query.limit())
        query.maxScan = limits.scan
        if let within = try self.query.number("within_m", 0...limits.radius) { query.within = within }
        if let beyond = try self.query.number("beyond_m", 0...limits.radius) { query.beyond = beyond }
        query.region = try region()
        return query
    }

    static let openingParameters = ["open_now", "open_at"]

    /// What `open_now` and `open_at` ask for; without them hours are told as they are now.
    func openingQuery() throws(Problem) -> OpeningQuery {
        let isNow = try query.flag("open_now")
        guard let text = query.text("open_at") else {
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

    /// The area of `in` or `bbox`; nil for everywhere.
    func region() throws(Problem) -> Region? {
        let polygon = query.text("in")
        let box = query.text("bbox")
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
            let north = numbers[3], let area = try? Box(west: west, south: south, east: east, north: north)
        else { throw query.invalid("bbox", "west,south,east,north in degrees, south not above north") }
        return .box(area)
    }
}
