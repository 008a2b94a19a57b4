import API
import Discovery
import Foundation
import Model
import Synchronization
import TestSupport
import Testing

/// The service's clock is behind while the phones' clocks are right.
@Suite struct ClockBehindTests {
    private static let refused = problem(
        503, "Service Unavailable", "clock_behind",
        "The clock of the service is behind: positions in its future are not stored yet.")

    @Test("A phone must send a future position again if several people send one") func severalPhones() async throws {
        let now = Mutex(morning - .seconds(3600))
        try await withServer(now: { now.withLock { $0 } }) { server in
            let ana = try await server.phone(of: "ana", named: "Ana")
            let luis = try await server.phone(of: "luis", named: "Luis")
            func send(_ token: String, _ time: Timestamp = morning) async throws -> String {
                let seconds = time.milliseconds / 1000
                let line = "GET /ingest/osmand?token=\(token)&lat=1&lon=2&timestamp=\(seconds)"
                return try await server.send(line).text
            }
            #expect(try await send(ana) == "200 future\n", "one phone alone may be the one that is wrong")
            #expect(try await send(ana) == "200 future\n", "however often it says so")
            #expect(try await send(luis) == Self.refused)
            #expect(try await send(ana) == Self.refused)
            #expect(try await send(luis, morning - .seconds(3600)) == "200 stored\n", "what is right is stored as ever")
            #expect(try await send(ana) == "200 future\n", "one of two")
            now.withLock { $0 = morning }
            #expect(try await send(ana) == "200 stored\n")
        }
    }

    @Test("A clock behind its own past is wrong even if only one phone disagrees") func singlePhone() async throws {
        try await withServer(now: { morning - .seconds(3600) }) { server in
            let ana = try await server.phone(of: "ana", named: "Ana")
            for minute in 0...60 {
                try await server.engine.observe(clock: morning + .seconds(minute * 60), elapsed: .seconds(minute * 60))
            }
            try await server.engine.observe(clock: morning, elapsed: .seconds(3601))
            let line = "GET /ingest/osmand?token=\(ana)&lat=1&lon=2&timestamp=\(morning.milliseconds / 1000)"
            #expect(try await server.send(line).text == Self.refused)
        }
    }
}
