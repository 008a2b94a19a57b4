import Foundation
import Testing

/// GDAL reads the running service by its driver for OGC API - Features.
@Suite(.timeLimit(.minutes(60))) struct OGCProgramTests {
    /// The identity of a feature: its id, name or person, and position in degrees.
    private struct Feature: Hashable {
        var id, name: String
        var longitude, latitude: Double
    }

    /// Gives `body` a service with 1,300 shops, four kiosks, and 30 people with two positions each.
    private func withService(_ body: (_ service: Service, _ token: String) async throws -> Void) async throws {
        try await withFolder { folder in
            let data = folder.appending(path: "data")
            let shops = (0..<1300).map {
                "shop\($0),shop,\"Shop \($0), \"\"Øre\"\"\",\(40 + $0 % 50),\(Double($0 / 50) - 10),\($0 % 2 == 0 ? "food" : "shoes")\n"
            }
            let kiosks = (0..<4).map { "kiosk\($0),kiosk,Kiosk \($0),\(10 * $0),179.\($0),press\n" }
            let people = (0..<30).map { "p\($0),Person \($0)\n" }
            let pings = (0..<60).map { "p\($0 / 2),2026-11-2\($0 % 2)T10:00:00Z,\(1 + $0 / 2),\($0 % 2 * 20)\n" }
            for (kind, text) in [
                ("places", "id,kind,name,lat,lon,category\n" + (shops + kiosks).joined()),
                ("people", "id,name\n" + people.joined()), ("pings", "person,t,lat,lon\n" + pings.joined()),
            ] {
                let file = folder.appending(path: "\(kind).csv")
                try Data(text.utf8).write(to: file)
                let result = try Program.run("import", kind, file.path, "--data", data.path)
                #expect(result.code == 0, "\(result)")
            }
            let keys = folder.appending(path: "keys.json").path
            #expect(try Program.run("token", "--new-key", keys).code == 0)
            let environment = ["CERCA_KEY_FILE": keys]
            let token = try Program.run("token", "--sub", "gis", "--scope", "service", environment: environment)
            let service = try await Service(data: data, environment: environment)
            try await body(service, token.output.trimmingCharacters(in: .whitespacesAndNewlines))
            #expect(service.stop() == 0)
        }
    }

    private static func features(_ json: Data) throws -> [Feature] {
        let whole = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
        return try #require(whole["features"] as? [[String: Any]]).map { feature in
            let properties = try #require(feature["properties"] as? [String: Any])
            let geometry = try #require(feature["geometry"] as? [String: Any])
            let place = try #require(geometry["coordinates"] as? [Double])
            return Feature(
                id: "\(properties["id"] ?? properties["t"] ?? "")",
                name: "\(properties["name"] ?? properties["person"] ?? "")",
                longitude: place[0], latitude: place[1])
        }
    }

    /// The features of a collection as GDAL reads them, which sends the token as a password.
    private func read(_ collection: String, _ options: [String], of service: Service, _ token: String) throws
        -> [Feature]
    {
        let result = try Program.runAll(
            ["-f", "GeoJSON", "/vsistdout/", "OAPIF:\(service.base)/ogc", collection, "-oo", "PAGE_SIZE=400"]
                + options,
            ["GDAL_HTTP_USERPWD": "gis:\(token)", "GDAL_HTTP_AUTH": "BASIC"],
            of: URL(fileURLWithPath: "/usr/bin/ogr2ogr"))
        #expect(result.code == 0 && result.errors.isEmpty, "\(result.errors)")
        return try Self.features(Data(result.output.utf8))
    }

    /// The features of a list of the API, from all pages.
    private func list(_ path: String, of service: Service, _ token: String) async throws -> [Feature] {
        var (all, cursor): ([Feature], String?) = ([], "")
        while let page = cursor {
            let address = "GET \(path)\(page.isEmpty ? "" : "&cursor=\(page)")"
            let reply = try await service.send(address, accept: "application/geo+json", token: token)
            #expect(reply.status == 200, "\(reply.body)")
            all += try Self.features(Data(reply.body.utf8))
            cursor = reply.body.firstMatch(of: #/"cursor":"([^"]+)"/#).map { String($0.1) }
        }
        return all
    }

    @Test("GDAL reads each collection as the API lists it, whole and filtered") func gdal() async throws {
        try await withService { service, token in
            for (collection, options, path, count) in [
                ("places_shop", [], "/v1/places?kind=shop&limit=1000", 1300),
                ("places_kiosk", [], "/v1/places?kind=kiosk&limit=1000", 4),
                (
                    "places_shop", ["-spat", "-10.5", "39.5", "-8.5", "49.5"],
                    "/v1/places?kind=shop&limit=1000&bbox=-10.5,39.5,-8.5,49.5", 20
                ),
                ("places_shop", ["-where", "category = 'food'"], "/v1/places?kind=shop&limit=1000&category=food", 650),
                ("people", [], "/v1/people?limit=1000", 30),
            ] {
                let read = try read(collection, options, of: service, token)
                let listed = try await list(path, of: service, token)
                #expect(read.count == count && Set(read) == Set(listed), "\(collection) \(options): \(read.count)")
            }
            let history = try read("history", [], of: service, token)
            #expect(history.count == 60 && Set(history.map(\.name)).count == 30)
            let first = try read("history", ["-where", "t < '2026/11/20 12:00:00'"], of: service, token)
            #expect(first.count == 30, "\(first.count)")
        }
    }

    @Test("GDAL finds all collections, and needs the token") func collections() async throws {
        try await withService { service, token in
            func info(_ password: String) throws -> Program.Result {
                try Program.runAll(
                    ["-ro", "-so", "-al", "OAPIF:\(service.base)/ogc"],
                    ["GDAL_HTTP_USERPWD": "gis:\(password)", "GDAL_HTTP_AUTH": "BASIC"],
                    of: URL(fileURLWithPath: "/usr/bin/ogrinfo"))
            }
            let found = try info(token).output
            for (collection, count) in [("places_shop", 1300), ("places_kiosk", 4), ("people", 30), ("history", 60)] {
                let part = try #require(found.firstRange(of: "Layer name: \(collection)\n"), "\(found)")
                #expect(found[part.upperBound...].prefix(1500).contains("Feature Count: \(count)\n"), "\(collection)")
            }
            #expect(found.contains("Geometry: Point"))
            #expect(try !info("wrong").output.contains("Layer name"))
        }
    }
}
