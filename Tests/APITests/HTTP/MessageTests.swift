import API
import Foundation
import NIOHTTP1
import TestSupport
import Testing

/// Headers of requests and answers.
@Suite struct MessageTests {
    private func request(_ line: String, _ headers: String..., body: String = "") -> String {
        let length = body.isEmpty ? [] : ["content-type: application/json", "content-length: \(body.utf8.count)"]
        let head = ["\(line) HTTP/1.1", "host: localhost"] + length + headers
        return head.joined(separator: "\r\n") + "\r\n\r\n\(body)"
    }

    private func statuses(_ answers: String) -> [String] {
        answers.matches(of: #/HTTP\/1\.1 (\d+) /#).map { String($0.1) }
    }

    @Test("A body is requested when its request is next") func expectContinue() async throws {
        let ping = #"{"person":"ana","lat":1,"lon":1}"#
        let expect = "expect: 100-continue"
        let asking = request("POST /v1/pings", expect, body: ping)
        for (requests, expected) in [
            ([asking], ["100", "200"]), ([asking, asking, asking], ["100", "200", "100", "200", "100", "200"]),
            ([request("GET /livez"), asking], ["200", "100", "200"]),
            ([request("POST /v1/pings", body: ping), asking], ["200", "100", "200"]),
            // A client that is refused for its head need not send the body.
            ([request("POST /v1/nothing", expect, body: ping)], ["404"]),
            ([request("POST /v1/pings", expect, "origin: null", body: ping)], ["403"]),
            ([request("POST /v1/pings", "content-encoding: br", expect, body: ping)], ["415"]),
        ] {
            try await withServer { server in
                try await server.add(["ana"])
                let socket = try Socket(server)
                try socket.send(requests.joined() + request("GET /livez", "connection: close"))
                let reported = statuses(try await socket.receive())
                #expect(reported == expected + ["200"], "\(requests)")
            }
        }
    }

    @Test("An answer to HEAD has a length only if it is known") func headLength() async throws {
        try await withServer { server in
            try await server.add(["ana"])
            for path in [
                "/v1/exports/people", "/v1/people/ana/export", "/v1/exports/tracks?person=ana", "/v1/people/ana",
                "/v1/places",
            ] {
                let socket = try Socket(server)
                try socket.send(request("HEAD \(path)") + request("GET /livez", "connection: close"))
                let heads = try await socket.receive().components(separatedBy: "\r\n\r\n")
                #expect(heads.count == 3 && heads[1].hasPrefix("HTTP/1.1 200"), "\(path): \(heads)")
                #expect(!heads[0].lowercased().contains("content-length: 0"), "\(path): \(heads[0])")
                let whole = try await server.send("GET \(path)", headers: ["accept-encoding": "identity"])
                let length = heads[0].lowercased().firstMatch(of: #/content-length: (\d+)/#)?.1
                #expect(length.map(String.init) == whole.headers.first(name: "content-length"), "\(path)")
            }
        }
    }

    @Test("`Vary` names Accept where it decides the format") func varyAccept() async throws {
        try await withServer { server in
            try await server.add([("ana", try place(39.47, -0.376))])
            for path in [
                "/v1/places/nearest?lat=1&lon=1", "/v1/places", "/v1/stores/nearest?lat=1&lon=1",
                "/v1/people/ana/history", "/v1/people/ana/friends/nearest", "/v1/cities?q=Valencia", "/v1/people/ana",
            ] {
                for accept in ["application/json", "application/geo+json"] {
                    let reply = try await server.send("GET \(path)", headers: ["accept": accept])
                    #expect(reply.status == 200 && reply.headers["vary"].joined() == "Accept", "\(path): \(reply)")
                }
            }
            for (path, accept) in [
                ("/v1/people/ana/history", "text/csv"), ("/v1/people/ana/history", "application/gpx+xml"),
                ("/v1/exports/people", "text/csv"), ("/v1/exports/tracks?person=ana", "application/gpx+xml"),
            ] {
                let reply = try await server.send("GET \(path)", headers: ["accept": accept])
                #expect(reply.headers["vary"].joined() == "Accept, Accept-Encoding", "\(path): \(reply.headers)")
            }
            for path in ["/livez", "/v1/people/ana/friends/requests"] {
                let reply = try await server.send("GET \(path)")
                #expect(reply.headers["vary"] == [], "\(path)")
            }
        }
    }

    @Test("`Allow` has the methods of the path") func allow() async throws {
        try await withServer { server in
            for (line, allowed) in [
                ("PUT /v1/people/ana/friends/nearest", "GET, HEAD"), ("DELETE /v1/places/nearest", "GET, HEAD"),
                ("PUT /v1/people/nearest", "GET, HEAD"),
                ("POST /v1/people/ana/friends/luis", "DELETE, PUT"), ("DELETE /v1/pings", "POST"),
                ("POST /v1/places/sol", "DELETE, GET, HEAD, PATCH, PUT"),
                ("POST /v1/people/ana/friends", "GET, HEAD"),
            ] {
                let reply = try await server.send(line)
                #expect(reply.status == 405 && reply.headers["allow"].joined() == allowed, "\(line): \(reply.headers)")
            }
        }
    }

    @Test("A compressed body is refused where it is not supported") func compressedBody() async throws {
        try await withServer { server in
            try await server.add(["ana"])
            for (line, type, body) in [
                ("POST /v1/pings", "application/json", "[]"), ("PUT /v1/people/ana", "application/json", "{}"),
                ("PATCH /v1/people/ana", "application/merge-patch+json", "{}"),
                ("POST /v1/query", "application/json", #"{"queries":[]}"#),
            ] {
                for coding in ["gzip", "GZIP", "br", "gzip, identity"] {
                    let reply = try await server.send(line, body, type: type, headers: ["content-encoding": coding])
                    #expect(reply.status == 415, "\(line): \(reply.body)")
                    #expect(reply.headers.first(name: "accept-encoding") == "identity", "\(line)")
                }
                let plain = try await server.send(line, body, type: type, headers: ["content-encoding": "identity"])
                #expect(plain.status < 300, "\(line): \(plain.body)")
            }
        }
    }
}
