import Foundation
import Testing

/// Texts whose comparison would take time quadratic in their length.
@Suite(.timeLimit(.minutes(60))) struct CombiningMarkTests {
    static let tooMany = marks(31)
    private static let most = marks(30)

    private static func marks(_ count: Int) -> String {
        String(String.UnicodeScalarView((0..<count).map { $0.isMultiple(of: 2) ? "\u{315}" : "\u{300}" }))
    }

    static func encoded(_ text: String) -> String { text.utf8.map { String(format: "%%%02X", $0) }.joined() }

    @Test("Names and values with more than 30 combining marks in a row are refused in every format") func formats()
        async throws
    {
        try await withServer { server in
            try await server.add(["ana"])
            for (line, body, type) in [
                ("PATCH /v1/people/ana", #"{"attributes":{"a":"x@"}}"#, "application/json"),
                ("PATCH /v1/people/ana", #"{"attributes":{"x@":"a"}}"#, "application/json"),
                ("POST /v1/query", #"{"queries":[{"list":"places","q":"x@"}]}"#, "application/json"),
                ("POST /v1/imports/places", "id,kind,name\np,shop,x@\n", "text/csv"),
            ] {
                let refused = try await server.send(line, body.replacing("@", with: Self.tooMany), type: type)
                #expect(refused.body.contains("more than 30 combining marks in a row"), "\(line): \(refused.text)")
                let read = try await server.send(line, body.replacing("@", with: Self.most), type: type)
                #expect(!read.body.contains("combining"), "\(line): \(read.text)")
            }
        }
    }

    @Test("A client with 30 marks in a header is served, and one with more is not") func headers() async throws {
        try await withServer { server in
            for (marks, status) in [(Self.most, "200"), (Self.tooMany, "400")] {
                let socket = try Socket(server)
                try socket.send(
                    "GET /livez HTTP/1.1\r\nhost: localhost\r\nx-limit-u: e\(marks)\r\nconnection: close\r\n\r\n")
                #expect(try await socket.receive().hasPrefix("HTTP/1.1 \(status) "))
            }
        }
    }
}
