import Discovery
import Geo
import Model
import TestSupport
import Testing

/// The bound of a person's distance from a place where they stayed.
@Suite struct StayBoundTests {
    private func position(_ engine: TestEngine, _ second: Double) async throws -> PastPosition {
        try await engine.engine.position(
            of: id("ana"), at: morning + .milliseconds(Int64(second * 1000)), by: .service,
            now: morning + .seconds(86_400))
    }

    @Test("A stay is as uncertain as its stored position, and an inaccurate ping confirms none")
    func inaccuratePings() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            _ = try await engine.send(ping(0, valencia, accuracy: 3000), ping(600, east(20)))
            #expect(try await position(engine, 0).uncertainty == 3000.02)
            let stay = try await position(engine, 300)
            #expect(stay.basis == .seen && stay.uncertainty == 3500.02)
        }
        try await withEngine { engine in
            try await engine.add(person("ana"))
            let verdicts = try await engine.send(ping(0, valencia), ping(1200, east(20), accuracy: 4000))
            #expect(verdicts == [.stored, .throttledByDistance])
            let stay = try await position(engine, 600)
            #expect(stay.basis == .reach && stay.seenUntil == nil)
        }
    }
}
