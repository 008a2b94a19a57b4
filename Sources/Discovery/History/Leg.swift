internal import Geo
internal import Model

/// What is known of a person from one stored position until the next one.
///
/// Until ``lastSeen`` they were near the first one, as throttled pings tell; then they went, as far as anybody knows in a
/// straight line and at an even speed, to the next.
struct Leg: Sendable {
    private(set) var start: StoredPing
    /// The next stored position; nil when there is none, or none that may be known.
    private(set) var end: StoredPing?
    /// When the person is known to have been near the start, in order; at least its time.
    private(set) var pieces: [ClosedRange<Timestamp>]
    /// Whether the time of the start is not that of the fix, which may not be known, but a later one.
    private var isCut = false
    /// The last time at which the person is known to have been near the start.
    let lastSeen: Timestamp
    /// The rules for this person.
    let rules: PingRules
    /// The geodesic to the end: its length in metres, and its direction.
    private(set) var length: Double
    private let bearing: Double

    /// The leg between two stored positions; of what happened from the horizon on nothing may be known.
    init(from start: StoredPing, to end: StoredPing?, rules: PingRules, horizon: Timestamp? = nil) {
        self.start = start
        self.rules = rules
        let end = end.flatMap { end in horizon.map { end.time < $0 } ?? true ? end : nil }
        self.end = end
        let limit = max(start.time, [end?.time, horizon].compactMap(\.self).min() ?? .init(milliseconds: .max))
        pieces = start.stay.pieces.filter { $0.lowerBound <= limit }.map { $0.clamped(to: start.time...limit) }
        lastSeen = pieces.last?.upperBound ?? start.time
        length = end.map { Geodesic.distance(from: start.place, to: $0.place) } ?? 0
        bearing = end.map { Geodesic.bearing(from: start.place, to: $0.place) } ?? 0
    }

    /// The same with nothing known of what comes after the stay.
    var withoutEnd: Leg {
        var leg = self
        (leg.end, leg.length) = (nil, 0)
        return leg
    }

    /// What is left when nothing may be known of the time before an instant; nil if the person was not seen near the start
    /// since.
    func known(since time: Timestamp) -> Leg? {
        guard start.time < time else { return self }
        var leg = self
        leg.pieces = pieces.filter { $0.upperBound >= time }.map { max($0.lowerBound, time)...$0.upperBound }
        guard let first = leg.pieces.first else { return nil }
        leg.start.time = first.lowerBound
        leg.isCut = true
        return leg
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

    /// Between which times at which the person was near the start nothing is known of an instant; nil for other instants.
    private func gap(at time: Timestamp) -> (from: Timestamp, to: Timestamp)? {
        guard time < lastSeen, let next = pieces.firstIndex(where: { $0.upperBound >= time }), next > 0,
            pieces[next].lowerBound > time
        else { return nil }
        return (pieces[next - 1].upperBound, pieces[next].lowerBound)
    }

    /// The last time up to an instant at which the person is known to have been near the start, the instant itself if so then.
    func seen(before time: Timestamp) -> Timestamp { gap(at: time)?.from ?? min(time, lastSeen) }

    /// Whether the person was seen at an instant of the leg, its end included.
    func isSeen(at time: Timestamp) -> Bool { seen(before: time) == time || time == end?.time }

    /// How far the person can have been from ``place(at:)``, in metres, if every fix was as good as it said.
    ///
    /// While throttled pings tell of a stay, the greatest distance at which they were throttled, and their accuracy; in a gap
    /// of the stay as far as can be reached besides; else as far as can be reached at the greatest speed from the position
    /// before and to the one after.
    func uncertainty(at time: Timestamp) -> Double {
        let speed = rules.maximumSpeed
        let sinceFix = isCut ? .infinity : error(start) + speed * (time - start.time).seconds
        let stay = rules.distance + rules.worstAccuracy
        let sinceSeen = isCut || lastSeen > start.time ? stay + speed * max(0, (time - lastSeen).seconds) : .infinity
        let behind = min(sinceFix, sinceSeen)
        if let gap = gap(at: time) {
            let away = speed * min((time - gap.from).seconds, (gap.to - time).seconds)
            return min(sinceFix, stay + away, Geodesic.longestDistance) + Self.rounding
        }
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
