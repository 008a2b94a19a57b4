import Discovery
import Geo
import Model
import TestSupport
import Testing

/// Links end when they show that the person has arrived.
@Suite struct ArrivalTests {
    private let ana: PersonID = id("ana")

    /// Whether Ana's link, which ends within some meters of the center of Valencia, is open after each of her positions,
    /// given in meters east of the center, 15 minutes apart, with `start` before the link is opened.
    private func isOpen(
        _ precision: Precision, within metres: Double = 100, from start: Double? = nil, at places: [Double],
        _ change: @escaping @Sendable (Timestamp, inout Person) -> Void
    ) async throws -> [Bool] {
        var open: [Bool] = []
        try await withEngine { engine in
            var share = Share(
                id: id("s"), token: TokenHash(repeatElement(1, count: 32)), precision, since: morning,
                until: morning + .seconds(86_400))
            share.arrival = Share.Arrival(id("sol"), at: valencia, within: metres)
            try await engine.add(person("ana"))
            if let start { _ = try await engine.send(ping(-900, east(start)), at: morning) }
            try await engine.perform(OpenShare(share, of: ana))
            for (step, metres) in places.enumerated() {
                let seconds = 900 * step
                let now = morning + .seconds(Int64(seconds))
                try await engine.perform(PutPeople([Write(person("ana") { change(now, &$0) })]), at: now)
                _ = try await engine.send(ping(Double(seconds), east(metres)), at: now)
                open.append(ShareReader(share.token, of: engine.engine, at: now) != nil)
            }
        }
        return open
    }

    @Test("A link that shows cells ends in the cell of the destination or next to it")
    func adjacentCell() async throws {
        let open = try await isOpen(.approximate, at: [9000, 6000, 1100, 0]) { _, _ in }
        #expect(open == [true, true, false, false])
        // The person's sharing limits the precision of the link.
        let coarse = try await isOpen(.exact, at: [9000, 6000, 1100, 0]) { $1.sharing = Sharing(.approximate) }
        #expect(coarse == open)
        // Without a change of cells nothing is shown.
        #expect(try await isOpen(.approximate, from: 60, at: [40, 20, 0]) { _, _ in } == [true, true, true])
    }

    @Test("A destination in a privacy zone is reached at the border of the zone")
    func destinationInZone() async throws {
        let zone = PrivacyZone(id: id("home"), centre: east(-700), radius: 900)
        let open = try await isOpen(.exact, at: [3000, 600, 0]) { $1.sharing.zones = [zone] }
        #expect(open == [true, true, false])
        let deep = try await isOpen(.exact, at: [3000, 600, -800]) { $1.sharing.zones = [zone] }
        #expect(deep == [true, true, false], "wherever in it")
    }

    @Test("A destination outside a privacy zone is not reached within the zone")
    func destinationOutsideZone() async throws {
        let zone = PrivacyZone(id: id("home"), centre: east(3000), radius: 900)
        #expect(try await isOpen(.exact, at: [6000, 3000, 90]) { $1.sharing.zones = [zone] } == [true, true, false])
        let beside = PrivacyZone(id: id("home"), centre: east(-1500), radius: 600)
        let open = try await isOpen(.exact, within: 2000, at: [5000, -1500, 5000, 1500]) { $1.sharing.zones = [beside] }
        #expect(open == [true, true, true, false])
    }

    @Test("A link does not end while it shows no arrival") func hiddenArrival() async throws {
        let open = try await isOpen(.exact, at: [3000, 0, 5000, 0]) { now, ana in
            ana.sharing.pausedUntil = now < morning + .seconds(1800) ? morning + .seconds(1700) : nil
        }
        #expect(open == [true, true, true, false])
        #expect(try await isOpen(.city, at: [3000, 0]) { _, _ in } == [true, true])
    }
}
