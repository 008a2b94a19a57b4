import API
import Foundation
import Geo
import NIOHTTP1
import TestSupport
import Testing

/// Search for people, places, and products by words.
@Suite struct SearchTests {
    private func problem(_ detail: String, _ errors: String = "") -> String {
        #"400 {"type":"about:blank","title":"Bad Request","status":400,"code":"invalid_parameter","detail":"\#(detail)","instance":"…"\#(errors)}"#
    }

    private func badQ(_ value: String, _ expected: String) -> String {
        problem(
            "'q' is '\(value)'; must be \(expected).",
            #","errors":[{"pointer":"?q","code":"format","detail":"must be \#(expected)"}]"#)
    }

    private let twelve = "text of 1 to 12 different words"
    private let thirteen = "a b c d e f g h i j k l m"

    @Test("People are found by words and by email") func people() async throws {
        try await withServer { server in
            for (id, body) in [
                ("ana", #"{"name":"Ana","surname":"García","city":"Valencia","email":"ana@example.org","phone":"1"}"#),
                ("anabel", #"{"name":"Anabel","email":"Bel@example.org","searchable_by_email":true}"#),
                ("eva", #"{"name":"Ana Eva","searchable":false}"#),
            ] { #expect(try await server.send("PUT /v1/people/\(id)", body).status == 201) }
            let either = problem("Either 'q', words of a name, or 'email', an address, is required.")
            let ana = #"{"id":"ana","name":"Ana","surname":"García","city":"Valencia"}"#
            let anabel = #"{"id":"anabel","name":"Anabel"}"#
            let none = #"200 {"items":[]}"#
            try await expect(
                [
                    Exchange("GET /v1/people?q=ana", nil, #"200 {"items":[\#(ana),\#(anabel)]}"#),
                    Exchange("GET /v1/people?q=GARCI%20an", nil, #"200 {"items":[\#(ana)]}"#),
                    Exchange("GET /v1/people?q=ana&limit=1", nil, #"200 {"items":[\#(ana)],"cursor":"…"}"#),
                    Exchange("GET /v1/people?q=eva", nil, #"200 {"items":[]}"#),
                    Exchange("GET /v1/people?q=an&fields=id", nil, #"200 {"items":[{"id":"ana"},{"id":"anabel"}]}"#),
                    Exchange("GET /v1/people?email=bel@EXAMPLE.org", nil, #"200 {"items":[\#(anabel)]}"#),
                    Exchange("GET /v1/people?email=ana@example.org", nil, #"200 {"items":[]}"#),
                    Exchange("GET /v1/people?q=a&email=b", nil, either),
                    Exchange("GET /v1/people?q=%22*", nil, badQ("\\\"*", twelve)),
                    Exchange("GET /v1/people?q=\(thirteen.replacing(" ", with: "+"))", nil, badQ(thirteen, twelve)),
                    Exchange("GET /v1/people?q=\(thirteen.dropLast(2).replacing(" ", with: "+"))+a", nil, none),
                    Exchange(
                        "GET /v1/people?q=\(String(repeating: "a", count: 201))", nil,
                        badQ(String(repeating: "a", count: 201), "text of at most 200 bytes")),
                    Exchange(
                        "GET /v1/people/eva", nil,
                        #"200 {"id":"eva","name":"Ana Eva","discoverable":false,"searchable":false}"#),
                ], of: server)
            let first = try await server.send("GET /v1/people?q=ana&limit=1&fields=id")
            let cursor = try #require(first.body.firstMatch(of: #/"cursor":"([^"]+)"/#)?.1)
            let second = try await server.send("GET /v1/people?q=ana&limit=1&fields=id&cursor=\(cursor)")
            #expect(second.text == #"200 {"items":[{"id":"anabel"}]}"#)
            #expect(second.headers.first(name: "cache-control") == "no-store")
            let batch = try await server.send("POST /v1/query", #"{"queries":[{"list":"people","q":"anab"}]}"#)
            #expect(batch.text == #"200 {"answers":[{"items":[\#(anabel)]}]}"#)
        }
    }

    /// Services list all people with positions, in the order in which they were made; other callers must name a person.
    @Test("A service lists all people") func listing() async throws {
        try await withKeys { server, keys, _ in
            try await server.add([
                ("luis", try place(39.47, -0.376)), ("gone", try place(1, 1)), ("ana", nil),
                ("eva", try place(-17, 180)),
            ])
            #expect(try await server.send("DELETE /v1/people/gone", token: keys.service).status == 204)
            let list = "GET /v1/people?fields=id,lat,lon"
            var (seen, cursor): ([String], String) = ([], "")
            repeat {
                let page = try await server.send("\(list)&limit=1\(cursor)", token: keys.service)
                seen += page.body.matches(of: #/"items":\[(.*?)\]/#).map { String($0.1) }
                cursor = page.body.firstMatch(of: #/"cursor":"([^"]+)"/#).map { "&cursor=\($0.1)" } ?? ""
            } while !cursor.isEmpty && seen.count < 9
            #expect(
                seen == [
                    #"{"id":"luis","lat":39.47,"lon":-0.376}"#, #"{"id":"ana"}"#, #"{"id":"eva","lat":-17,"lon":180}"#,
                ])
            let map = try await server.send(
                "\(list)&limit=1",
                headers: ["authorization": "Bearer \(keys.service)", "accept": "application/geo+json"])
            #expect(map.text.contains(#""geometry":{"type":"Point","coordinates":[-0.376,39.47]}"#))
            let own = try await server.send(list, token: keys.person("ana"))
            #expect(own.status == 400 && own.body.contains("Either 'q', words of a name, or 'email'"))
            let found = try await server.send("GET /v1/people?q=luis&fields=id,lat", token: keys.service)
            #expect(found.text == #"200 {"items":[{"id":"luis"}]}"#)
        }
    }

    @Test("A block leaves no gap in a page") func blocks() async throws {
        try await withKeys { server, keys, _ in
            try await server.add([("ana", nil), ("bea", nil), ("luis", nil), ("eva", nil)])
            for name in ["ana", "bea", "eva"] {
                let reply = try await server.send("PUT /v1/people/\(name)", #"{"name":"Xo"}"#, token: keys.service)
                #expect(reply.status == 200)
            }
            let ask = "GET /v1/people?q=xo&limit=1&fields=id"
            let both = try await server.send(ask, token: keys.person("luis"))
            #expect(both.body.contains(#""id":"ana""#) && both.body.contains("cursor"))
            for name in ["ana", "bea"] {
                let reply = try await server.send("PUT /v1/people/\(name)/blocks/luis", token: keys.person(name))
                #expect(reply.status == 204)
            }
            let rest = try await server.send(ask, token: keys.person("luis"))
            #expect(rest.text == #"200 {"items":[{"id":"eva"}]}"#, "as if there were no Ana and no Bea")
        }
    }

    @Test("Places and products are found by words") func placesAndProducts() async throws {
        try await withServer { server in
            for (line, body) in [
                ("PUT /v1/places/far", #"{"kind":"store","name":"Zapatería Lejos","lat":41,"lon":2}"#),
                ("PUT /v1/places/sol", #"{"kind":"store","name":"Zapatería Sol","lat":39.47,"lon":-0.37}"#),
                (
                    "PUT /v1/places/bar",
                    #"{"kind":"topic","name":"Bar","address":"Calle de la Zapa 3","lat":39.46,"lon":-0.37}"#
                ),
                ("PUT /v1/products/pump", #"{"name":"Pump","brand":"Fuente","colors":["rojo"]}"#),
                ("PUT /v1/products/boot", #"{"name":"Boot","description":"not a pump"}"#),
                ("PUT /v1/stores/sol/stock/boot", "{}"), ("PUT /v1/stores/far/stock/pump", "{}"),
            ] { #expect(try await server.send(line, body).status == 201, "\(line)") }
            let here = "lat=39.4&lon=-0.37&fields=id"
            try await expect(
                [
                    Exchange(
                        "GET /v1/places/nearest?\(here)&q=zapa", nil,
                        #"200 {"items":[{"id":"bar"},{"id":"sol"},{"id":"far"}]}"#),
                    Exchange(
                        "GET /v1/places/nearest?\(here)&q=ZAPATER%C3%8DA&limit=1", nil,
                        #"200 {"items":[{"id":"sol"}],"cursor":"…"}"#),
                    Exchange("GET /v1/places/nearest?\(here)&q=zapa&kind=topic", nil, #"200 {"items":[{"id":"bar"}]}"#),
                    Exchange(
                        "GET /v1/places/nearest?\(here)&q=zapa&beyond_m=100000", nil, #"200 {"items":[{"id":"far"}]}"#),
                    Exchange("GET /v1/places/nearest?\(here)&q=zapa%20lej", nil, #"200 {"items":[{"id":"far"}]}"#),
                    Exchange("GET /v1/places/nearest?\(here)&q=", nil, badQ("", twelve)),
                    Exchange("GET /v1/products?q=\(thirteen.replacing(" ", with: "%20"))", nil, badQ(thirteen, twelve)),
                    Exchange("GET /v1/products?q=pump&fields=id", nil, #"200 {"items":[{"id":"pump"},{"id":"boot"}]}"#),
                    Exchange(
                        "GET /v1/products?q=pump&fields=id&sort=id", nil,
                        #"200 {"items":[{"id":"boot"},{"id":"pump"}]}"#),
                    Exchange("GET /v1/products?q=pump%20roj&fields=id", nil, #"200 {"items":[{"id":"pump"}]}"#),
                    Exchange("GET /v1/products?q=pump&brand=fuente&fields=id", nil, #"200 {"items":[{"id":"pump"}]}"#),
                    Exchange("GET /v1/stores/nearest?\(here)&q=fuen", nil, #"200 {"items":[{"id":"far"}]}"#),
                    Exchange(
                        "GET /v1/stores/nearest?\(here)&q=pump", nil, #"200 {"items":[{"id":"sol"},{"id":"far"}]}"#),
                    Exchange("GET /v1/stores/nearest?\(here)&q=nada", nil, #"200 {"items":[]}"#),
                ], of: server)
        }
    }

    @Test("Cities are found by name and by place") func cities() async throws {
        let either = problem("Either 'q', the beginning of a name, or 'lat' and 'lon' are required.")
        try await withServer { server in
            try await expect(
                [
                    Exchange(
                        "GET /v1/cities?q=VAL%C3%88NC&limit=2", nil,
                        #"200 {"items":[{"name":"Valencia","country":"VE","lat":10.16153,"lon":-68.00044,"population":1619470,"timezone":"America/Caracas"},{"name":"Valencia","country":"ES","lat":39.47391,"lon":-0.37966,"population":824340,"timezone":"Europe/Madrid"}]}"#
                    ),
                    Exchange(
                        "GET /v1/cities?q=valence&fields=name,country", nil,
                        #"200 {"items":[{"name":"Valence","country":"FR"}]}"#),
                    Exchange(
                        "GET /v1/cities?lat=39.47391&lon=-0.37966&limit=1&fields=name,distance_m", nil,
                        #"200 {"items":[{"name":"Valencia","distance_m":0}]}"#),
                    Exchange("GET /v1/cities?q=zzzz", nil, #"200 {"items":[]}"#),
                    Exchange("GET /v1/cities?q=%20", nil, badQ(" ", "text with at least one letter or digit")),
                    Exchange("GET /v1/cities", nil, either), Exchange("GET /v1/cities?q=a&lat=1", nil, either),
                    Exchange(
                        "POST /v1/query", #"{"queries":[{"list":"cities","q":"valence","fields":"country"}]}"#,
                        #"200 {"answers":[{"items":[{"country":"FR"}]}]}"#),
                ], of: server)
        }
    }
}
