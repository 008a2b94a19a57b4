import Geo
import NIOHTTP1
import TestSupport
import Testing

/// Requests and their exact answers.
@Suite struct AnswerTests {
    @Test("Answers about people are exact") func people() async throws {
        try await withServer { server in
            let ana =
                #"{"id":"ana","name":"Ana","city":"Gandia","born":"1997-03-13","sex":"female","attributes":{"shoe_size":"EU:37"},"discoverable":true,"throttle":{"distance_m":50.5,"interval_s":10}}"#
            try await expect(
                [
                    Exchange(
                        "GET /v1/people/ana", nil,
                        #"404 {"type":"about:blank","title":"Not Found","status":404,"code":"not_found","detail":"There is no person 'ana'.","instance":"…"}"#
                    ),
                    Exchange("PUT /v1/people/ana", ana, "201 \(ana)"),
                    Exchange("PUT /v1/people/ana", ana, "200 \(ana)"),
                    Exchange("GET /v1/people/ana", nil, "200 \(ana)"),
                    Exchange("GET /v1/people/ana?fields=name,id", nil, #"200 {"id":"ana","name":"Ana"}"#),
                    Exchange(
                        "PATCH /v1/people/ana", #"{"name":null,"attributes":{"tall":true},"throttle":null}"#,
                        #"200 {"id":"ana","city":"Gandia","born":"1997-03-13","sex":"female","attributes":{"shoe_size":"EU:37","tall":true},"discoverable":true}"#
                    ),
                    Exchange(
                        "PUT /v1/people/ana", #"{"retention_s":2592000,"discoverable":false}"#,
                        #"200 {"id":"ana","city":"Gandia","born":"1997-03-13","discoverable":false,"retention_s":2592000}"#
                    ),
                    Exchange("DELETE /v1/people/ana", nil, "204 "),
                    Exchange(
                        "DELETE /v1/people/ana", nil,
                        #"404 {"type":"about:blank","title":"Not Found","status":404,"code":"not_found","detail":"There is no person 'ana'.","instance":"…"}"#
                    ),
                ], of: server)
        }
    }

    @Test("Concurrent patches all take effect") func concurrentPatches() async throws {
        try await withServer { server in
            try await server.send("PUT /v1/people/ana", "{}")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        let reply = try await server.send(
                            "PATCH /v1/people/ana", "{\"attributes\":{\"a\(number)\":\(number)}}")
                        #expect(reply.status == 200)
                    }
                }
                try await group.waitForAll()
            }
            let body = try await server.send("GET /v1/people/ana").body
            for number in 0..<8 { #expect(body.contains("\"a\(number)\":\(number)")) }
        }
    }

    @Test("Answers about friends are exact") func friends() async throws {
        try await withServer { server in
            try await server.add([
                ("ana", try place(39.4699, -0.3763)), ("luis", try place(39.469, -0.376)),
                ("eva", try place(-33.45, -70.66)),
                ("paco", nil),
            ])
            try await expect(
                [
                    Exchange("PUT /v1/people/ana/friends/luis", nil, #"200 {"state":"asked"}"#),
                    Exchange(
                        "GET /v1/people/luis/friends/requests", nil,
                        #"200 {"received":[{"id":"ana","name":"Ana"}],"sent":[]}"#),
                    Exchange("PUT /v1/people/luis/friends/ana", nil, #"200 {"state":"friends"}"#),
                    Exchange("PUT /v1/people/eva/friends/ana", nil, #"200 {"state":"asked"}"#),
                    Exchange("PUT /v1/people/ana/friends/eva", nil, #"200 {"state":"friends"}"#),
                    Exchange(
                        "GET /v1/people/ana/friends", nil,
                        #"200 {"items":[{"id":"eva","name":"Eva"},{"id":"luis","name":"Luis"}]}"#),
                    Exchange(
                        "GET /v1/people/ana/friends?limit=1&fields=id", nil,
                        #"200 {"items":[{"id":"eva"}],"cursor":"…"}"#),
                    Exchange(
                        "GET /v1/people/ana/friends/nearest", nil,
                        #"200 {"items":[{"id":"luis","name":"Luis","lat":39.469,"lon":-0.376,"distance_m":103.2,"bearing":166,"at":"2026-11-20T09:50:00Z","precision":"exact"},{"id":"eva","name":"Eva","lat":-33.45,"lon":-70.66,"distance_m":10839202.6,"bearing":233,"at":"2026-11-20T09:50:00Z","precision":"exact"}]}"#
                    ),
                    Exchange(
                        "GET /v1/people/ana/friends/nearest?within_m=103.3&fields=id,distance_m", nil,
                        #"200 {"items":[{"id":"luis","distance_m":103.2}]}"#),
                    Exchange("GET /v1/people/ana/friends/nearest?within_m=103.1", nil, #"200 {"items":[]}"#),
                    Exchange(
                        "GET /v1/people/paco/friends/nearest", nil,
                        #"409 {"type":"about:blank","title":"Conflict","status":409,"code":"no_position","detail":"The position of 'paco' is not known: none is stored.","instance":"…"}"#
                    ),
                    Exchange("DELETE /v1/people/luis/friends/ana", nil, #"200 {"state":"none"}"#),
                    Exchange(
                        "PUT /v1/people/ana/friends/ana", nil,
                        #"422 {"type":"about:blank","title":"Unprocessable Content","status":422,"code":"oneself","detail":"The two must be different people.","instance":"…"}"#
                    ),
                    Exchange("PUT /v1/people/ana/blocks/luis", nil, "204 "),
                    Exchange("GET /v1/people/ana/blocks?fields=id", nil, #"200 {"items":[{"id":"luis"}]}"#),
                    Exchange("GET /v1/people/ana/blocks/luis", nil, #"200 {"id":"luis","name":"Luis"}"#),
                    Exchange("GET /v1/people/ana/blocks/luis?fields=name", nil, #"200 {"name":"Luis"}"#),
                    Exchange(
                        "GET /v1/people/ana/blocks/eva", nil,
                        #"404 {"type":"about:blank","title":"Not Found","status":404,"code":"not_found","detail":"There is no block 'eva'.","instance":"…"}"#
                    ),
                    Exchange(
                        "PUT /v1/people/luis/friends/ana", nil,
                        #"404 {"type":"about:blank","title":"Not Found","status":404,"code":"not_found","detail":"There is no person 'ana'.","instance":"…"}"#
                    ),
                    Exchange("DELETE /v1/people/ana/blocks/luis", nil, "204 "),
                ], of: server)
        }
    }

    @Test("Answers of discovery are exact") func discovery() async throws {
        try await withServer { server in
            try await server.add([
                ("ana", try place(39.4699, -0.3763)), ("luis", try place(39.469, -0.376)), ("eva", nil),
            ])
            try await server.send(
                "PATCH /v1/people/luis", #"{"sex":"male","about":"hola","photo":"https://x.example/l.jpg"}"#)
            try await expect(
                [
                    Exchange(
                        "GET /v1/people/ana/discovery", nil,
                        #"200 {"items":[{"id":"luis","name":"Luis","distance":"<5km","photo":"https://x.example/l.jpg","age":30,"sex":"male","about":"hola","seen":"now"}],"done":true}"#
                    ),
                    Exchange(
                        "GET /v1/people/ana/discovery?limit=1&fields=id", nil,
                        #"200 {"items":[{"id":"luis"}],"cursor":"…"}"#),
                    Exchange(
                        "GET /v1/people/luis/cell", nil,
                        #"200 {"id":"luis","cell":{"lat":39.431172,"lon":-0.3955078,"corners":[{"lat":39.3870116,"lon":-0.4394531},{"lat":39.3873092,"lon":-0.3515625},{"lat":39.4753155,"lon":-0.3515625},{"lat":39.4750177,"lon":-0.4394531}]},"seen":"now"}"#
                    ),
                    Exchange(
                        "GET /v1/people/nobody/cell", nil,
                        #"404 {"type":"about:blank","title":"Not Found","status":404,"code":"not_found","detail":"There is no person 'nobody'.","instance":"…"}"#
                    ),
                    Exchange("GET /v1/people/ana/discovery?sex=female,other", nil, #"200 {"items":[],"done":true}"#),
                    Exchange("PUT /v1/people/ana/decisions/luis", #"{"like":true}"#, #"200 {"match":false}"#),
                    Exchange("GET /v1/people/ana/discovery", nil, #"200 {"items":[],"done":true}"#),
                    Exchange("PUT /v1/people/luis/decisions/ana", #"{"like":true}"#, #"200 {"match":true}"#),
                    Exchange("GET /v1/people/ana/matches?fields=id", nil, #"200 {"items":[{"id":"luis"}]}"#),
                    Exchange("DELETE /v1/people/ana/decisions/luis", nil, "204 "),
                    Exchange(
                        "GET /v1/people/eva/discovery", nil,
                        #"409 {"type":"about:blank","title":"Conflict","status":409,"code":"no_position","detail":"The position of 'eva' is not known: none is stored.","instance":"…"}"#
                    ),
                ], of: server)
        }
    }

    @Test("Answers about places, products, and stores are exact") func catalogue() async throws {
        try await withServer { server in
            let store =
                #"{"id":"sol","kind":"store","name":"Sol","lat":39.4702,"lon":-0.3763,"category":"shoes","tags":["new"],"hours":"Mo-Fr 10:00-14:00","timezone":"Europe/Madrid"}"#
            let shoe =
                #"{"id":"pump","brand":"Brinquesa","name":"Fuente","category":"pump","gender":"female","colors":["red"],"materials":["leather"],"sizes":["EU:36","EU:37"],"price":5900,"currency":"EUR"}"#
            let found =
                #"{"id":"sol","kind":"store","name":"Sol","lat":39.4702,"lon":-0.3763,"category":"shoes","tags":["new"],"hours":"Mo-Fr 10:00-14:00","timezone":"Europe/Madrid","distance_m":33.3,"bearing":0,"open":true,"closes_at":"2026-11-20T13:00:00Z""#
            try await expect(
                [
                    Exchange("PUT /v1/places/sol", store, "201 \(store)"),
                    Exchange(
                        "PUT /v1/places/recipe1", #"{"kind":"recipe","name":"Paella"}"#,
                        #"201 {"id":"recipe1","kind":"recipe","name":"Paella"}"#),
                    Exchange("PUT /v1/products/pump", shoe, "201 \(shoe)"),
                    Exchange("GET /v1/products?color=RED&brand=brinquesa", nil, #"200 {"items":[\#(shoe)]}"#),
                    Exchange("GET /v1/products?color=green", nil, #"200 {"items":[]}"#),
                    Exchange(
                        "PUT /v1/stores/sol/stock/pump",
                        #"{"price":4950,"currency":"eur","sizes":{"eu:37":2,"EU:36":0}}"#,
                        #"201 {"store":"sol","product":"pump","price":4950,"currency":"EUR","sizes":{"EU:36":0,"EU:37":2}}"#
                    ),
                    Exchange(
                        "GET /v1/stores/sol/stock", nil,
                        #"200 {"items":[{"product":"pump","price":4950,"currency":"EUR","sizes":{"EU:36":0,"EU:37":2}}]}"#
                    ),
                    Exchange(
                        "GET /v1/stores/sol/stock/pump", nil,
                        #"200 {"store":"sol","product":"pump","price":4950,"currency":"EUR","sizes":{"EU:36":0,"EU:37":2}}"#
                    ),
                    Exchange("GET /v1/places/nearest?lat=39.4699&lon=-0.3763", nil, #"200 {"items":[\#(found)}]}"#),
                    Exchange("GET /v1/places/nearest?lat=39.4699&lon=-0.3763&kind=topic", nil, #"200 {"items":[]}"#),
                    Exchange(
                        "GET /v1/places/nearest?lat=39.4699&lon=-0.3763&bbox=-1,39,0,40&fields=id", nil,
                        #"200 {"items":[{"id":"sol"}]}"#),
                    Exchange(
                        "GET /v1/places/nearest?lat=39.4699&lon=-0.3763&bbox=0,39,-1,40&fields=id", nil,
                        #"200 {"items":[]}"#),
                    Exchange(
                        "GET /v1/places/nearest?lat=39.4699&lon=-0.3763&fields=id&in=%7B%22type%22:%22Polygon%22,%22coordinates%22:%5B%5B%5B-1,39%5D,%5B0,39%5D,%5B0,40%5D,%5B-1,39%5D%5D%5D%7D",
                        nil, #"200 {"items":[{"id":"sol"}]}"#),
                    Exchange(
                        "GET /v1/stores/nearest?lat=39.4699&lon=-0.3763&color=red&size=EU:37&price_max=6000&currency=EUR",
                        nil,
                        #"200 {"items":[\#(found),"products":[{"id":"pump","brand":"Brinquesa","name":"Fuente","price":4950,"currency":"EUR","sizes":{"EU:37":2}}]}]}"#
                    ),
                    Exchange("GET /v1/stores/nearest?lat=39.4699&lon=-0.3763&size=EU:36", nil, #"200 {"items":[]}"#),
                    Exchange(
                        "GET /v1/stores/nearest?lat=39.4699&lon=-0.3763&price_max=4949&currency=EUR", nil,
                        #"200 {"items":[]}"#),
                    Exchange(
                        "GET /v1/stores/nearest?lat=39.4699&lon=-0.3763&price_max=4950&currency=USD", nil,
                        #"200 {"items":[]}"#),
                    Exchange(
                        "PUT /v1/stores/sol/stock/pump", #"{"price":100,"currency":"EUR"}"#,
                        #"200 {"store":"sol","product":"pump","price":100,"currency":"EUR","quantity":1}"#),
                    Exchange("DELETE /v1/stores/sol/stock/pump", nil, "204 "),
                    Exchange(
                        "GET /v1/stores/sol/stock/pump", nil,
                        #"404 {"type":"about:blank","title":"Not Found","status":404,"code":"not_found","detail":"There is no stock 'pump'.","instance":"…"}"#
                    ),
                    Exchange("GET /v1/stores/sol/stock", nil, #"200 {"items":[]}"#),
                    Exchange("DELETE /v1/products/pump", nil, "204 "),
                    Exchange(
                        "PUT /v1/stores/sol/stock/pump", "{}",
                        #"404 {"type":"about:blank","title":"Not Found","status":404,"code":"not_found","detail":"There is no product 'pump'.","instance":"…"}"#
                    ),
                    Exchange("DELETE /v1/places/sol", nil, "204 "),
                ], of: server)
        }
    }

    @Test("Answers about health are exact") func health() async throws {
        try await withServer { server in
            try await server.add([("ana", nil)])
            try await expect(
                [
                    Exchange("GET /livez", nil, #"200 {"status":"ok"}"#),
                    Exchange("GET /readyz", nil, #"200 {"status":"ok","people":1,"places":0,"products":0}"#),
                    Exchange("HEAD /livez", nil, "200 "),
                    Exchange("HEAD /v1/people/ana", nil, "200 "),
                    Exchange("HEAD /v1/people/nosuch", nil, "404 "),
                    Exchange("HEAD /v1/pings", nil, "405 "),
                ], of: server)
        }
    }
}
