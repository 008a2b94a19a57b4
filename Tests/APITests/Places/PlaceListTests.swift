import API
import NIOHTTP1
import Testing

/// Lists of places, their attributes, and facets.
@Suite struct PlaceListTests {
    private func populate(_ server: TestServer) async throws {
        try await server.add([("ana", nil), ("luis", nil)])
        for (id, body) in [
            (
                "paella",
                #"{"kind":"recipe","name":"Paella","category":"rice","tags":["Spanish","lunch"],"owner":"ana","attributes":{"difficulty":2,"minutes":60,"vegan":false,"ingredients":["Rice","saffron"]}}"#
            ),
            (
                "gazpacho",
                #"{"kind":"recipe","name":"gazpacho","category":"soup","tags":["spanish"],"owner":"luis","attributes":{"difficulty":1,"minutes":10.5,"vegan":true}}"#
            ),
            (
                "arroz",
                #"{"kind":"recipe","name":"Árroz al horno","category":"Rice","owner":"ana","attributes":{"difficulty":"3","minutes":"90"}}"#
            ),
            (
                "bar",
                #"{"kind":"store","name":"Bar","lat":39.47,"lon":-0.376,"hours":"24/7","attributes":{"difficulty":2}}"#
            ),
            ("far", #"{"kind":"store","name":"Zoo","lat":40.4,"lon":-3.7,"attributes":{"stars":"many"}}"#),
        ] { #expect(try await server.send("PUT /v1/places/\(id)", body).status == 201, "\(id)") }
        for (who, what) in [("ana", "bar"), ("luis", "bar"), ("ana", "arroz")] {
            #expect(try await server.send("PUT /v1/people/\(who)/favourites/places/\(what)").status == 204)
        }
    }

    private func ids(_ ids: String...) -> String {
        #"200 {"items":[\#(ids.map { #"{"id":"\#($0)"}"# }.joined(separator: ","))]}"#
    }

    @Test("Places are ordered and filtered") func ordersAndFilters() async throws {
        try await withServer { server in
            try await populate(server)
            for (query, answer) in [
                ("", ids("far", "bar", "arroz", "gazpacho", "paella")),
                ("&sort=newest", ids("far", "bar", "arroz", "gazpacho", "paella")),
                ("&sort=name", ids("arroz", "bar", "gazpacho", "paella", "far")),
                ("&sort=popularity", ids("bar", "arroz", "far", "gazpacho", "paella")),
                ("&sort=popularity&kind=recipe", ids("arroz", "gazpacho", "paella")),
                ("&owner=ana&sort=name", ids("arroz", "paella")), ("&owner=ghost", ids()),
                ("&category=rice", ids("arroz", "paella")),
                ("&category=soup,rice&tag=SPANISH", ids("gazpacho", "paella")),
                ("&q=PAE", ids("paella")), ("&q=rice&owner=ana&sort=name", ids("arroz", "paella")),
                ("&bbox=-1,39,0,40", ids("bar")), ("&open_now=true", ids("bar")), ("&kind=topic", ids()),
                ("&attr.difficulty=2", ids("bar", "paella")), ("&attr.difficulty=2.0", ids("bar", "paella")),
                ("&attr.difficulty=1,3", ids("arroz", "gazpacho")),
                ("&attr.difficulty=1&attr.difficulty=3", ids("arroz", "gazpacho")),
                ("&attr.minutes%5Blte%5D=60", ids("gazpacho", "paella")),
                ("&attr.minutes.lte=60", ids("gazpacho", "paella")), ("&attr.minutes.lt=60", ids("gazpacho")),
                ("&attr.minutes.gte=60", ids("arroz", "paella")), ("&attr.minutes.gt=60", ids("arroz")),
                ("&attr.minutes[lt]=60", ids("gazpacho")), ("&attr.minutes[gt]=10.5", ids("arroz", "paella")),
                ("&attr.minutes[gte]=1.05e1&attr.minutes[lt]=61", ids("gazpacho", "paella")),
                ("&attr.minutes[gt]=9", ids("arroz", "gazpacho", "paella")),
                ("&attr.vegan=true", ids("gazpacho")), ("&attr.ingredients=RICE", ids("paella")),
                ("&attr.stars=MANY", ids("far")), ("&attr.stars[gt]=0", ids()), ("&attr.nothing=1", ids()),
                ("&attr.difficulty=2&kind=recipe", ids("paella")),
            ] {
                #expect(try await server.send("GET /v1/places?fields=id\(query)").text == answer, "\(query)")
            }
            #expect(
                try await server.send("GET /v1/places?owner=luis").text
                    == #"200 {"items":[{"id":"gazpacho","kind":"recipe","name":"gazpacho","category":"soup","tags":["spanish"],"owner":"luis","attributes":{"difficulty":1,"minutes":10.5,"vegan":true},"created":"2026-11-20T10:00:00Z"}]}"#
            )
            let cities = try await server.send("GET /v1/cities?lat=39.47&lon=-0.376&limit=1").body
            let valencia = try #require(cities.firstMatch(of: #/"items":\[(.*)\]/#)?.1)
            #expect(valencia.contains(#""name":"Valencia","country":"ES""#))
            #expect(
                try await server.send("GET /v1/places?bbox=-1,39,0,40&fields=id,open,favourites,city").text
                    == #"200 {"items":[{"id":"bar","favourites":2,"open":true,"city":\#(valencia)}]}"#)
            #expect(
                try await server.send("GET /v1/places/bar?fields=city").text == #"200 {"city":\#(valencia)}"#)
            let nearest = "/v1/places/nearest?lat=39.47&lon=-0.376&fields=id"
            for (query, answer) in [
                ("&attr.difficulty=2", ids("bar")), ("&attr.difficulty[gt]=2", ids()), ("&owner=ana", ids()),
                ("&attr.stars=many", ids("far")),
            ] { #expect(try await server.send("GET \(nearest)\(query)").text == answer, "\(query)") }
            #expect(
                try await server.send(
                    "POST /v1/query",
                    #"{"queries":[{"list":"places","attr.difficulty":[1,2],"attr.minutes[lte]":30,"fields":"id"},{"nearest":"places","lat":39.47,"lon":-0.376,"attr.difficulty":2,"fields":"id"},{"list":"places","attr.vegan":false,"fields":"id"}]}"#
                ).text
                    == #"200 {"answers":[{"items":[{"id":"gazpacho"}]},{"items":[{"id":"bar"}]},{"items":[{"id":"paella"}]}]}"#
            )
        }
    }

    @Test("A document from a list can be sent back") func roundTrip() async throws {
        try await withServer { server in
            try await populate(server)
            let items = try await server.send("GET /v1/places?q=bar&fields=kind,name,lat,lon,created,favourites,city")
                .body
            let document = try #require(items.firstMatch(of: #/"items":\[(.*)\]/#)?.1)
            #expect(
                try await server.send("PUT /v1/places/bar", String(document)).text
                    == #"200 {"id":"bar","kind":"store","name":"Bar","lat":39.47,"lon":-0.376}"#)
            #expect(
                try await server.send("GET /v1/places/bar?fields=created,favourites").text
                    == #"200 {"created":"2026-11-20T10:00:00Z","favourites":2}"#)
        }
    }

    private func bad(_ name: String, _ value: String, _ expected: String) -> String {
        #"400 {"type":"about:blank","title":"Bad Request","status":400,"code":"invalid_parameter","detail":"'\#(name)' is '\#(value)'; must be \#(expected).","instance":"…","errors":[{"pointer":"?\#(name)","code":"format","detail":"must be \#(expected)"}]}"#
    }

    @Test("Malformed filters are refused") func malformedFilters() async throws {
        try await withServer { server in
            try await populate(server)
            let form = "a parameter such as attr.difficulty=2, or attr.minutes.lte=60 with gte, gt, lte or lt"
            for (query, name, value, expected) in [
                ("attr.minutes[lte]=ten", "attr.minutes[lte]", "ten", "one number"),
                ("attr.minutes[lte]=1,2", "attr.minutes[lte]", "1,2", "one number"),
                ("attr.minutes[lte]=nan", "attr.minutes[lte]", "nan", "one number"),
                ("attr.minutes[lte]=1e999", "attr.minutes[lte]", "1e999", "one number"),
                ("attr.minutes[lte]=", "attr.minutes[lte]", "", "one number"),
                ("attr.minutes%3E=60", "attr.minutes>", "60", form), ("attr.minutes%3C60", "attr.minutes<60", "", form),
                ("attr.minutes.lte=ten", "attr.minutes.lte", "ten", "one number"),
                ("attr.minutes[max]=1", "attr.minutes[max]", "1", form), ("attr.=1", "attr.", "1", form),
                ("attr.[lt]=1", "attr.[lt]", "1", form),
                ("attr.minutes=", "attr.minutes", "", "one or several values"),
                ("owner=a%20b", "owner", "a b", "the id of a person"),
            ] {
                for path in ["/v1/places", "/v1/places/facets"] {
                    #expect(
                        try await server.send("GET \(path)?\(query)").text == bad(name, value, expected), "\(query)")
                }
            }
            #expect(
                try await server.send("GET /v1/places?sort=size").text
                    == bad("sort", "size", "one of popularity, newest, name, relevance"))
            #expect(try await server.send("GET /v1/places?lat=1&lon=2").status == 400)
            #expect(try await server.send("PUT /v1/places/facets", #"{"kind":"a","name":"b"}"#).status == 405)
        }
    }

    @Test("Facets count the matching places") func facetCounts() async throws {
        try await withServer { server in
            try await populate(server)
            let rice = #"{"value":"Rice","count":2}"#
            let recipes =
                #"{"count":2,"facets":{"kind":[{"value":"recipe","count":2}],"category":[\#(rice)],"tag":[{"value":"Spanish","count":1},{"value":"lunch","count":1}],"attr.difficulty":[{"value":2,"count":1},{"value":3,"count":1}],"attr.ingredients":[{"value":"Rice","count":1},{"value":"saffron","count":1}],"attr.minutes":[{"value":60,"count":1},{"value":90,"count":1}],"attr.vegan":[{"value":false,"count":1}]},"attributes":{"attr.difficulty":{"count":2,"min":2,"max":3},"attr.ingredients":{"count":1},"attr.minutes":{"count":2,"min":60,"max":90},"attr.vegan":{"count":1}}}"#
            for (query, answer) in [
                ("category=rice", recipes.replacing(rice, with: #"{"value":"rice","count":2}"#)),
                (
                    "facet=kind",
                    #"{"count":5,"facets":{"kind":[{"value":"recipe","count":3},{"value":"store","count":2}]}}"#
                ),
                (
                    "facet=kind&limit=1",
                    #"{"count":5,"facets":{"kind":[{"value":"recipe","count":3}]},"more":["kind"]}"#
                ),
                (
                    "facet=tag",
                    #"{"count":5,"facets":{"tag":[{"value":"spanish","count":2},{"value":"lunch","count":1}]}}"#
                ),
                (
                    "attr.difficulty=2&facet=kind,attr.vegan&facet=attr.none",
                    #"{"count":2,"facets":{"kind":[{"value":"recipe","count":1},{"value":"store","count":1}],"attr.none":[],"attr.vegan":[{"value":false,"count":1}]},"attributes":{"attr.none":{"count":0},"attr.vegan":{"count":1}}}"#
                ),
                (
                    "owner=luis&facet=attr&limit=1",
                    #"{"count":1,"facets":{"attr.difficulty":[{"value":1,"count":1}],"attr.minutes":[{"value":10.5,"count":1}],"attr.vegan":[{"value":true,"count":1}]},"attributes":{"attr.difficulty":{"count":1,"min":1,"max":1},"attr.minutes":{"count":1,"min":10.5,"max":10.5},"attr.vegan":{"count":1}}}"#
                ),
                ("bbox=-1,39,0,40&facet=category", #"{"count":1,"facets":{"category":[]}}"#),
                ("owner=ghost", #"{"count":0,"facets":{"kind":[],"category":[],"tag":[]}}"#),
                ("q=arroz&facet=tag", #"{"count":1,"facets":{"tag":[]}}"#),
                // After the dot this character combines with it.
                (
                    "attr.%F0%9F%8F%BBz=1&facet=attr.%F0%9F%8F%BBz",
                    #"{"count":0,"facets":{"attr.\#u{1F3FB}z":[]},"attributes":{"attr.\#u{1F3FB}z":{"count":0}}}"#
                ),
            ] {
                #expect(try await server.send("GET /v1/places/facets?\(query)").text == "200 \(answer)", "\(query)")
            }
            #expect(
                try await server.send(
                    "POST /v1/query", #"{"queries":[{"facets":"places","facet":"category","owner":"luis"}]}"#
                ).text == #"200 {"answers":[{"count":1,"facets":{"category":[{"value":"soup","count":1}]}}]}"#)
            for (text, wrong) in [("size", "size"), ("attr.", "attr."), ("kind,tags,attr", "tags")] {
                #expect(
                    try await server.send("GET /v1/places/facets?facet=\(text)").text
                        == bad(
                            "facet", wrong, "kind, category, tag, attr (all attributes) or attr.<name> (one)"))
            }
        }
    }

    @Test("A search beyond the scan limit is truncated and can be continued") func truncation() async throws {
        try await withServer({ $0.limits.scan = 3 }) { server in
            try await populate(server)
            for sort in ["newest", "name", "popularity"] {
                var path = "/v1/places?fields=id&sort=\(sort)&attr.difficulty[gte]=0&limit=3"
                var found: [String] = []
                var isTruncated = false
                while true {
                    let reply = try await server.send("GET \(path)")
                    found += reply.body.matches(of: #/"id":"(\w+)"/#).map { String($0.1) }
                    isTruncated = isTruncated || reply.body.contains(#""truncated":true"#)
                    guard let link = reply.headers.first(name: "link") else { break }
                    path = String(link.dropFirst().prefix { $0 != ">" })
                }
                #expect(Set(found) == ["paella", "gazpacho", "arroz", "bar"] && found.count == 4, "\(sort): \(found)")
                #expect(isTruncated, "\(sort)")
            }
            #expect(
                try await server.send("GET /v1/places/facets?facet=kind").text
                    == #"200 {"count":3,"facets":{"kind":[{"value":"store","count":2},{"value":"recipe","count":1}]},"truncated":true}"#
            )
        }
    }
}
