import Foundation
import NIOHTTP1
import TestSupport
import Testing

/// The land that the map draws.
@Suite struct LandTests {
    /// A cell of a file: its rings in thousandths of a degree, and the sides where it is cut off.
    private struct Cell {
        let west: Int, south: Int
        let rings: [[(x: Int, y: Int)]]

        init(_ values: [Any]) throws {
            west = try #require(values[0] as? Int)
            south = try #require(values[1] as? Int)
            rings = try values.dropFirst(2).map { ring in
                let steps = try #require(ring as? [Int])
                var (x, y) = (0, 0)
                return stride(from: 0, to: steps.count, by: 2).map { i in
                    (x, y) = (x + steps[i], y + steps[i + 1])
                    return (x, y)
                }
            }
        }

        /// Whether a place in thousandths of a degree lies on land or within 1.2 km of it, measured on a plane.
        func holds(_ x: Double, _ y: Double) -> Bool {
            let scale = (x: 111.195 * cos(y / 1000 * .pi / 180), y: 111.195)
            var isInside = false
            for ring in rings {
                for (a, b) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
                    let (a, b) = ((x: Double(a.x) - x, y: Double(a.y) - y), (x: Double(b.x) - x, y: Double(b.y) - y))
                    if (a.y > 0) != (b.y > 0), a.x - a.y * (b.x - a.x) / (b.y - a.y) > 0 { isInside.toggle() }
                    let (p, d) = ((a.x * scale.x, a.y * scale.y), ((b.x - a.x) * scale.x, (b.y - a.y) * scale.y))
                    let squared = d.0 * d.0 + d.1 * d.1
                    let along = squared == 0 ? 0 : min(max(-(p.0 * d.0 + p.1 * d.1) / squared, 0), 1)
                    if hypot(p.0 + along * d.0, p.1 + along * d.1) <= 1200 { return true }
                }
            }
            return isInside
        }
    }

    private func cells(_ name: String, from server: TestServer) async throws -> [Cell] {
        let text = try await server.send("GET /page/\(name).json").body
        let values = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[Any]])
        return try values.map(Cell.init)
    }

    private static let sample = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../../data/sample")

    /// The places of the sample, by their rows' ends: names and addresses hold no two decimal numbers in a row.
    private func places() throws -> [(id: Substring, lat: Double, lon: Double)] {
        try ["stores-bestbuy.csv", "stores-shoes.csv"].flatMap { name in
            try String(contentsOf: Self.sample.appending(path: name), encoding: .utf8).split(separator: "\n")
                .dropFirst().map { row in
                    let place = try #require(row.firstMatch(of: #/,(-?\d+\.\d+),(-?\d+\.\d+)(?:,|$)/#), "\(row)")
                    return (row.prefix { $0 != "," }, try #require(Double(place.1)), try #require(Double(place.2)))
                }
        }
    }

    @Test("Each place of the sample lies on fine land or within 1.2 km of it") func placesOnLand() async throws {
        let places = try places()
        #expect(places.count == 1367)
        try await withServer { server in
            let byFile = Dictionary(grouping: places) { place in
                "land-\(Int((place.lon + 180) / 45))-\(Int((place.lat + 90) / 45))"
            }
            for (file, places) in byFile {
                let cells = try await cells(file, from: server)
                for place in places {
                    let (x, y) = (place.lon * 1000, place.lat * 1000)
                    let isOnLand = cells.contains { cell in
                        let (right, up) = (x - Double(cell.west), y - Double(cell.south))
                        return (-10...5010).contains(right) && (-10...5010).contains(up) && cell.holds(x, y)
                    }
                    #expect(isOnLand, "\(place.id) at \(place.lat), \(place.lon)")
                }
            }
        }
    }

    @Test("The first view loads coarse land, and a fine one the land of 45 degrees") func sizes() async throws {
        try await withServer { server in
            let zipped = ["accept-encoding": "gzip"]
            let files = ["land"] + (0..<8).flatMap { column in (0..<4).map { "land-\(column)-\($0)" } }
            for file in files {
                let reply = try await server.send("GET /page/\(file).json", headers: zipped)
                #expect(reply.status == 200 && reply.headers["content-encoding"] == ["gzip"], "\(file)")
                let most = file == "land" ? 130_000 : 110_000
                let bytes = try #require(
                    FileManager.default.attributesOfItem(
                        atPath: Self.sample.appending(path: "../land/\(file).json.gz").standardized.path)[.size] as? Int
                )
                #expect(bytes < most, "\(file)")
            }
        }
    }
}
