import Discovery
import Geo
import Model
import TestSupport
import Testing

/// Links end where they show that somebody has come.
@Suite struct ArrivalTests {
    private let ana: PersonID = id("ana")

    /// Whether a link of Ana's at a precision, to so near the middle of Valencia, is open after each of her positions: so many
    /// metres east of it, a quarter of an hour apart, the start before there is the link.
    private func isOpen(
        _ precision: Precision, within metres: Double = 100, from start: Double? = nil, at places: [Double],
        _ change: @escaping @Sendable (Timestamp, inout Person) -> Void
    ) async throws -> [Bool] {
        var open: [Bool] = []
        try await withLive { live in
            var share = Share(
                id: id("s"), token: TokenHash(repeatElement(1, count: 32)), precision, since: morning,
                until: morning + .seconds(86_400))
            share.arrival = Share.Arrival(id("sol"), at: valencia, within: metres)
            try await live.add(person("ana"))
            if let start { _ = try await live.send(ping(-900, east(start)), at: morning) }
            try await live.perform(OpenShare(share, of: ana))
            for (step, metres) in places.enumerated() {
                let seconds = 900 * step
                let now = morning + .seconds(Int64(seconds))
                try await live.perform(PutPeople([Write(person("ana") { change(now, &$0) })]), at: now)
                _ = try await live.send(ping(Double(seconds), east(metres)), at: now)
                open.append(ShareReader(share.token, of: live.live, at: now) != nil)
            }
        }
        return open
    }

    @Test func aLinkToACellEndsWithTheCellOfThePlaceOrOneBesideIt() async throws {
        let open = try await isOpen(.approximate, at: [9000, 6000, 1100, 0]) { _, _ in }
        #expect(open == [true, true, false, false])
        // Who shares no more is shown no more, whatever the link says.
        let coarse = try await isOpen(.exact, at: [9000, 6000, 1100, 0]) { $1.sharing = Sharing(.approximate) }
        #expect(coarse == open)
        // Without a change of cells nothing is told.
        #expect(try await isOpen(.approximate, from: 60, at: [40, 20, 0]) { _, _ in } == [true, true, true])
    }

    @Test func aPlaceInAZoneIsReachedAtItsBorder() async throws {
        let zone = PrivacyZone(id: id("home"), centre: east(-700), radius: 900)
        let open = try await isOpen(.exact, at: [3000, 600, 0]) { $1.sharing.zones = [zone] }
        #expect(open == [true, true, false])
        let deep = try await isOpen(.exact, at: [3000, 600, -800]) { $1.sharing.zones = [zone] }
        #expect(deep == [true, true, false], "wherever in it")
    }

    @Test func aPlaceOutsideOfAZoneIsNotReachedInIt() async throws {
        let zone = PrivacyZone(id: id("home"), centre: east(3000), radius: 900)
        #expect(try await isOpen(.exact, at: [6000, 3000, 90]) { $1.sharing.zones = [zone] } == [true, true, false])
        let beside = PrivacyZone(id: id("home"), centre: east(-1500), radius: 600)
        let open = try await isOpen(.exact, within: 2000, at: [5000, -1500, 5000, 1500]) { $1.sharing.zones = [beside] }
        #expect(open == [true, true, true, false])
    }

    @Test func nothingEndsWhileNothingIsShown() async throws {
        let open = try await isOpen(.exact, at: [3000, 0, 5000, 0]) { now, ana in
            ana.sharing.pausedUntil = now < morning + .seconds(1800) ? morning + .seconds(1700) : nil
        }
        #expect(open == [true, true, true, false])
        #expect(try await isOpen(.city, at: [3000, 0]) { _, _ in } == [true, true])
    }
}
