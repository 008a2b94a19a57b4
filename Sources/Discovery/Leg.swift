internal import Geo
internal import Storage

/// What is known of a person from one stored position until the next one.
///
/// Until ``lastSeen`` they were near the first one, as throttled pings tell; then they went, as far as anybody knows in a
/// straight line and at an even speed, to the next.
struct Leg: Sendable {
    let start: StoredPing
    /// The next stored position; nil when there is none, or none that may be known.
    let end: StoredPing?
    /// The last time at which the person is known to have been near the start.
    let lastSeen: Timestamp
    /// The rules for this person.
    let rules: PingRules
    /// The geodesic to the end: its length in metres, and its direction.
    let length: Double
    private let bearing: Double

    /// The leg between two stored positions; of what happened from the horizon on nothing may be known.
    init(from start: StoredPing, to end: StoredPing?, rules: PingRules, horizon: Timestamp? = nil) {
        self.start = start
        self.rules = rules
        let end = end.flatMap { end in horizon.map { end.time < $0 } ?? true ? end : nil }
        self.end = end
        let seen = start.seenUntil ?? start.time
        lastSeen = max(start.time, [seen, end?.time, horizon].compactMap(\.self).min() ?? seen)
        length = end.map { Geodesic.distance(from: start.place, to: $0.place) } ?? 0
        bearing = end.map { Geodesic.bearing(from: start.place, to: $0.place) } ?? 0
    }

    /// How far along the geodesic the person was at an instant, in metres; beyond the end of what is known, at the start.
    private func along(at time: Timestamp) -> Double {
        guard let end, time > lastSeen else { return 0 }
        return length * min(1, (time - lastSeen).seconds / (end.time - lastSeen).seconds)
    }

    /// Where the person was at an instant of the leg.
    func place(at time: Timestamp) -> Coordinate {
        let along = along(at: time)
        if along == 0 { return start.place }
        if let end, along == length { return end.place }
        return Geodesic.destination(from: start.place, bearing: bearing, metres: along)
    }

    /// How far the person can have been from ``place(at:)``, in metres, if every fix was as good as it said.
    ///
    /// While throttled pings tell of a stay, the greatest distance at which they were throttled, and their accuracy; else as
    /// far as can be reached at the greatest speed from the position before and to the one after.
    func uncertainty(at time: Timestamp) -> Double {
        let speed = rules.maximumSpeed
        let sinceFix = error(start) + speed * (time - start.time).seconds
        let stay = rules.distance + rules.worstAccuracy
        let sinceSeen = lastSeen > start.time ? stay + speed * max(0, (time - lastSeen).seconds) : .infinity
        let behind = min(sinceFix, sinceSeen)
        guard time > lastSeen, let end else { return min(behind, Geodesic.longestDistance) + Self.rounding }
        let ahead = error(end) + speed * (end.time - time).seconds
        // Positions that nobody could have come between contradict what the speed is based on: then they were faster.
        let excess = max(0, length - behind - ahead) / 2
        return Reach.farthest(
            from: along(at: time), ofGeodesic: length, within: behind + excess, and: ahead + excess) + Self.rounding
    }

    /// Of a device that does not say how good a fix is, it is taken to be as good as it must be.
    private func error(_ ping: StoredPing) -> Double { ping.details.accuracy.map { Double($0) } ?? rules.worstAccuracy }

    /// What rounding places to the lattice, and distances to what is printed, may add.
    private static let rounding = 0.02
}
