import API
import AsyncHTTPClient
import Discovery
import Foundation
import NIOHTTP1
import Testing

/// Cross-origin requests by pages (CORS).
@Suite struct OriginTests {
    private static let page = "https://app.example"

    private func withPages(_ body: (TestServer) async throws -> Void) async throws {
        let origins = try AllowedOrigins("\(Self.page), HTTP://LocalHost:3000 , https://other.example:443")
        try await withServer {
            $0.origins = origins
        } _: { server in
            try await body(server)
        }
    }

    private func list(_ reply: TestServer.Reply, _ name: String) -> Set<String> {
        Set(
            (reply.headers.first(name: name) ?? "").lowercased().split(separator: ",").map { $0.trimmingPrefix(" ") }
                .map(String.init))
    }

    @Test("A preflight of an allowed page lists methods and headers") func preflight() async throws {
        try await withPages { server in
            let asked = [
                "origin": Self.page, "access-control-request-method": "PUT", "sec-fetch-site": "cross-site",
                "access-control-request-headers": "authorization,content-type,if-match",
            ]
            let reply = try await server.send("OPTIONS /v1/people/ana", headers: asked)
            #expect(reply.status == 204 && reply.body.isEmpty)
            #expect(reply.headers["access-control-allow-origin"] == [Self.page])
            #expect(list(reply, "access-control-allow-methods") == ["delete", "get", "head", "patch", "put"])
            #expect(
                list(reply, "access-control-allow-headers").isSuperset(of: [
                    "authorization", "content-type", "if-match", "if-none-match", "idempotency-key", "cerca-acting-as",
                ]))
            #expect(reply.headers["access-control-max-age"] == ["7200"])
            #expect(list(reply, "vary").contains("origin"))
            #expect(try await server.send("OPTIONS /v1/nothing", headers: asked).status == 404)
        }
    }

    @Test(
        "The headers that readers of streams send pass a preflight",
        arguments: [
            "authorization,last-event-id", "last-event-id", "cache-control,last-event-id", "cache-control",
            "x-requested-with", "cache-control,x-requested-with,last-event-id", "content-type,last-event-id",
            "idempotency-key", "if-none-match", "traceparent", "cerca-acting-as,last-event-id",
        ]) func readersOfStreams(_ fields: String) async throws
    {
        try await withPages { server in
            for path in ["/v1/events", "/v1/places"] {
                let reply = try await server.send(
                    "OPTIONS \(path)",
                    headers: [
                        "origin": Self.page, "access-control-request-method": "GET",
                        "access-control-request-headers": fields,
                    ])
                let asked = Set(fields.split(separator: ",").map(String.init))
                #expect(reply.status == 204 && list(reply, "access-control-allow-headers").isSuperset(of: asked))
            }
        }
    }

    @Test("An allowed page writes, and reads answers and problems") func allowedPage() async throws {
        try await withPages { server in
            for origin in [Self.page, "http://localhost:3000", "https://other.example"] {
                let headers = ["origin": origin, "sec-fetch-site": "cross-site"]
                for (line, body, status) in [
                    ("PUT /v1/people/ana", #"{"name":"Ana"}"#, 200...201), ("GET /v1/people/ana", nil, 200...200),
                    ("GET /v1/people/nobody", nil, 404...404), ("GET /v1/places/nearest?lng=1", nil, 400...400),
                    ("GET /v1/exports/people", nil, 200...200),
                ] {
                    let reply = try await server.send(line, body, headers: headers)
                    #expect(status.contains(reply.status), "\(line): \(reply.text)")
                    #expect(reply.headers["access-control-allow-origin"] == [origin], "\(line)")
                    #expect(list(reply, "access-control-expose-headers").isSuperset(of: ["etag", "link", "location"]))
                    #expect(list(reply, "vary").contains("origin"), "\(line)")
                }
            }
        }
    }

    @Test("An allowed page can read an overload error") func overload() async throws {
        let origins = try AllowedOrigins(Self.page)
        try await withServer {
            $0.origins = origins
            $0.limits.waitingAtLoop = 0
        } _: { server in
            let reply = try await server.send("GET /v1/places?limit=1", headers: ["origin": Self.page])
            #expect(reply.status == 503 && reply.headers["access-control-allow-origin"] == [Self.page])
            #expect(list(reply, "access-control-expose-headers").contains("retry-after"))
            #expect(list(reply, "vary").contains("origin"))
            let other = try await server.send("GET /v1/places?limit=1", headers: ["origin": "https://evil.example"])
            #expect(other.status == 503 && other.headers["access-control-allow-origin"].isEmpty)
        }
    }

    @Test("No other page can call") func foreignPages() async throws {
        try await withPages { server in
            for origin in [
                "http://app.example", "https://app.example:8443", "https://evil.example", "https://app.example.evil",
                "null",
                "http://localhost:3001", "https://APP.example/",
            ] {
                for line in ["OPTIONS /v1/people/ana", "GET /livez", "DELETE /v1/people/ana"] {
                    let reply = try await server.send(
                        line, headers: ["origin": origin, "access-control-request-method": "DELETE"])
                    #expect(
                        reply.status == 403 && reply.body.contains(#""code":"foreign_origin""#), "\(line) \(origin)")
                    #expect(reply.headers["access-control-allow-origin"].isEmpty, "\(line) \(origin)")
                }
            }
            // Another site that a browser reports without an origin, and a request without a page.
            #expect(
                try await server.send("DELETE /v1/people/x", headers: ["sec-fetch-site": "cross-site"]).status == 403)
            let own = try await server.send("GET /livez")
            #expect(own.headers["access-control-allow-origin"].isEmpty && list(own, "vary").contains("origin"))
        }
    }

    /// A page sends its token itself, so credentials that the browser keeps are never used.
    @Test("No page can send credentials that the browser keeps") func browserCredentials() async throws {
        try await withPages { server in
            for line in ["OPTIONS /v1/people/ana", "GET /livez"] {
                let reply = try await server.send(
                    line, headers: ["origin": Self.page, "access-control-request-method": "GET"])
                #expect(reply.headers["access-control-allow-credentials"].isEmpty)
                #expect(reply.headers["access-control-allow-origin"] == [Self.page])
            }
        }
    }

    @Test("Without allowed origins answers have no headers for them") func withoutOrigins() async throws {
        try await withServer { server in
            let reply = try await server.send("GET /livez")
            #expect(!reply.headers.contains { $0.name.lowercased().hasPrefix("access-control") })
            #expect(reply.headers["vary"].isEmpty)
        }
    }

    @Test(
        "Invalid origins are refused",
        arguments: [
            "*", "app.example", "https://", "https://app.example/", "https://app.example/app", "ftp://app.example",
            "https://*.example", "null", "https://user@app.example", "https://app.example:port",
        ])
    func invalidOrigins(text: String) {
        let error = #expect(throws: AllowedOriginsError.self) { try AllowedOrigins("https://app.example, \(text)") }
        #expect(error?.entry == text)
    }

    @Test("OPTIONS returns the methods of a path") func options() async throws {
        try await withServer { server in
            for (path, methods) in [
                ("/v1/places/nearest", "GET, HEAD"), ("/v1/people/ana", "DELETE, GET, HEAD, PATCH, PUT"),
                ("/v1/pings", "POST"), ("/page/main.js", "GET, HEAD"),
                ("/client.js", "GET, HEAD"),
            ] {
                let reply = try await server.send("OPTIONS \(path)")
                #expect(reply.status == 204 && reply.body.isEmpty, "\(path)")
                #expect(reply.headers["allow"] == [methods], "\(path)")
            }
            #expect(try await server.send("OPTIONS /v1/nothing").status == 404)
        }
    }

    @Test("The answer to a POST has the location of what it made") func locations() async throws {
        try await withServer { server in
            try await server.add(["ana"])
            #expect(try await server.send("PUT /v1/places/a%2Fb", #"{"kind":"bar","name":"B"}"#).status == 201)
            for (path, body, address) in [
                (
                    "/v1/places/a%2Fb/comments", #"{"author":"ana","text":"Good."}"#,
                    #/\/v1\/places\/a%2Fb\/comments\/[-\w]{22}/#
                ),
                ("/v1/groups", #"{"name":"Us","owner":"ana"}"#, #/\/v1\/groups\/[-\w]{22}/#),
            ] as [(String, String, Regex<Substring>)] {
                let reply = try await server.send("POST \(path)", body)
                let location = try #require(reply.headers["location"].first, "\(path): \(reply.text)")
                #expect(reply.status == 201 && location.wholeMatch(of: address) != nil, "\(location)")
                #expect(try await server.send("GET \(location)").status == 200, "\(location)")
            }
            let device = try await server.send("POST /v1/people/ana/devices", #"{"id":"my/phone"}"#)
            #expect(device.headers["location"] == ["/v1/people/ana/devices/my%2Fphone"])
            #expect(try await server.send("DELETE /v1/people/ana/devices/my%2Fphone").status == 204)
        }
    }
}
