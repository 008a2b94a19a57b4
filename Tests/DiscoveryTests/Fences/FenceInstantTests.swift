import Discovery
import Model
import Storage
import TestSupport
import Testing

/// Fences at the very instants from which on something is so.
@Suite struct FenceInstantTests {
    /// What is told of a circle about the middle of Valencia when Ana's phone sends that she is there at such seconds.
    private func told(
        at seconds: [Double], _ change: (inout Fence) -> Void
    ) async throws -> [EventType] {
        try await withLive { live in
            try await live.add(person("ana"))
            var fence = Fence(id: id("f"), .circle(valencia, metres: 200), watching: .people([id("ana")]))
            change(&fence)
            try await live.perform(PutFence(Write(fence)))
            for second in seconds { _ = try await live.send(ping(second, valencia)) }
            return try await live.store.events(after: 0, atMost: 100).map(\.fact.type)
        }
    }

    @Test(arguments: [(299.0, 0), (300, 1)]) func whoHasStayedForJustSoLongIsTold(second: Double, count: Int)
        async throws
    {
        let told = try await told(at: [0, second]) { ($0.passages, $0.dwell) = ([.dwell], .seconds(300)) }
        #expect(told.count { $0 == .fenceDwell } == count)
    }

    @Test(arguments: [(49.0, 1), (50, 0)]) func atItsEndAFenceHasEnded(second: Double, count: Int) async throws {
        let told = try await told(at: [second]) { $0.ends = morning + .seconds(50) }
        #expect(told.count { $0 == .fenceEnter } == count)
    }
}
