import API
import NIOHTTP1
import Testing

/// Refused parameters and their explanations.
@Suite struct ParameterRefusalTests {
    private func many(_ count: Int) -> String { (0..<count).map(String.init).joined(separator: ",") }

    private func tooMany(_ name: String) -> String {
        problem(
            400, "Bad Request", "invalid_parameter", "'\(name)' has more than 100 values.",
            "{\"pointer\":\"?\(name)\",\"code\":\"too_many\",\"detail\":\"has more than 100 values\"}")
    }

    private func badParameter(_ name: String, _ value: String, _ expected: String) -> String {
        problem(
            400, "Bad Request", "invalid_parameter", "'\(name)' is '\(value)'; must be \(expected).",
            #"{"pointer":"?\#(name)","code":"format","detail":"must be \#(expected)"}"#)
    }

    @Test("Invalid parameters are refused") func parameters() async throws {
        try await withServer { server in
            let nearest = "GET /v1/places/nearest"
            try await expect(
                [
                    Exchange(
                        "\(nearest)?lat=1&lon=2&radius=5", nil,
                        problem(
                            400, "Bad Request", "unknown_parameter",
                            "'radius' is not a parameter here (did you mean 'within_m'?); known: lat, lon, limit, cursor, within_m, beyond_m, in, bbox, fields, open_now, open_at, kind, category, tag, q, owner, attr.*, explain."
                        )),
                    Exchange(
                        "GET /livez?x=1", nil,
                        problem(
                            400, "Bad Request", "unknown_parameter",
                            "'x' is not a parameter here; known: none.")),
                    Exchange(
                        "\(nearest)?lat=1", nil,
                        problem(
                            400, "Bad Request", "invalid_parameter", "'lon' is required.",
                            #"{"pointer":"?lon","code":"required","detail":"is required"}"#)),
                    Exchange(
                        "\(nearest)?lat=1&lat=2&lon=1", nil,
                        problem(400, "Bad Request", "invalid_parameter", "'lat' is given more than once.")),
                    Exchange("\(nearest)?lat=north&lon=2", nil, badParameter("lat", "north", "degrees from -90 to 90")),
                    Exchange("\(nearest)?lat=nan&lon=2", nil, badParameter("lat", "nan", "degrees from -90 to 90")),
                    Exchange(
                        "\(nearest)?lat=91&lon=181", nil,
                        problem(
                            400, "Bad Request", "invalid_parameter", "lat is 91.0; must be from -90 to 90",
                            #"{"pointer":"?lat","code":"range","detail":"is 91.0; must be from -90 to 90"}"#)),
                    Exchange(
                        "\(nearest)?lat=1&lon=2&limit=0", nil,
                        badParameter("limit", "0", "a whole number from 1 to 1000")),
                    Exchange(
                        "\(nearest)?lat=1&lon=2&limit=1001", nil,
                        badParameter("limit", "1001", "a whole number from 1 to 1000")),
                    Exchange(
                        "\(nearest)?lat=1&lon=2&within_m=-1", nil,
                        badParameter("within_m", "-1", "a number from 0 to 20040000")),
                    Exchange(
                        "\(nearest)?lat=1&lon=2&within_m=99999999", nil,
                        badParameter("within_m", "99999999", "a number from 0 to 20040000")),
                    Exchange(
                        "\(nearest)?lat=1&lon=2&bbox=1,2,3", nil,
                        badParameter("bbox", "1,2,3", "four numbers: west,south,east,north in degrees")),
                    Exchange(
                        "\(nearest)?lat=1&lon=2&bbox=-1,38,abc,1,40", nil,
                        badParameter(
                            "bbox", "-1,38,abc,1,40", "four numbers: west,south,east,north in degrees")),
                    Exchange(
                        "\(nearest)?lat=1&lon=2&bbox=-1,38,,1,40", nil,
                        badParameter("bbox", "-1,38,,1,40", "four numbers: west,south,east,north in degrees")),
                    Exchange(
                        "\(nearest)?lat=1&lon=2&bbox=-1,38,1,40,", nil,
                        badParameter("bbox", "-1,38,1,40,", "four numbers: west,south,east,north in degrees")),
                    Exchange(
                        "\(nearest)?lat=1&lon=2&in=%7B%22type%22:%22Point%22,%22coordinates%22:%5B%5D%7D", nil,
                        problem(
                            400, "Bad Request", "invalid_parameter",
                            "'in': is a Point; must be a Polygon or MultiPolygon.",
                            #"{"pointer":"?in","code":"format","detail":"is a Point; must be a Polygon or MultiPolygon"}"#
                        )),
                    Exchange(
                        "\(nearest)?lat=1&lon=2&fields=id,secret", nil,
                        badParameter(
                            "fields", "id,secret",
                            "a list of id, kind, name, lat, lon, address, category, tags, hours, timezone, owner, attributes, area, hours_understood, hours_on_holidays, hours_warnings, timezone_guessed, created, favourites, city, distance_m, bearing, open, opens_at, closes_at"
                        )),
                    Exchange(
                        "\(nearest)?lat=%FF&lon=2", nil,
                        problem(
                            400, "Bad Request", "invalid_parameter", "'lat=%FF' is not valid percent encoding of UTF-8."
                        )),
                    Exchange(
                        "GET /v1/stores/nearest?lat=1&lon=2&price_max=5", nil,
                        problem(400, "Bad Request", "invalid_parameter", "A price, in minor units, needs 'currency'.")),
                    Exchange(
                        "GET /v1/people/ana/discovery?within_m=100001", nil,
                        badParameter("within_m", "100001", "a number from 0 to 100000")),
                    Exchange(
                        "GET /v1/people/ana/discovery?sex=any", nil,
                        badParameter("sex", "any", "one or several of female, male, other")),
                    Exchange(
                        "GET /v1/people/ana/history?datetime=yesterday", nil,
                        badParameter("datetime", "yesterday", "'from/to' with RFC 3339 times, '../to' or 'from/..'")),
                    Exchange(
                        "DELETE /v1/people/ana/history", nil,
                        problem(
                            400, "Bad Request", "invalid_parameter",
                            "'datetime', 'in' or 'bbox' is required; datetime=../.. deletes everything.")),
                    Exchange(
                        "\(nearest)?lat=1&lon=2&category=\(many(100))", nil, #"200 {"items":[]}"#),
                    Exchange(
                        "\(nearest)?lat=1&lon=2&category=\(many(60))&category=\(many(41))", nil, tooMany("category")),
                    Exchange("GET /v1/products?color=\(many(101))", nil, tooMany("color")),
                    Exchange(
                        "GET /v1/products?color=\(String(repeating: ",", count: 100))", nil, tooMany("color")),
                    Exchange(
                        "GET /v1/products?size=", nil, badParameter("size", "", "a size such as EU:37.5 or M")),
                    Exchange("GET /v1/products?color=", nil, #"200 {"items":[]}"#),
                    Exchange("\(nearest)?lat=1&lon=2&attr.a=\(many(101))", nil, tooMany("attr.a")),
                    Exchange(
                        "\(nearest)?\((0..<101).map { "attr.a\($0)=1" }.joined(separator: "&"))", nil,
                        problem(
                            400, "Bad Request", "invalid_parameter",
                            "A query may have at most 100 different parameters.")),
                    Exchange(
                        "GET /v1/people/%20", nil,
                        problem(
                            400, "Bad Request", "invalid_parameter",
                            "'{id}' in the path is not an id: 1 to 128 printable ASCII characters, no space, and not '.' or '..'."
                        )),
                ], of: server)
        }
    }

    @Test("The probably intended parameter is suggested") func suggestions() async throws {
        try await withServer { server in
            for (path, name, meant) in [
                ("/v1/places/nearest", "lng", "lon"), ("/v1/places/nearest", "latitude", "lat"),
                ("/v1/places/nearest", "within", "within_m"), ("/v1/places/nearest", "Limit", "limit"),
                ("/v1/places/nearest", "openNow", "open_now"), ("/v1/places/nearest", "catgeory", "category"),
                ("/v1/products", "colour", "color"), ("/v1/products", "maxPrice", "price_max"),
                ("/v1/people/ana/history", "datetme", "datetime"), ("/v1/people/ana/history", "from", "datetime"),
                ("/v1/people", "name", "q"), ("/v1/places", "offset", "cursor"),
            ] {
                let reply = try await server.send("GET \(path)?\(name)=1")
                #expect(
                    reply.body.contains("'\(name)' is not a parameter here (did you mean '\(meant)'?); known: "),
                    "\(name)")
            }
            for name in ["banana", "la", String(repeating: "lat", count: 1000)] {
                let reply = try await server.send("GET /v1/places/nearest?\(name)=1")
                #expect(reply.body.contains("'\(name)' is not a parameter here; known: "), "\(name)")
            }
            // Every other word is similar to one of three letters.
            let reply = try await server.send("GET /v1/people/ana/position?lat=1")
            #expect(reply.body.contains("'lat' is not a parameter here; known: at"), "\(reply)")
        }
    }

    @Test("A plus sign in a query is a space") func plusSign() async throws {
        try await withServer { server in
            let reply = try await server.send("GET /v1/places/nearest?lat=1+2&lon=3")
            #expect(reply.status == 400 && reply.body.contains("'lat' is '1 2'"), "\(reply)")
            let offset = "2026-11-20T10:00:00+02:00"
            let time = try await server.send("GET /v1/places/nearest?lat=1&lon=3&open_at=\(offset)")
            #expect(time.status == 400 && time.body.contains("('+' is a space here: write %2B)"), "\(time)")
            let right = offset.replacing("+", with: "%2B")
            #expect(try await server.send("GET /v1/places/nearest?lat=1&lon=3&open_at=\(right)").status == 200)
        }
    }

    @Test("A comma is not a decimal point") func decimalComma() async throws {
        try await withServer { server in
            for (query, name) in [("lat=39,47&lon=1", "lat"), ("lat=1&lon=1&within_m=2,5", "within_m")] {
                let reply = try await server.send("GET /v1/places/nearest?\(query)")
                #expect(reply.body.contains("'\(name)' is '"), "\(reply)")
                #expect(reply.body.contains(", with a decimal point."), "\(reply)")
            }
            let reply = try await server.send("GET /v1/places/nearest?lat=x,5&lon=1")
            #expect(reply.status == 400 && !reply.body.contains("decimal"), "\(reply)")
        }
    }
}
