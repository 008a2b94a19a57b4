internal import Foundation
internal import Geo
internal import Laws
internal import Model

/// A random fence: a circle of 50 to 500 m, or a clover leaf of that size with 10 to 1,000 corners.
struct FenceShape {
    let centre: Coordinate
    private let metres: Double
    /// The number of corners; nil for a circle.
    private let corners: Int?

    init(around centre: Coordinate, _ random: inout SeededGenerator) {
        self.centre = centre
        metres = Double.random(in: 50...500, using: &random)
        corners =
            Bool.random(using: &random) ? nil : Int(exp(Double.random(in: log(10)...log(1000), using: &random)))
    }

    private func ring(of corners: Int) -> [(longitude: Double, latitude: Double)] {
        var ring = (0..<corners).map { corner in
            let angle = Double(corner) * 2 * .pi / Double(corners)
            let far = metres * (0.75 + 0.25 * cos(4 * angle))
            return (
                longitude: centre.longitude + far / 86_000 * cos(angle),
                latitude: centre.latitude + far / 111_000 * sin(angle)
            )
        }
        ring.append(ring[0])
        return ring
    }

    func area() throws -> Fence.Area {
        guard let corners else { return .circle(centre, metres: metres) }
        return .polygons([try Polygon(rings: [ring(of: corners)])])
    }

    /// The JSON of a fence that watches a person, or all people for nil.
    func json(watching person: String?) -> String {
        let area =
            if let corners {
                #"{"type":"Polygon","coordinates":[["#
                    + ring(of: corners).map { "[\(short($0.longitude, 7)),\(short($0.latitude, 7))]" }
                    .joined(separator: ",") + "]]}"
            } else {
                #"{"lat":\#(centre.latitude),"lon":\#(centre.longitude),"within_m":\#(short(metres, 1))}"#
            }
        let watched = person.map { #""people":["\#($0)"]"# } ?? #""everybody":true"#
        return #"{"area":\#(area),"on":["enter","exit"],\#(watched)}"#
    }
}
