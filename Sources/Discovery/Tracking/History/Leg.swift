internal import Geo
internal import Model

/// A person's track from one stored position until the next.
///
/// Until ``lastSeen`` they were near the first one, by throttled pings. Then they moved to the next, by assumption
/// along the geodesic at constant speed.
struct Leg: Sendable {
    private(set) var start: StoredPing
    /// The next stored position; nil when there is none, or when it may not be known.
    private(set) var end: StoredPing?
    /// The known time spans near the start, in order; at least the time of the start.
    private(set) var pieces: [ClosedRange<Timestamp>]
    /// Whether the time of the start is later than its fix, which may not be known.
    private var isCut = false
    /// The last time at which the person is known to have been near the start.
    let lastSeen: Timestamp
    let rules: PingRules
    /// The geodesic to the end: its length in meters, and its initial bearing.
    private(set) var length: Double
    private let bearing: Double

    /// The leg between two stored positions; nothing from the horizon on may be known.
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

    /// The leg without what follows the stay.
    var withoutEnd: Leg {
        var leg = self
        (leg.end, leg.length) = (nil, 0)
        return leg
    }

    /// The leg without what was before `time`; nil if the person was not seen near the start since.
    func known(since time: Timestamp) -> Leg? {
        guard start.time < time else { return self }
        var leg = self
        leg.pieces = pieces.filter { $0.upperBound >= time }.map { max($0.lowerBound, time)...$0.upperBound }
        guard let first = leg.pieces.first else { return nil }
        leg.start.time = first.lowerBound
        leg.isCut = true
        return leg
    }

    /// The distance traveled along the geodesic at a time, in meters; 0 at the start if the end is not known.
    private func along(at time: Timestamp) -> Double {
        guard let end, time > lastSeen else { return 0 }
        return length * min(1, (time - lastSeen).seconds / (end.time - lastSeen).seconds)
    }

    /// The person's position at a time of the leg.
    func place(at time: Timestamp) -> Coordinate {
        let along = along(at: time)
        if along == 0 { return start.place }
        if let end, along == length { return end.place }
        return Geodesic.destination(from: start.place, bearing: bearing, metres: along)
    }

    /// The gap between two known stays at the start that contains a time; nil if none does.
    private func gap(at time: Timestamp) -> (from: Timestamp, to: Timestamp)? {
        guard time < lastSeen, let next = pieces.firstIndex(where: { $0.upperBound >= time }), next > 0,
            pieces[next].lowerBound > time
        else { return nil }
        return (pieces[next - 1].upperBound, pieces[next].lowerBound)
    }

    /// The last time up to `time` at which the person is known to have been near the start.
    func seen(before time: Timestamp) -> Timestamp { gap(at: time)?.from ?? min(time, lastSeen) }

    /// Whether the person was seen at a time of the leg, including its end.
    func isSeen(at time: Timestamp) -> Bool { seen(before: time) == time || time == end?.time }

    /// Maximum distance in meters of the person from ``place(at:)``, if every fix was as accurate as reported.
    ///
    /// During a stay it is the distance within which pings are throttled, plus the larger error of both ends. In a gap of the stay it
    /// also includes the distance reachable in the gap. Otherwise it is the area reachable at the maximum speed from
    /// the position before and to the one after.
    func uncertainty(at time: Timestamp) -> Double {
        let speed = rules.maximumSpeed
        let sinceFix = isCut ? .infinity : error(start) + speed * (time - start.time).seconds
        let stay = rules.distance + max(error(start), rules.maximumErrorRadius)
        let sinceSeen = isCut || lastSeen > start.time ? stay + speed * max(0, (time - lastSeen).seconds) : .infinity
        let behind = min(sinceFix, sinceSeen)
        if let gap = gap(at: time) {
            let away = speed * min((time - gap.from).seconds, (gap.to - time).seconds)
            return min(sinceFix, stay + away, Geodesic.longestDistance) + Self.rounding
        }
        guard time > lastSeen, let end else { return min(behind, Geodesic.longestDistance) + Self.rounding }
        let ahead = error(end) + speed * (end.time - time).seconds
        // Positions too far apart for the maximum speed disprove it: the person was faster.
        let excess = max(0, length - behind - ahead) / 2
        return Reach.farthest(
            from: along(at: time), ofGeodesic: length, within: behind + excess, and: ahead + excess) + Self.rounding
    }

    /// The accuracy in meters; without one, the worst that the rules accept.
    private func error(_ ping: StoredPing) -> Double {
        ping.details.accuracy.map { Double($0) } ?? rules.maximumErrorRadius
    }

    /// Maximum error from rounding positions to the lattice, and distances to printed digits.
    private static let rounding = 0.02
}
