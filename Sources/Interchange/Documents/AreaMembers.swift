internal import Geo
internal import Model

/// JSON encoding of the areas of fences and places.
extension JSONWriter {
    mutating func area(_ area: Fence.Area) {
        switch area {
        case .circle(let centre, let metres):
            coordinate(centre)
            member("within_m", metres)
        case .corridor(let line, let metres):
            member("type", "LineString")
            member("coordinates") { json in
                json.list(line) { $0.position($1.longitudeE7, $1.latitudeE7) }
            }
            member("within_m", metres)
        case .place(let id): member("place", id.text)
        case .places(let kind): object("places") { $0.member("kind", kind) }
        case .person, .anywhere: break
        case .polygons(let polygons):
            member("type", polygons.count == 1 ? "Polygon" : "MultiPolygon")
            member("coordinates") { json in
                if polygons.count == 1 { return json.rings(polygons[0]) }
                json.list(polygons) { $0.rings($1) }
            }
        }
    }

    private mutating func rings(_ polygon: Polygon) {
        list(polygon.rings) { json, ring in json.list(ring) { $0.position($1.longitudeE7, $1.latitudeE7) } }
    }

    private mutating func position(_ longitude: Int32, _ latitude: Int32) {
        list([longitude, latitude]) { $0.value(Int64($1), decimals: 7) }
    }
}
