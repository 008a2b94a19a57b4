internal import Foundation
internal import Geo
package import Model

extension Fields {
    /// The area of a place; in an import, a value that is not an object becomes an attribute of that name instead.
    package mutating func placeArea(vertices most: Int) -> PlaceArea? {
        if form.isImport, let given = peek("area"), !Self.isObject(given) { return nil }
        var area: Fence.Area?
        object("area") { area = $0.area(vertices: most) }
        return area.flatMap { PlaceArea($0) }
    }

    /// The members of an area: a circle, a GeoJSON area, or a corridor.
    mutating func area(vertices most: Int) -> Fence.Area? {
        let type = json("type")
        switch type {
        case .text("Polygon"), .text("MultiPolygon"): return polygons(most).map { .polygons($0) }
        case nil, .text("LineString"): break
        default:
            fail("type", .format, "must be Polygon, MultiPolygon or LineString")
            skip(["coordinates", "within_m", "lat", "lon"])
            return nil
        }
        let (line, centre) = type == nil ? (nil, requiredCoordinate()) : (line(most), nil)
        require("within_m")
        guard let metres = number("within_m", 1...Fence.widest) else { return nil }
        return line.map { .corridor($0, metres: metres) } ?? centre.map { .circle($0, metres: metres) }
    }

    private mutating func polygons(_ most: Int) -> [Polygon]? {
        let type = json("type") ?? .null
        let geometry = JSON.object(["type": type, "coordinates": json("coordinates") ?? .null])
        do throws(FormError) {
            let polygons = try [Polygon](geoJSON: geometry, named: "area", vertices: most)
            for case let (ring, vertex)? in polygons.map(\.strayVertex) {
                fail(
                    "coordinates", .format,
                    "vertex \(vertex) of ring \(ring), a hole, lies outside of ring 0, the outer ring of its polygon")
            }
            return polygons
        } catch {
            fail("coordinates", .format, error.errors.first?.detail ?? "is not an array of rings")
            return nil
        }
    }

    private mutating func line(_ most: Int) -> [Coordinate]? {
        guard case .list(let positions)? = json("coordinates"), (2...most).contains(positions.count) else {
            fail("coordinates", .format, "must be an array of 2 to \(most) positions")
            return nil
        }
        var line: [Coordinate] = []
        for (index, position) in positions.enumerated() {
            guard case .list(let numbers) = position, numbers.count >= 2, case .number(let longitude) = numbers[0],
                case .number(let latitude) = numbers[1],
                let place = try? Coordinate(latitude: latitude, longitude: longitude)
            else {
                fail("coordinates", at: "\(index)", .format, "must be [longitude, latitude]")
                return nil
            }
            line.append(place)
        }
        return line
    }
}
