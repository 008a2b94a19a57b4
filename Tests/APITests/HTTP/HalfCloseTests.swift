import Foundation
import Testing

/// Clients that end their side of a connection after their requests, as `nc -N` does, and still read.
@Suite(.timeLimit(.minutes(60))) struct HalfCloseTests {
    private static func request(_ line: String, _ body: String = "", accept: String = "*/*") -> String {
        let framing = body.isEmpty ? "" : "content-type: application/json\r\ncontent-length: \(body.utf8.count)\r\n"
        return "\(line) HTTP/1.1\r\nhost: localhost\r\naccept: \(accept)\r\n\(framing)\r\n\(body)"
    }

    /// Requests that are answered at once, in several parts, after a commit, in a stream, or behind others.
    private static let rows: [(requests: [String], status: String)] = {
        let query = #"{"nearest":"places","lat":39,"lon":0,"attr.a":"none"}"#
        let batch = "{\"queries\":[\(Array(repeating: query, count: 30).joined(separator: ","))]}"
        return [
            (Array(repeating: request("GET /livez"), count: 1000), "200"),
            ([request("POST /v1/query", batch)], "200"), ([request("GET /v1/places?limit=1000")], "200"),
            ((0..<5).map { request("PUT /v1/people/p\($0)", #"{"name":"Ana"}"#) }, "201"),
            ([request("POST /v1/pings", #"{"person":"p0","lat":39.5,"lon":-0.4}"#)], "200"),
            ([request("GET /v1/people/p0/history", accept: "text/csv")], "200"),
            ([request("GET /v1/places?limit=1000"), request("POST /v1/query", batch), request("GET /livez")], "200"),
        ]
    }()

    @Test("Requests before a half-close are answered") func answered() async throws {
        try await withServer { server in
            let rows = (0..<3000).map { "p\($0),topic,N,\(39 + Double($0) / 3000),0" }
            let places = (["id,kind,name,lat,lon"] + rows).joined(separator: "\n")
            #expect(try await server.send("POST /v1/imports/places", places, type: "text/csv").status == 200)
            for (requests, status) in Self.rows {
                let socket = try Socket(server)
                try await socket.sendAll(requests.joined())
                socket.endSending()
                let statuses = try await socket.receive().matches(of: #/HTTP\/1\.1 (\d+) /#).map { String($0.1) }
                #expect(statuses == Array(repeating: status, count: requests.count), "\(requests[0].prefix(100))")
            }
        }
    }
}
