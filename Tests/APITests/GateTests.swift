import API
import NIOHTTP1
import Testing

/// Who may call a server on the same machine.
@Suite struct GateTests {
    @Test func webPagesOfOthers() async throws {
        try await withServer { configuration in
            configuration.hosts = ["cerca.example"]
        } _: { server in
            let body = #"{"person":"ana","lat":1,"lon":1}"#
            for (headers, status) in [
                (["Host": "evil.example"], 421), (["Host": "evil.example:8080"], 421),
                (["Host": "127.0.0.1.evil.example"], 421),
                (["Host": "localhost"], 200), (["Host": "[::1]:8080"], 200), (["Host": "CERCA.example:1"], 200),
                (["Origin": "http://evil.example"], 403), (["Origin": "null"], 403),
                (["Origin": "http://localhost:8080"], 200),
                (["Origin": "https://cerca.example"], 200), (["content-type": "text/plain"], 415),
                (["content-type": "application/x-www-form-urlencoded"], 415),
                (["content-type": "application/JSON; charset=utf-8"], 200),
            ] {
                let reply = try await server.send("POST /v1/pings", body, headers: headers)
                #expect(reply.status == status, "\(headers)")
                #expect(reply.headers.first(name: "access-control-allow-origin") == nil)
            }
            #expect(try await server.send("POST /v1/pings", body, type: "").status == 415)
        }
    }
}
