import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Testing

/// GDAL reads vector tiles of the service, and writes a file of raster tiles for it.
@Suite(.timeLimit(.minutes(60))) struct TileProgramTests {
    private static func run(_ program: String, _ arguments: [String]) throws -> Program.Result {
        let result = try Program.runAll(arguments, of: URL(fileURLWithPath: "/usr/bin/\(program)"))
        #expect(result.code == 0, "\(program): \(result.errors)")
        return result
    }

    private static func download(_ address: String) async throws -> (status: Int, type: String?, body: Data) {
        let response = try await testClient.execute(HTTPClientRequest(url: address), timeout: TimeAmount(hangLimit))
        let body = try await response.body.collect(upTo: 64 << 20)
        return (Int(response.status.code), response.headers.first(name: "content-type"), Data(body.readableBytesView))
    }

    /// A point that GDAL decoded.
    private struct Feature {
        var longitude, latitude: Double
        var attributes: [String: Any]
    }

    /// The points of a tile, as GDAL's driver for vector tiles decodes them.
    private static func features(_ service: Service, _ tile: String, in folder: URL) async throws -> [Feature] {
        let (status, type, body) = try await download("\(service.base)/v1/tiles/store/\(tile).mvt")
        #expect(status == 200 && type == "application/vnd.mapbox-vector-tile")
        guard !body.isEmpty else { return [] }
        let file = folder.appending(path: tile).appendingPathExtension("mvt")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try body.write(to: file)
        // The driver finds the tile's place in its path.
        let written = try run(
            "ogr2ogr", ["-f", "GeoJSON", "-t_srs", "EPSG:4326", "/vsistdout/", "MVT:\(file.path)", "places"])
        let json = try JSONSerialization.jsonObject(with: Data(written.output.utf8)) as? [String: Any]
        let features = try #require(json?["features"] as? [[String: Any]])
        return try features.map { feature in
            let geometry = try #require(feature["geometry"] as? [String: Any])
            let point = try #require(geometry["coordinates"] as? [Double])
            let attributes = try #require(feature["properties"] as? [String: Any])
            return Feature(longitude: point[0], latitude: point[1], attributes: attributes)
        }
    }

    /// All stores as the API lists them.
    private static func stores(_ service: Service) async throws -> [String: [String: Any]] {
        var (found, cursor) = ([String: [String: Any]](), "")
        repeat {
            let reply = try await service.send("GET /v1/places?kind=store&limit=1000\(cursor)")
            let page = try #require(
                try JSONSerialization.jsonObject(with: Data(reply.body.utf8)) as? [String: Any])
            for item in try #require(page["items"] as? [[String: Any]]) {
                found[try #require(item["id"] as? String)] = item
            }
            cursor = (page["cursor"] as? String).map { "&cursor=\($0)" } ?? ""
        } while !cursor.isEmpty
        return found
    }

    @Test("GDAL decodes the same places from tiles as the API lists") func sameAsAPI() async throws {
        try await withFolder { folder in
            var rows = "id,kind,name,lat,lon,category\n"
            for number in 0..<1200 {
                let (lat, lon) = (39.3 + Double(number % 40) * 0.01, -0.6 + Double(number / 40) * 0.01)
                rows +=
                    "shop\(number),store,Zapatería ñ \(number),\(lat),\(lon),\(number.isMultiple(of: 3) ? "shoes" : "")\n"
            }
            let (file, data) = (folder.appending(path: "places.csv"), folder.appending(path: "data"))
            try Data(rows.utf8).write(to: file)
            #expect(try Program.run("import", "places", file.path, "--data", data.path).code == 0)
            let service = try await Service(data: data)
            defer { service.kill() }
            let stores = try await Self.stores(service)
            #expect(stores.count == 1200)
            try await expectSingles(service, stores, folder)
            // Where a tile has clusters, their counts add up.
            let whole = try await Self.features(service, "0/0/0", in: folder)
            #expect(whole.reduce(0) { $0 + ($1.attributes["count"] as? Int ?? 1) } == 1200 && whole.count < 30)
            for tile in try await service.send("GET /v1/tiles/store/style.json").body.matches(of: #/"url":"([^"]+)"/#) {
                #expect(try await Self.download(String(tile.1)).body.contains(Data("vector_layers".utf8)))
            }
        }
    }

    /// Each store is in exactly one of the tiles of zoom 11, within two steps of 1/4096 of the side of a tile.
    private func expectSingles(_ service: Service, _ stores: [String: [String: Any]], _ folder: URL) async throws {
        var seen: Set<String> = []
        // The tiles from -0.7° to -0.2° and from 39.8° to 39.2°.
        for x in 1020...1022 {
            for y in 777...780 {
                for feature in try await Self.features(service, "11/\(x)/\(y)", in: folder) {
                    let id = try #require(feature.attributes["id"] as? String)
                    let store = try #require(stores[id])
                    #expect(seen.insert(id).inserted, "\(id) is in two tiles")
                    #expect(feature.attributes["name"] as? String == store["name"] as? String)
                    #expect(feature.attributes["kind"] as? String == "store")
                    #expect(feature.attributes["category"] as? String == store["category"] as? String)
                    let step = 360.0 / 2048 / 4096
                    #expect(abs(feature.longitude - (store["lon"] as? Double ?? 0)) < 2 * step, "\(id)")
                    #expect(abs(feature.latitude - (store["lat"] as? Double ?? 0)) < 2 * step, "\(id)")
                }
            }
        }
        #expect(seen.count == stores.count)
    }

    @Test("A file that GDAL wrote is the base map") func mapFile() async throws {
        try await withFolder { folder in
            let (picture, map) = (folder.appending(path: "map.ppm"), folder.appending(path: "map.mbtiles"))
            // Red in the north, blue in the south.
            let half = 512 * 256
            var pixels = Data("P6\n512 512\n255\n".utf8)
            pixels += Data((0..<half).flatMap { _ in [255, 0, 0] as [UInt8] })
            pixels += Data((0..<half).flatMap { _ in [0, 0, 255] as [UInt8] })
            try pixels.write(to: picture)
            let edge = "20037508.342789244"
            _ = try Self.run(
                "gdal_translate",
                [
                    "-q", "-of", "MBTILES", "-a_srs", "EPSG:3857", "-a_ullr", "-\(edge)", edge, edge, "-\(edge)",
                    picture.path, map.path,
                ])
            let arguments = ["CERCA_MAP_FILE": map.path, "CERCA_MAP_ATTRIBUTION": "GDAL"]
            let service = try await Service(data: folder.appending(path: "data"), environment: arguments)
            defer { service.kill() }
            let described = try await service.send("GET /page/map.json").body
            #expect(described.contains(#""tiles":"/tiles/base/{z}/{x}/{y}","attribution":"GDAL""#), "\(described)")
            for (tile, color) in [("1/0/0", "255 0 0"), ("1/1/0", "255 0 0"), ("1/0/1", "0 0 255")] {
                let (status, type, body) = try await Self.download("\(service.base)/tiles/base/\(tile)")
                #expect(status == 200 && type == "image/png", "\(tile)")
                let file = folder.appending(path: "tile.png")
                try body.write(to: file)
                let info = try Self.run("gdallocationinfo", ["-valonly", file.path, "128", "128"]).output
                let seen = info.split(separator: "\n").prefix(3).joined(separator: " ")
                #expect(seen == color, "\(tile)")
            }
            #expect(try await service.send("GET /tiles/base/9/0/0").status == 404)
        }
    }

    @Test("A file without raster tiles is refused at the start by name") func refusedFiles() async throws {
        try await withFolder { folder in
            let text = folder.appending(path: "text.mbtiles").path
            try Data(repeating: 0x61, count: 5000).write(to: URL(fileURLWithPath: text))
            let none = folder.appending(path: "none.mbtiles").path
            for (settings, message) in [
                (["CERCA_MAP_FILE": none], "map.file: \(none) does not exist"),
                (["CERCA_MAP_FILE": text], "map.file: \(text) is not an SQLite database"),
                (
                    ["CERCA_MAP_FILE": text, "CERCA_MAP_TILES": "osm"],
                    "map.file: is '\(text)', but map.tiles is set, too; they exclude each other"
                ),
            ] {
                let data = folder.appending(path: "data").path
                let result = try Program.run("serve", "--data", data, "--port", "0", environment: settings)
                #expect(result.code == 78 && result.errors.contains(message), "\(result)")
            }
        }
    }
}
