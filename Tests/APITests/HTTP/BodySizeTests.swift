import API
import Foundation
import Testing

/// Limits of bodies, and how far a body beyond them is read.
@Suite struct BodySizeTests {
    @Test("A batch that is too long is not read to its end") func longBatch() async throws {
        try await withServer {
            $0.limits.batch = 2
        } _: { server in
            let broken = try await server.send("POST /v1/pings", "[{},{},{}, and this is no JSON")
            #expect(
                broken.text == problem(413, "Content Too Large", "batch_too_large", "A batch may have at most 2 pings.")
            )
            let whole = try await server.send("POST /v1/pings", "[{},{}]")
            #expect(whole.status == 200)
            #expect(try await server.send("POST /v1/pings", "[{},{}").status == 400, "nothing is taken of half a list")
        }
    }

    @Test("A batch of lines has at most as many empty lines as pings") func emptyLines() async throws {
        try await withServer {
            $0.limits.batch = 2
        } _: { server in
            for (lines, status) in [("{}\n\n\r\n{}", 200), ("{}\n\n\n \n{}", 413), ("\n\n\n", 413)] {
                let reply = try await server.send("POST /v1/pings", lines, type: "application/x-ndjson")
                #expect(reply.status == status, "\(reply.text)")
                #expect(reply.body.contains("A batch may have at most 2 empty lines.") == (status == 413))
            }
        }
    }

    @Test("A body with too many values is refused before it is expanded") func manyValues() async throws {
        try await withKeys { server, keys, _ in
            let many = "{\"attributes\":{\"a\":[" + Array(repeating: "0", count: 200_000).joined(separator: ",") + "]}}"
            let reply = try await server.send("PUT /v1/people/ana", many, token: keys.person("ana"))
            #expect(
                reply.text
                    == problem(413, "Content Too Large", "body_too_large", "The text has more than 200000 values."))
        }
    }

    @Test("A ping has at most 1,000 values") func valuesOfPing() async throws {
        try await withKeys { server, keys, _ in
            try await server.send("PUT /v1/people/ana", "{}", token: keys.service)
            func ping(_ count: Int) -> String {
                let more = Array(repeating: "0", count: count).joined(separator: ",")
                return "{\"person\":\"ana\",\"lat\":1,\"lon\":1,\"more\":[\(more)]}"
            }
            // These include the object, its three other members, and the list, which is not a field of a ping.
            for (count, isRead) in [(995, true), (996, false)] {
                let bodies = [(ping(count), 400), ("[\(ping(count))]", 200), ("[\(ping(1)),\(ping(count))]", 200)]
                for (body, status) in bodies {
                    let reply = try await server.send("POST /v1/pings", body, token: keys.person("ana"))
                    #expect(reply.status == (isRead ? status : 413), "\(reply.text)")
                }
                let lines = try await server.send(
                    "POST /v1/pings", ping(count), token: keys.person("ana"), type: "application/x-ndjson")
                #expect(lines.body.contains(isRead ? "invalid:more" : "invalid:json"), "\(lines.text)")
            }
        }
    }

    @Test("A person's body has a lower limit than a service's, except for lines") func personBody() async throws {
        try await withKeys { configuration in
            configuration.limits.bodyOfPerson = 1000
        } _: { server, keys, _ in
            try await server.send("PUT /v1/people/ana", "{}", token: keys.service)
            let pings = (0..<50).map { "{\"person\":\"ana\",\"t\":\(1_700_000_000 + $0),\"lat\":1,\"lon\":1}" }
            let list = "[\(pings.joined(separator: ","))]"
            let reply = try await server.send("POST /v1/pings", list, token: keys.person("ana"))
            #expect(
                reply.text
                    == problem(413, "Content Too Large", "body_too_large", "The body may have at most 1000 bytes here.")
            )
            #expect(try await server.send("POST /v1/pings", list, token: keys.service).status == 200)
            let lines = try await server.send(
                "POST /v1/pings", pings.joined(separator: "\n"), token: keys.person("ana"),
                type: "application/x-ndjson")
            #expect(lines.status == 200)
        }
    }
}
