import NIOHTTP1
import Testing

/// Areas of places over HTTP.
@Suite struct PlaceAreaTests {
    private static let triangle = "[[[-0.38,39.46],[-0.37,39.46],[-0.375,39.48],[-0.38,39.46]]]"
    private static let cut =
        "[[[[179,-1],[180,-1],[180,1],[179,1],[179,-1]]],[[[-180,-1],[-179,-1],[-179,1],[-180,1],[-180,-1]]]]"

    @Test(
        "An area is returned as it was written",
        arguments: [
            #"{"type":"Polygon","coordinates":\#(triangle)}"#, #"{"type":"MultiPolygon","coordinates":\#(cut)}"#,
            #"{"type":"LineString","coordinates":[[179.9,10],[-179.9,10.5]],"within_m":50}"#,
            #"{"lat":39.47,"lon":-0.376,"within_m":250}"#,
        ])
    func roundTrip(area: String) async throws {
        try await withServer { server in
            let body = #"{"id":"z","kind":"zone","name":"Z","lat":39.47,"lon":-0.376,"area":\#(area)}"#
            let made = try await server.send("PUT /v1/places/z", body)
            #expect(made.status == 201 && made.body == body, "\(made.body)")
            let reported = try await server.send("GET /v1/places/z")
            #expect(reported.body == body && reported.headers["etag"] == made.headers["etag"])
            let again = try await server.send("PUT /v1/places/z", reported.body)
            #expect(again.status == 200 && again.headers["etag"] == made.headers["etag"])
            // A patch keeps the area, and can remove it.
            let renamed = try await server.send("PATCH /v1/places/z", #"{"name":"Y"}"#)
            #expect(renamed.body == body.replacing(#""Z""#, with: #""Y""#), "\(renamed.body)")
            #expect(renamed.headers["etag"] != made.headers["etag"])
            let lists = ["/v1/places?", "/v1/places/nearest?lat=39&lon=0&", "/v1/stores/nearest?lat=39&lon=0&"]
            for list in lists { #expect(try await !server.send("GET \(list)limit=5").body.contains("area")) }
            for list in lists.prefix(2) {
                let named = try await server.send("GET \(list)fields=id,area").body
                #expect(named == #"{"items":[{"id":"z","area":\#(area)}]}"#, "\(named)")
            }
            let bare = try await server.send("PATCH /v1/places/z", #"{"area":null}"#)
            #expect(bare.body == #"{"id":"z","kind":"zone","name":"Y","lat":39.47,"lon":-0.376}"#)
            #expect(try await server.send("GET /v1/places?contains=39.47,-0.376").body == #"{"items":[]}"#)
        }
    }

    @Test("Places are found by a position in their areas") func containing() async throws {
        try await withServer { server in
            for (id, kind, area) in [
                ("here", "delivery", #"{"type":"Polygon","coordinates":\#(Self.triangle)}"#),
                ("edge", "delivery", #"{"type":"MultiPolygon","coordinates":\#(Self.cut)}"#),
                ("cap", "weather", #"{"lat":90,"lon":0,"within_m":100000}"#),
                ("round", "park", #"{"lat":39.47,"lon":-0.376,"within_m":250}"#),
            ] {
                let body = #"{"kind":"\#(kind)","name":"Rice","category":"c","attributes":{"n":1},"area":\#(area)}"#
                #expect(try await server.send("PUT /v1/places/\(id)", body).status == 201)
            }
            try await server.send("PUT /v1/places/bare", #"{"kind":"park","name":"Rice","lat":39.47,"lon":-0.376}"#)
            for (query, ids) in [
                ("contains=39.47,-0.376", ["round", "here"]), ("contains=39.47,-0.376&kind=delivery", ["here"]),
                ("contains=39.46,-0.38", ["here"]), ("contains=39.46,-0.3800001", []),
                ("contains=0,180", ["edge"]), ("contains=0,-180", ["edge"]), ("contains=1.0000001,180", []),
                ("contains=90,77", ["cap"]), ("contains=89.5,-120", ["cap"]), ("contains=-90,0", []),
                ("contains=39.47,-0.376&category=c&attr.n=1&q=rice&limit=5&sort=name", ["here", "round"]),
                ("contains=39.47,-0.376&attr.n=2", []), ("contains=39.47,-0.376&bbox=-1,39,0,40", []),
            ] {
                let answer = try await server.send("GET /v1/places?fields=id&\(query)")
                let items = ids.map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
                #expect(answer.body == #"{"items":[\#(items)]}"#, "\(query): \(answer.body)")
            }
            let first = try await server.send("GET /v1/places?contains=39.47,-0.376&limit=1&fields=id").body
            let cursor = try #require(first.firstMatch(of: /"cursor":"([^"]+)"/)?.output.1)
            let rest = try await server.send("GET /v1/places?contains=39.47,-0.376&limit=1&fields=id&cursor=\(cursor)")
            #expect(rest.body == #"{"items":[{"id":"here"}]}"#)
            let facets = try await server.send("GET /v1/places/facets?contains=39.47,-0.376&facet=kind").body
            #expect(facets.hasPrefix(#"{"count":2,"#), "\(facets)")
            #expect(try await server.send("DELETE /v1/places/round").status == 204)
            let left = try await server.send("GET /v1/places?contains=39.47,-0.376&fields=id").body
            #expect(left == #"{"items":[{"id":"here"}]}"#)
        }
    }

    @Test(
        "Invalid positions are refused",
        arguments: [
            ("contains=39", "'contains' is '39'; must be lat,lon in degrees, such as 39.47,-0.376."),
            ("contains=x,1", "'contains' is 'x,1'; must be lat,lon in degrees, such as 39.47,-0.376."),
            (
                "contains=139,1",
                "'contains': lat is 139.0; must be from -90 to 90; are lat and lon swapped?"
            ),
        ])
    func invalidPositions(query: String, detail: String) async throws {
        try await withServer { server in
            let answer = try await server.send("GET /v1/places?\(query)")
            #expect(answer.status == 400 && answer.body.contains(#""detail":"\#(detail)""#), "\(answer.body)")
        }
    }

    @Test(
        "Invalid areas are refused",
        arguments: [
            ("[]", "/area"), ("{}", "/area/within_m"), (#"{"type":"Point","coordinates":[0,0]}"#, "/area/type"),
            (#"{"type":"Polygon","coordinates":[[[0,0],[1,1],[0,0]]]}"#, "/area/coordinates"),
            (#"{"type":"Polygon","coordinates":[]}"#, "/area/coordinates"),
            (#"{"type":"LineString","coordinates":[[0,0],[1,1]]}"#, "/area/within_m"),
            (#"{"lat":39,"lon":0,"within_m":1e9}"#, "/area/within_m"),
            (#"{"place":"z","within_m":10}"#, "/area/place"),
        ])
    func invalidAreas(area: String, pointer: String) async throws {
        try await withServer { server in
            let answer = try await server.send("PUT /v1/places/z", #"{"kind":"zone","name":"Z","area":\#(area)}"#)
            #expect(answer.status == 400 && answer.body.contains(#""pointer":"\#(pointer)""#), "\(answer.body)")
        }
    }

    /// The limit equals the one for fences, but a longer area from a service is kept.
    @Test("Areas by people are short") func areasOfPeople() async throws {
        try await withKeys { server, keys, _ in
            let ring = (0..<1200).map { $0 < 600 ? "[0,\(Double($0) / 1000)]" : "[1,\(Double(1199 - $0) / 1000)]" }
            let area = #"{"type":"Polygon","coordinates":[[\#((ring + ring.prefix(1)).joined(separator: ","))]]}"#
            let body = #"{"kind":"zone","name":"Z","owner":"ana","area":\#(area)}"#
            try await server.add([("ana", nil)])
            let refused = try await server.send("PUT /v1/places/z", body, token: keys.person("ana"))
            #expect(refused.status == 400 && refused.body.contains("more than 1000 vertices"), "\(refused.body)")
            #expect(try await server.send("PUT /v1/places/z", body, token: keys.service).status == 201)
            let renamed = try await server.send("PATCH /v1/places/z", #"{"name":"Y"}"#, token: keys.person("ana"))
            #expect(renamed.status == 200, "\(renamed.body)")
        }
    }

    @Test("A file of areas is imported as places") func imports() async throws {
        try await withServer { server in
            let square = "[[[0,0],[2,0],[2,2],[0,2],[0,0]]]"
            let features = """
                {"type":"FeatureCollection","features":[
                {"type":"Feature","id":"a","geometry":{"type":"Polygon","coordinates":\(square),"bbox":[0,0,2,2]},\
                "properties":{"kind":"zone","name":"A"}},
                {"type":"Feature","geometry":{"type":"MultiPolygon","coordinates":[\(square)]},\
                "properties":{"id":"b","kind":"zone","name":"B","lat":7,"lon":8}},
                {"type":"Feature","geometry":{"type":"LineString","coordinates":[[0,0],[1,1]]},\
                "properties":{"id":"c","kind":"zone","name":"C"}},
                {"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[0,0],[1,1],[0,0]]]},\
                "properties":{"id":"d","kind":"zone","name":"D"}}]}
                """
            let report = try await server.send("POST /v1/imports/places", features, type: "application/geo+json").body
            #expect(report.contains(#""created":2"#) && report.contains("is not a Point, Polygon or MultiPolygon"))
            #expect(report.contains("/area/coordinates"), "\(report)")
            let area = #""area":{"type":"Polygon","coordinates":\#(square)}}"#
            #expect(
                try await server.send("GET /v1/places/a").body
                    == #"{"id":"a","kind":"zone","name":"A","lat":1,"lon":1,\#(area)"#)
            #expect(
                try await server.send("GET /v1/places/b").body
                    == #"{"id":"b","kind":"zone","name":"B","lat":7,"lon":8,\#(area)"#)
            // A table has areas as JSON, and other values are attributes as before.
            let table = """
                id,kind,name,area
                t,zone,T,"{""type"":""Polygon"",""coordinates"":\(square)}"
                u,flat,U,Ruzafa
                v,flat,V,{broken

                """
            let read = try await server.send("POST /v1/imports/places", table, type: "text/csv").body
            #expect(read.contains(#""created":2"#) && read.contains(#""pointer":"/area""#), "\(read)")
            #expect(try await server.send("GET /v1/places/t?fields=area").body == "{\(area)")
            #expect(
                try await server.send("GET /v1/places/u?fields=attributes").body == #"{"attributes":{"area":"Ruzafa"}}"#
            )
            let exported = try await server.send("GET /v1/exports/places", headers: ["accept": "text/csv"]).body
            #expect(
                exported.contains("u,flat,U,,,,,,,,,Ruzafa\n") && exported.contains(#","{""coordinates"":"#),
                "\(exported)")
            let people = try await server.send("POST /v1/imports/people", features, type: "application/geo+json").body
            #expect(people.contains("is not a Point\""), "\(people)")
        }
    }
}
