import API
import NIOHTTP1
import TestSupport
import Testing

@Suite struct RequestIdTests {
    /// The header of an answer in lower case.
    static var header: Regex<(Substring, Substring)> { #/x-request-id: ([0-9a-f]{32})\r\n/# }

    @Test("An id has 32 hexadecimal digits, including leading zeros") func idsHaveOneLength() {
        #expect(RequestID.text(0, 0) == String(repeating: "0", count: 32))
        #expect(RequestID.text(0x1, 0xf0) == "000000000000000100000000000000f0")
        #expect(RequestID.text(.max, 0x0123_4567_89ab_cdef) == "ffffffffffffffff0123456789abcdef")
        let ids = Set((0..<1000).map { _ in RequestID.next() })
        #expect(ids.count == 1000 && ids.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{32}/) != nil })
    }

    @Test("Ids do not reveal the number of requests between them") func distances() throws {
        let halves = try (0..<50).map { _ in
            let id = RequestID.next()
            return (try #require(UInt64(id.prefix(16), radix: 16)), try #require(UInt64(id.suffix(16), radix: 16)))
        }
        for (id, next) in zip(halves, halves.dropFirst()) {
            for difference in [next.0 &- id.0, next.1 &- id.1] {
                #expect(min(difference, 0 &- difference) > 1 << 32, "\(id) \(next)")
            }
        }
    }

    @Test("Each answer has the id of its request, and so has its problem") func answersHaveTheirIds() async throws {
        try await withServer { server in
            var ids: Set<String> = []
            let rows: [(String, [String: String], Int)] = [
                ("GET /livez", [:], 200), ("GET /v1/people/ana", [:], 404), ("GET /nothing", [:], 404),
                ("PUT /livez", [:], 405), ("OPTIONS /livez", [:], 204), ("HEAD /v1/people/ana", [:], 404),
                ("GET /v1/places/nearest?lat=91", [:], 400), ("GET /v1/places", ["Host": "evil.example"], 421),
            ]
            for (line, headers, status) in rows {
                let reply = try await server.send(line, headers: headers)
                #expect(reply.status == status, "\(line)")
                let id = try #require(reply.headers["x-request-id"].first)
                #expect(id.wholeMatch(of: /[0-9a-f]{32}/) != nil && ids.insert(id).inserted, "\(line): \(id)")
                #expect(reply.body.isEmpty || reply.status < 400 || reply.body.contains("urn:cerca:request:\(id)"))
            }
        }
    }
}
