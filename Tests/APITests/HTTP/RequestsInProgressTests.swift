import API
import Foundation
import Geo
import TestSupport
import Testing

/// Bounds on the unfinished requests of one person.
@Suite struct RequestsInProgressTests {
    private func head(_ line: String, _ token: String, _ framing: String) -> String {
        "\(line) HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer \(token)\r\ncontent-type: application/json\r\n"
            + "connection: close\r\n\(framing)\r\n\r\n"
    }

    @Test("A person may have a limited number of writes in progress, and others are unaffected")
    func writes() async throws {
        try await withKeys { configuration in
            configuration.rates.person.perSecond = 0
            configuration.limits.writes.atOnce = 40
        } _: { server, keys, _ in
            let body = #"{"name":"Ana"}"#
            let framing = "expect: 100-continue\r\ncontent-length: \(body.utf8.count)"
            let invitation = "HTTP/1.1 100 Continue\r\n\r\n"
            let sockets = try (0..<5).map { _ in try Socket(server) }
            for socket in sockets {
                try socket.send(head("PUT /v1/people/ana", keys.person("ana"), framing))
                #expect(try await socket.receive(atMost: invitation.utf8.count) == invitation)
            }
            func status(_ name: String) async throws -> Int {
                try await server.send("PUT /v1/people/\(name)", body, token: keys.person(name)).status
            }
            #expect(try await status("ana") == 429)
            #expect(try await status("luis") == 201)
            for socket in sockets {
                try socket.send(body)
                #expect(try await socket.receive().hasPrefix("HTTP/1.1 20"))
            }
            #expect(try await status("ana") == 200, "finished requests no longer count")
        }
    }

    @Test("A body in tiny chunks is charged by chunk, and refused when it owes too much") func chunks() async throws {
        try await withKeys { configuration in
            configuration.rates.person = Rate(perSecond: 0.5)
        } _: { server, keys, _ in
            let socket = try Socket(server)
            let chunks = String(repeating: "1\r\n \r\n", count: 40_000) + "0\r\n\r\n"
            // The service may hang up before all is sent.
            try? socket.send(head("POST /v1/pings", keys.person("ana"), "transfer-encoding: chunked") + chunks)
            #expect(try await socket.receive().hasPrefix("HTTP/1.1 429"))
        }
    }
}
