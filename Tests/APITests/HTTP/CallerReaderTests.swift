import API
import Discovery
import NIOHTTP1
import Testing

/// Readers, who get the answers of services from all endpoints that only read.
extension CallerTableTests {
    @Test("A reader gets the answers of a service where nothing is written or secret, and changes nothing")
    func readers() async throws {
        try await withPeople { server, keys in
            let reader = ["authorization": "Bearer \(keys.reader)"]
            let service = ["authorization": "Bearer \(keys.service)"]
            for row in CallerRows.all {
                let before = server.engine.read { $0.canonicalDump }
                for (name, headers) in [("", [:]), (" as Luis", ["cerca-acting-as": "luis"])] {
                    let reply = try await send(row, server, reader.merging(headers) { $1 })
                    let request = row.request + name
                    if row.isForPhones {
                        #expect(reply.text == CallerRows.noDevice, "\(request)")
                    } else if row.isForReaders {
                        let expected = try await send(row, server, service.merging(headers) { $1 })
                        #expect(row.normalized(reply) == row.normalized(expected), "\(request)")
                    } else {
                        #expect(reply.text == CallerRows.notForReaders, "\(request)")
                        #expect(reply.headers["www-authenticate"] == [CallerRows.serviceChallenge], "\(request)")
                    }
                }
                #expect(server.engine.read { $0.canonicalDump } == before, "\(row.request)")
                // Later rows read what a service has written.
                if !row.isForReaders { _ = try await send(row, server, service) }
            }
        }
    }

    @Test("HEAD is for readers where GET is, and a ticket of a reader only reads") func otherReads() async throws {
        try await withPeople { server, keys in
            for (line, status) in [
                ("HEAD /v1/people/ana", 200), ("HEAD /v1/webhooks", 403), ("HEAD /v1/webhooks/x", 403),
                ("GET /readyz", 200),
            ] { #expect(try await server.send(line, token: keys.reader).status == status, "\(line)") }
            let made = try await server.send("POST /v1/events/tickets", token: keys.reader)
            let ticket = try #require(made.body.firstMatch(of: #/"ticket":"([^"]+)"/#)?.1)
            #expect(try await server.send("DELETE /v1/people/ana?ticket=\(ticket)").status == 401)
            let events = try await server.send("GET /v1/events?ticket=\(ticket)").text
            let expected = try await server.send("GET /v1/events", token: keys.service).text
            #expect(events == expected)
        }
    }
}

extension CallerRows {
    static let notForReaders = problem(
        403, "Forbidden", "insufficient_scope",
        "This needs a token of scope 'service'; yours is of scope 'reader', which only reads, and no secrets.")
    static let serviceChallenge = #"Bearer realm="cerca", error="insufficient_scope", scope="service""#
}

extension CallerRow {
    /// The endpoints whose method does not show whether readers may use them.
    private static let exceptions = [
        "POST /v1/query", "POST /v1/events/tickets", "GET /v1/webhooks", "GET /v1/webhooks/{id}",
        "GET /v1/webhooks/{id}/deliveries",
    ]

    /// Whether the endpoint is for readers.
    fileprivate var isForReaders: Bool {
        !isForPhones && endpoint.hasPrefix("GET ") != Self.exceptions.contains(endpoint)
    }

    /// Status, body and tag of an answer without parts that each request changes, such as metrics.
    fileprivate func normalized(_ reply: TestServer.Reply) -> [String] {
        guard endpoint != "GET /metrics" || reply.status != 200 else { return ["200"] }
        return [reply.text] + reply.headers["etag"] + reply.headers["content-type"]
    }
}
