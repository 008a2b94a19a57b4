import API
import AsyncHTTPClient
import Crypto
import Foundation
import Logging
import Model
import NIOHTTP1
import TestSupport
import Testing

/// Links over HTTP, for their owners and for anyone who has one.
@Suite(.timeLimit(.minutes(60))) struct ShareRouteTests {
    private static let json = ["accept": "application/json"]

    private func move(_ server: TestServer, _ lat: Double, _ time: String) async throws {
        let reply = try await server.send(
            "POST /v1/pings", #"{"person":"ana","lat":\#(lat),"lon":-0.376,"t":"2026-11-20T\#(time)Z"}"#)
        #expect(reply.body.contains(#""stored":1"#), "\(reply.body)")
    }

    @Test("Holders of a link see the person's position and trail") func positionAndTrail() async throws {
        try await withServer { server in
            try await server.add([("ana", nil)])
            let path = try await server.makeLink(
                #"{"precision":"exact","for_s":3600,"trail":true,"label":"To the sea"}"#)
            let nobody = try await server.send("GET \(path)", headers: Self.json)
            #expect(
                nobody.body
                    == #"{"label":"To the sea","expires":"2026-11-20T11:00:00Z","position":null,"trail":[]}"#)
            #expect(nobody.headers["cache-control"] == ["no-store"])
            try await move(server, 39.47, "10:00:00")
            let there = try await server.send("GET \(path)", headers: Self.json)
            let point = #"{"lat":39.47,"lon":-0.376,"at":"2026-11-20T10:00:00Z","precision":"exact"}"#
            #expect(
                there.body
                    == #"{"label":"To the sea","expires":"2026-11-20T11:00:00Z","position":\#(point),"trail":[\#(point)]}"#
            )
            try await server.send("GET \(path)", headers: Self.json.merging(["last-event-id": "1"]) { $1 })
            try await server.send("HEAD \(path)", headers: Self.json)
            let listed = try await server.send("GET /v1/people/ana/shares").body
            #expect(listed.contains(#""label":"To the sea","views":2}]}"#) && !listed.contains("/s/"), "\(listed)")
        }
    }

    @Test("Followers of a link get updates until it ends") func followers() async throws {
        try await withServer { server in
            try await server.add([("ana", nil)])
            let path = try await server.makeLink(#"{"for_s":3600}"#)
            var stream = try await EventSource(server, path)
            let first = try await stream.next()
            #expect(first.data == #"{"expires":"2026-11-20T11:00:00Z","position":null}"# && first.id == "1")
            try await move(server, 39.47, "10:00:00")
            let moved = try await stream.next()
            #expect(moved.data.contains(#""at":"2026-11-20T10:00:00Z","precision":"approximate"}"#), "\(moved.data)")
            let id = try #require(
                try await server.send("GET /v1/people/ana/shares").body.firstMatch(of: #/"id":"([^"]+)"/#)?.1)
            #expect(try await server.send("DELETE /v1/people/ana/shares/\(id)").status == 204)
            #expect(await stream.ends())
            #expect(try await EventSource.open(server, path).status == .notFound)
        }
    }

    @Test("Only the first message of a stream has the trail") func trailOnce() async throws {
        try await withServer { server in
            try await server.add([("ana", nil)])
            let path = try await server.makeLink(#"{"precision":"exact","for_s":3600,"trail":true}"#)
            try await move(server, 39.47, "10:00:00")
            var stream = try await EventSource(server, path)
            func point(_ lat: Double, _ time: String) -> String {
                #"{"lat":\#(lat),"lon":-0.376,"at":"2026-11-20T\#(time)Z","precision":"exact"}"#
            }
            let start = point(39.47, "10:00:00")
            let first = try await stream.next()
            #expect(first.data.hasSuffix(#""position":\#(start),"trail":[\#(start)]}"#), "\(first.data)")
            try await move(server, 39.48, "10:05:00")
            let moved = try await stream.next()
            #expect(moved.data.hasSuffix(#""position":\#(point(39.48, "10:05:00"))}"#), "\(moved.data)")
            stream.close()
        }
    }

    @Test("An ended link is indistinguishable from one that never existed") func endedLink() async throws {
        let clock = SteppedClock()
        try await withServer(now: { clock.now }) { server in
            try await server.add([("ana", nil)])
            let path = try await server.makeLink(#"{"for_s":60}"#)
            clock.advance(59)
            #expect(try await server.send("GET \(path)", headers: Self.json).status == 200)
            clock.advance(1)
            for accept in ["application/json", "text/html", "text/event-stream"] {
                func answer(_ path: String) async throws -> String {
                    let reply = try await server.send("GET \(path)", headers: ["accept": accept])
                    let headers = reply.headers.filter { !["x-request-id", "date"].contains($0.name.lowercased()) }
                    return "\(reply.text) \(headers)"
                }
                let ended = try await answer(path)
                #expect(ended.hasPrefix("404 "))
                for other in ["/s/\(String(repeating: "A", count: 43))", "/s/x", "/s/%20"] {
                    #expect(try await answer(other) == ended, "\(other) as \(accept)")
                }
            }
        }
    }

    @Test("The page of a link has no foreign content and is not indexed") func pageOfLink() async throws {
        try await withServer { server in
            try await server.add([("ana", nil)])
            let page = try await server.send(
                "GET \(server.makeLink(#"{"for_s":60}"#))", headers: ["accept": "text/html,*/*;q=0.8"])
            #expect(page.status == 200 && page.body.contains("share.js"))
            #expect(page.headers["x-robots-tag"] == ["noindex, nofollow"])
            #expect(page.headers["referrer-policy"] == ["no-referrer"])
            #expect(page.headers["cache-control"] == ["no-store"])
            #expect(
                page.headers["content-security-policy"].first?.hasPrefix("default-src 'none'; script-src 'self'")
                    ?? false)
            #expect(
                try await server.send("GET /v1/people/ana/shares").body.contains(#""views":0"#), "nobody saw anything")
        }
    }

    @Test("Previews of all links are equal, also of unknown ones") func previews() async throws {
        try await withServer { server in
            try await server.add([("ana", nil)])
            let hidden = try await server.makeLink(#"{"for_s":60}"#)
            try await move(server, 39.47, "10:00:00")
            let seen = try await server.makeLink(#"{"precision":"exact","for_s":3600,"label":"<To> \"the\" sea"}"#)
            func preview(_ path: String) async throws -> String {
                try await server.send("GET \(path)", headers: ["accept": "text/html"]).body
            }
            let page = try await preview(seen)
            let tags = page.matches(of: #/<meta property="og:(\w+)" content="[^"]+">/#).map { String($0.1) }
            #expect(tags == ["type", "site_name", "title", "description"])
            for other in [hidden, "/s/\(String(repeating: "A", count: 43))", "/s/x", "/p/luna"] {
                #expect(try await preview(other) == page, "\(other)")
            }
        }
    }

    @Test("A place has a page too") func pageOfPlace() async throws {
        try await withServer { server in
            try await server.send(
                "PUT /v1/places/sol", #"{"kind":"store","name":"Sol","lat":39.47,"lon":-0.376,"address":"Mayor 1"}"#)
            let reported = try await server.send("GET /p/sol", headers: Self.json)
            #expect(
                reported.body
                    == #"{"id":"sol","kind":"store","name":"Sol","lat":39.47,"lon":-0.376,"address":"Mayor 1"}"#)
            #expect(try await server.send("GET /p/sol").body.contains("share.js"))
            #expect(try await server.send("GET /p/luna").status == 404)
        }
    }

    @Test("A place that a person owns appears not to exist") func ownedPlaces() async throws {
        try await withServer { server in
            try await server.send("PUT /v1/people/ana", "{}")
            try await server.send(
                "PUT /v1/places/home", #"{"kind":"store","name":"Home","lat":39.47,"lon":-0.376,"owner":"ana"}"#)
            try await server.send("PUT /v1/products/low", #"{"brand":"Botín","name":"Red"}"#)
            try await server.send("PUT /v1/stores/home/stock/low", #"{"sizes":{"37":2}}"#)
            for (path, none) in [("home", "luna"), ("home/low", "luna/low")] {
                for headers in [Self.json, [:]] {
                    let (owned, absent) = (
                        try await server.send("GET /p/\(path)", headers: headers),
                        try await server.send("GET /p/\(none)", headers: headers)
                    )
                    #expect(owned.status == 404 && owned.text == absent.text, "\(owned.text)")
                    #expect(owned.headers["content-type"] == absent.headers["content-type"])
                }
            }
            #expect(try await server.send("DELETE /v1/people/ana").status == 204)
            #expect(try await server.send("GET /v1/places/home?fields=id,owner").text == #"200 {"id":"home"}"#)
            #expect(try await server.send("GET /p/home", headers: Self.json).status == 404)
            let shown = try await server.send("PATCH /v1/places/home", #"{"owner":null}"#)
            #expect(shown.status == 200, "\(shown.text)")
            #expect(try await server.send("GET /p/home", headers: Self.json).status == 200)
        }
    }

    @Test("A product in a store has a page too") func pageOfProduct() async throws {
        try await withServer { server in
            try await server.send("PUT /v1/places/sol", #"{"kind":"store","name":"Sol","lat":39.47,"lon":-0.376}"#)
            for product in ["low", "high"] {
                try await server.send(
                    "PUT /v1/products/\(product)", #"{"brand":"Botín","name":"Red","price":4990,"currency":"EUR"}"#)
            }
            try await server.send("PUT /v1/stores/sol/stock/low", #"{"sizes":{"37":2},"price":3990,"currency":"EUR"}"#)
            func reported(_ product: String) -> String {
                #"{"id":"sol","kind":"store","name":"Sol","lat":39.47,"lon":-0.376,"product":{\#(product)}}"#
            }
            #expect(
                try await server.send("GET /p/sol/low", headers: Self.json).body
                    == reported(#""id":"low","brand":"Botín","name":"Red","price":3990,"currency":"EUR""#))
            #expect(try await server.send("GET /p/sol/high", headers: Self.json).status == 404, "it has none")
            try await server.send("PUT /v1/stores/sol/stock/high", #"{"sizes":{"38":1}}"#)
            #expect(
                try await server.send("GET /p/sol/high", headers: Self.json).body
                    == reported(#""id":"high","brand":"Botín","name":"Red","price":4990,"currency":"EUR""#))
            #expect(try await server.send("GET /p/sol/high").body.contains("share.js"))
            for missing in ["sol/none", "luna/low"] {
                #expect(try await server.send("GET /p/\(missing)").status == 404, "\(missing)")
            }
        }
    }

    @Test(
        "A fault is reported with its pointer",
        arguments: [
            ("{}", "/expires"), (#"{"for_s":60,"expires":"2026-11-20T10:30:00Z"}"#, "/expires"),
            (#"{"expires":"2026-11-20T10:00:00Z"}"#, "/expires"), (#"{"expires":"2026-11-27T10:00:01Z"}"#, "/expires"),
            (#"{"for_s":604801}"#, "/for_s"), (#"{"for_s":60,"precision":"hidden"}"#, "/precision"),
            (#"{"for_s":60,"until":{"place":"nowhere","within_m":50}}"#, "/until/place"),
            (#"{"for_s":60,"until":{"place":"sol"}}"#, "/until/within_m"),
            (#"{"for_s":60,"lable":"x"}"#, "/lable"),
        ])
    func pointers(body: String, pointer: String) async throws {
        try await withServer { server in
            try await server.add([("ana", nil)])
            try await server.send("PUT /v1/places/sol", #"{"kind":"store","name":"Sol","lat":39.47,"lon":-0.376}"#)
            let reply = try await server.send("POST /v1/people/ana/shares", body)
            #expect(reply.status == 400 && reply.body.contains(#""pointer":"\#(pointer)""#), "\(reply.body)")
        }
    }

    @Test("The token is in no file and in no log") func tokenSecrecy() async throws {
        let log = RecordedLog()
        try await withServer(logger: log.logger) { server in
            try await server.add([("ana", nil)])
            let path = try await server.makeLink(#"{"for_s":60}"#)
            let token = String(path.dropFirst(3))
            try await server.send("GET \(path)", headers: Self.json)
            try await server.send("GET \(path)x", headers: Self.json)
            #expect(
                log.lines(at: .debug).filter { $0.contains("route=/s/{token} status=") }.count == 2)
            let all = [.trace, .debug, .info, .notice, .warning, .error].flatMap { log.lines(at: $0) }
            #expect(!all.contains { $0.contains(token) })
            let base64 = token.replacing("-", with: "+").replacing("_", with: "/") + "="
            let secret = try #require(Data(base64Encoded: base64))
            let files = try ["cerca.sqlite", "cerca.sqlite-wal"].map {
                try Data(contentsOf: server.folder.appending(path: $0))
            }
            #expect(files.contains { $0.range(of: Data(SHA256.hash(data: secret))) != nil })
            #expect(!files.contains { $0.range(of: secret) != nil || $0.range(of: Data(token.utf8)) != nil })
        }
    }

    @Test("Links need no token, and guessing them is limited") func guessing() async throws {
        try await withKeys {
            $0.rates.address = Rate(perSecond: 1, saved: .seconds(3))
        } _: { server, keys, _ in
            try await server.add([("ana", nil)])
            let made = try await server.send(
                "POST /v1/people/ana/shares", #"{"for_s":60}"#, token: keys.person("ana"))
            let path = String(try #require(made.body.firstMatch(of: #/"url":"([^"]+)"/#)?.1))
            #expect(try await server.send("GET \(path)", headers: Self.json).status == 200)
            var statuses: [Int] = []
            for number in 0..<4 {
                statuses.append(try await server.send("GET /s/guess\(number)", headers: Self.json).status)
            }
            #expect(statuses.first == 404 && statuses.last == 429, "\(statuses)")
        }
    }

    @Test("The address of a link is absolute for a host name") func absoluteAddress() async throws {
        try await withServer({ $0.hosts = ["cerca.example"] }) { server in
            try await server.add([("ana", nil)])
            let named = try await server.makeLink(#"{"for_s":60}"#, headers: ["host": "cerca.example"])
            #expect(named.hasPrefix("https://cerca.example/s/"))
            #expect(try await server.makeLink(#"{"for_s":60}"#).hasPrefix("/s/"))
        }
    }
}
