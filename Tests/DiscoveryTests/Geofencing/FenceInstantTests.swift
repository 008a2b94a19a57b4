import Discovery
import Model
import Storage
import TestSupport
import Testing

/// Fences at the exact instants of a dwell and of their end.
@Suite struct FenceInstantTests {
    /// The events of a circle while Ana's phone reports its center at the given seconds.
    private func reported(
        at seconds: [Double], _ change: (inout Fence) -> Void
    ) async throws -> [EventType] {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            var fence = Fence(id: id("f"), .circle(valencia, metres: 200), watching: .people([id("ana")]))
            change(&fence)
            try await engine.perform(PutFence(Write(fence)))
            for second in seconds { _ = try await engine.send(ping(second, valencia)) }
            return try await engine.store.events(after: 0, atMost: 100).map(\.payload.type)
        }
    }

    @Test("A stay of exactly the dwell time is reported", arguments: [(299.0, 0), (300, 1)])
    func dwell(second: Double, count: Int) async throws {
        let reported = try await reported(at: [0, second]) { ($0.passages, $0.dwell) = ([.dwell], .seconds(300)) }
        #expect(reported.count { $0 == .fenceDwell } == count)
    }

    @Test("A fence is over at its end time", arguments: [(49.0, 1), (50, 0)])
    func ends(second: Double, count: Int) async throws {
        let reported = try await reported(at: [second]) { $0.ends = morning + .seconds(50) }
        #expect(reported.count { $0 == .fenceEnter } == count)
    }
}
