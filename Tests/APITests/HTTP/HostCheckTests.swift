import API
import Discovery
import Foundation
import NIOHTTP1
import Testing

/// Callers that a server without keys accepts on the same machine.
@Suite struct HostCheckTests {
    private static let body = #"{"person":"ana","lat":1,"lon":1}"#

    private func withNames(_ body: (TestServer, _ port: Int) async throws -> Void) async throws {
        try await withServer { configuration in
            configuration.hosts = ["cerca.example"]
        } _: { server in
            try await server.add(["ana"])
            try await body(server, try #require(URL(string: server.base)?.port))
        }
    }

    private func status(_ headers: [String: String], of server: TestServer) async throws -> Int {
        let reply = try await server.send("POST /v1/pings", Self.body, headers: headers)
        #expect(reply.headers.first(name: "access-control-allow-origin") == nil)
        return reply.status
    }

    @Test("Only requests with a known host name are answered") func hostNames() async throws {
        try await withNames { server, _ in
            for (headers, expected) in [
                (["Host": "evil.example"], 421), (["Host": "evil.example:8080"], 421),
                (["Host": "127.0.0.1.evil.example"], 421), (["Host": "localhost:8080, evil.example"], 421),
                (["Host": "[::1].evil.example"], 421), (["Host": "[::1]x:8080"], 421), (["Host": "[::1"], 421),
                (["Host": "localhost:80x"], 421), (["Host": "localhost:+80"], 421), (["Host": "localhost:99999"], 421),
                (["Host": "localhost:80:80"], 421), (["Host": "evil@localhost"], 421),
                (["Host": "localhost"], 200), (["Host": "[::1]:8080"], 200), (["Host": "[::1]"], 200),
                (["Host": "CERCA.example:1"], 200), (["content-type": "text/plain"], 415),
                (["content-type": "application/x-www-form-urlencoded"], 415),
                (["content-type": "application/JSON; charset=utf-8"], 200),
            ] {
                let reported = try await status(headers, of: server)
                #expect(reported == expected, "\(headers)")
            }
            #expect(try await server.send("POST /v1/pings", Self.body, type: "").status == 415)
        }
    }

    @Test("Only /livez and /readyz are reachable by any address, for probes") func probesComeByAddress() async throws {
        try await withNames { server, _ in
            for host in ["10.42.0.7:8080", "[fd00::7]:8080", "pod-7.internal", "evil.example", "localhost:80:80"] {
                for path in ["/livez", "/readyz", "/readyz?x=1"] {
                    let status = try await server.send("GET \(path)", headers: ["Host": host]).status
                    #expect(status == (path.contains("?") ? 400 : 200), "\(path) at \(host)")
                    #expect(try await server.send("HEAD \(path)", headers: ["Host": host]).status == status)
                }
                for path in ["/livez/", "/livez/x", "/metrics", "/", "/v1/people/ana"] {
                    let reply = try await server.send("GET \(path)", headers: ["Host": host])
                    #expect(reply.status == 421, "\(path) at \(host)")
                }
                let page = ["Host": host, "Origin": "http://\(host)"]
                #expect(try await server.send("GET /readyz", headers: page).status == 403, "no page of that name")
            }
        }
    }

    @Test("A request with two hosts is refused", arguments: ["localhost", "evil.example"])
    func singleHost(second: String) async throws {
        try await withServer { server in
            let socket = try Socket(server)
            try socket.send("GET /livez HTTP/1.1\r\nhost: localhost\r\nHost: \(second)\r\nconnection: close\r\n\r\n")
            let answer = try await socket.receive()
            #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.contains(#""code":"malformed_request""#))
        }
    }

    @Test("Pages of another scheme, name, or port are refused") func foreignOrigins() async throws {
        try await withNames { server, port in
            for (origin, expected) in [
                ("http://localhost:\(port)", 200), ("http://127.0.0.1:\(port)", 200), ("http://[::1]:\(port)", 200),
                ("http://cerca.example:\(port)", 200), ("https://cerca.example", 200), ("http://cerca.example", 200),
                ("https://cerca.example:\(port)", 200), ("https://cerca.example:443", 200),
                ("http://localhost:3000", 403), ("https://127.0.0.1:9999", 403), ("http://[::1]:1", 403),
                ("http://localhost", 403), ("https://localhost:\(port)", 403), ("ftp://localhost:\(port)", 403),
                ("http://cerca.example:3000", 403), ("https://cerca.example:80", 403), ("http://evil.example", 403),
                ("http://evil.example:\(port)", 403), ("http://localhost:\(port)/", 403),
                ("http://localhost:\(port)@evil", 403), ("http://localhost:\(port), http://localhost:\(port)", 403),
                ("null", 403), ("", 403), ("localhost:\(port)", 403),
            ] {
                let reported = try await status(["Origin": origin], of: server)
                #expect(reported == expected, "\(origin)")
            }
            // By a known name, perhaps through a proxy in front of the server.
            for (host, origin, expected) in [
                ("cerca.example", "https://cerca.example", 200), ("cerca.example", "https://cerca.example:3000", 403),
                ("cerca.example:8443", "https://cerca.example:8443", 200),
                ("localhost:9000", "http://localhost:9000", 200), ("localhost:9000", "http://localhost:\(port)", 403),
                ("localhost", "http://localhost", 200), ("localhost", "https://localhost", 403),
            ] {
                let headers = ["Host": host, "Origin": origin]
                let reported = try await status(headers, of: server)
                #expect(reported == expected, "\(headers)")
            }
        }
    }

    /// Requests without a body are refused for other pages too.
    @Test("A page of another port cannot replace the token of a phone") func foreignPort() async throws {
        try await withNames { server, port in
            try await server.add(["ana"])
            #expect(try await server.send("POST /v1/people/ana/devices", #"{"id":"phone"}"#).status == 201)
            let account = server.engine.read { $0.canonicalDump }
            for headers in [
                ["Origin": "http://localhost:3000"], ["Origin": "null"], ["Sec-Fetch-Site": "same-site"],
                ["Sec-Fetch-Site": "cross-site"],
                ["Origin": "http://127.0.0.1:\(port)", "Sec-Fetch-Site": "cross-site"],
            ] {
                let reply = try await server.send("POST /v1/people/ana/devices/phone/rotate", headers: headers)
                #expect(reply.status == 403 && reply.body.contains(#""code":"foreign_origin""#), "\(headers)")
            }
            #expect(server.engine.read { $0.canonicalDump } == account)
            for headers in [
                [:], ["Sec-Fetch-Site": "none"],
                ["Origin": "http://127.0.0.1:\(port)", "Sec-Fetch-Site": "same-origin"],
            ] {
                let reply = try await server.send("POST /v1/people/ana/devices/phone/rotate", headers: headers)
                #expect(reply.status == 200, "\(headers)")
            }
            // Following a link only reads.
            #expect(try await server.send("GET /livez", headers: ["Sec-Fetch-Site": "cross-site"]).status == 200)
        }
    }

    /// A browser may add a password that it knows, and sends no `Origin` with an image or a script.
    @Test("Pages of other sites read nothing, except links that are followed and images of the map") func foreignReads()
        async throws
    {
        try await withNames { server, _ in
            try await server.add(["ana"])
            for site in ["cross-site", "same-site"] {
                for mode in ["no-cors", "cors"] {
                    let headers = ["Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode]
                    let reply = try await server.send("GET /v1/people/ana", headers: headers)
                    #expect(reply.status == 403 && reply.body.contains(#""code":"foreign_origin""#), "\(headers)")
                    #expect(try await server.send("GET /tiles/base/0/0/0", headers: headers).status != 403)
                }
                let link = ["Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate"]
                #expect(try await server.send("GET /v1/people/ana", headers: link).status == 200)
            }
            let own = ["Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors"]
            #expect(try await server.send("GET /v1/people/ana", headers: own).status == 200)
        }
    }

    /// Browsers and curl remove `..` and the segment before it.
    @Test("A path from which a client removed an id changes nothing") func emptySegments() async throws {
        try await withNames { server, _ in
            try await server.add(["ana"])
            for id in [".", ".."] {
                let reply = try await server.send("POST /v1/people/ana/devices", #"{"id":"\#(id)"}"#)
                #expect(reply.status == 422 || reply.status == 400, "\(reply.text)")
                #expect(reply.body.contains("clients remove"), "\(reply.text)")
            }
            let account = server.engine.read { $0.canonicalDump }
            for path in ["/v1/people/ana/", "/v1//people/ana", "//v1/people/ana", "/v1/people/ana//"] {
                for method in ["DELETE", "PUT", "PATCH"] {
                    let reply = try await server.send("\(method) \(path)", method == "DELETE" ? nil : "{}")
                    #expect(reply.status == 404, "\(method) \(path): \(reply.text)")
                }
            }
            #expect(server.engine.read { $0.canonicalDump } == account)
            #expect(try await server.send("GET /v1/people/ana/").status == 200)
            #expect(try await server.send("DELETE /v1/people/ana").status == 204)
        }
    }
}
