import Discovery
import Geo
import Model
import TestSupport
import Testing

/// Histories that are longer than one part of an answer.
extension TestServer {
    /// Requests a person's history in a format, or in the service's preferred one if `accept` is empty.
    func history(
        _ accept: String, _ query: String, of person: String = "ana&%3Cco%3E"
    ) async throws -> TestServer.Reply {
        try await send(
            "GET /v1/people/\(person)/history\(query)", headers: accept.isEmpty ? [:] : ["accept": accept])
    }

    /// Adds a walk to and fro across the Greenwich meridian, half of it compacted.
    func addLongWalk(_ count: Int) async throws -> Int {
        try await add([("ana", nil)])
        let ana = try PersonID("ana")
        let start = morning - .seconds(Int64(count) * 120 + 1000)
        let reports = try (0..<count).map { index in
            let wave = Double(index % 400 - 200).magnitude
            return PingReport(
                person: ana, time: start + .seconds(Int64(index) * 120),
                place: try place(Double(index) * 0.005 - 40 + (index.isMultiple(of: 3) ? 0.0005 : 0), wave * 0.01 - 1))
        }
        for half in [reports[..<(count / 2)], reports[(count / 2)...]] {
            let recorded = try await engine.perform(Record(Array(half)), by: .service, at: morning)
            #expect(recorded.verdicts.allSatisfy { $0 == .stored })
            if half.startIndex == 0 { try await engine.compact() }
        }
        return count
    }
}
