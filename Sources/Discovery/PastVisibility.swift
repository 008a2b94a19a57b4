internal import Geo
internal import Storage

/// What may be told of somebody's place at an instant of the past.
struct PastSight: Sendable {
    /// The instant of which it is told.
    ///
    /// At a coarse precision only whole quarters of an hour or hours: who could ask of any instant would find by halving when
    /// each position was sent.
    var instant: Timestamp
    /// Nil for whoever may know all, privacy zones or not.
    var precision: Precision?
    /// From when on nothing may be known; nil if all may be.
    var horizon: Timestamp?
}

/// What a person shared in an interval, ready to be asked.
private struct PastTerms {
    private let intervals: [(times: Range<Timestamp>, terms: SharingTerms)]

    init(_ intervals: [SharingInterval]) {
        self.intervals = intervals.map { ($0.times, SharingTerms($0.sharing)) }
    }

    private func interval(at time: Timestamp) -> (times: Range<Timestamp>, terms: SharingTerms)? {
        intervals.first { $0.times.contains(time) }
    }

    func precision(at time: Timestamp) -> Precision { interval(at: time)?.terms.precision(at: time) ?? .hidden }

    /// Until when at least what is shared at an instant goes on being shared.
    func end(after time: Timestamp) -> Timestamp {
        guard let interval = interval(at: time) else { return time }
        return min(interval.times.upperBound, interval.terms.hides(after: time) ?? interval.times.upperBound)
    }

    func exactTimes(in times: Range<Timestamp>) -> [Range<Timestamp>] {
        intervals.flatMap { $0.terms.exactTimes(in: $0.times.clamped(to: times)) }
    }
}

/// What people may know of each other's past: what both friendship and sharing allowed at the time and allow now, whichever is
/// the less.
extension Live {
    /// What a person may be told of the places at an instant of friends, or of one of them.
    func sights(
        for viewer: Int32, at time: Timestamp, now: Timestamp, only other: Int32? = nil
    ) async throws(StorageError) -> [Int32: PastSight] {
        let times = Precision.city.rounded(time)..<time + .milliseconds(1)
        let friendships = try await store.friendships(of: viewer, in: times)
            .filter { other == nil || $0.friend == other }
        let limits = read { picture in
            friendships.reduce(into: [Int32: Precision]()) { limits, friendship in
                let agreed = picture.agreed(friendship.friend, viewer, at: now)
                if agreed < .hidden { limits[friendship.friend] = agreed }
            }
        }
        let friends = limits.keys.sorted()
        let terms = try await store.sharings(of: [viewer] + friends, in: times).map(PastTerms.init)
        var sights: [Int32: PastSight] = [:]
        for (friend, theirs) in zip(friends, terms.dropFirst()) {
            guard let limit = limits[friend] else { continue }
            let together = friendships.filter { $0.friend == friend }.map(\.times)
            sights[friend] = Self.sight(at: time, limit, together, terms[0], theirs)
        }
        return sights
    }

    private static func sight(
        at time: Timestamp, _ limit: Precision, _ together: [Range<Timestamp>], _ own: PastTerms, _ theirs: PastTerms
    ) -> PastSight? {
        var (instant, precision) = (time, limit)
        while true {
            guard let friendship = together.first(where: { $0.contains(instant) }) else { return nil }
            precision = max(precision, own.precision(at: instant), theirs.precision(at: instant))
            guard precision < .hidden else { return nil }
            let earlier = precision.rounded(instant)
            if earlier == instant {
                let horizon = min(friendship.upperBound, own.end(after: instant), theirs.end(after: instant))
                return PastSight(instant: instant, precision: precision, horizon: horizon)
            }
            // What was agreed then counts as well.
            instant = earlier
        }
    }

    /// The parts of an interval in which a friend's place may be known to a person exactly, in order.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``, of the position, when the two were no friends in it or are none, or either is
    ///   hidden, whether there is such a person or not.
    func exactTimes(
        of id: EntityID, for viewer: EntityID, in times: Range<Timestamp>, now: Timestamp
    ) async throws -> [Range<Timestamp>] {
        let known = read { picture -> (own: Int32, other: Int32, agreed: Precision)? in
            guard let own = picture.crowd.number(of: viewer), let other = picture.crowd.number(of: id) else {
                return nil
            }
            return (own, other, picture.agreed(other, own, at: now))
        }
        guard let known, known.agreed < .hidden else { throw Refusal.unknown(.position, id) }
        let together = try await store.friendships(of: known.own, in: times).filter { $0.friend == known.other }
        guard !together.isEmpty else { throw Refusal.unknown(.position, id) }
        guard known.agreed == .exact else { return [] }
        let past = times.clamped(to: times.lowerBound..<max(times.lowerBound, now + .milliseconds(1)))
        let terms = try await store.sharings(of: [known.own, known.other], in: past).map(PastTerms.init)
        return together.flatMap { friendship in
            let shared = friendship.times.clamped(to: past)
            return terms[0].exactTimes(in: shared).flatMap { terms[1].exactTimes(in: $0) }
        }
    }
}

extension Picture {
    /// Where a person was on a leg, as a sight allows; nil if nothing can be told.
    func told(_ leg: Leg, of person: Int32, _ sight: PastSight) -> PastPosition? {
        guard let agreed = sight.precision else { return PastPosition(leg, at: sight.instant) }
        let precision = told(leg.start.place, leg.start.isVeiled, of: person, agreed)
        guard precision > .exact else {
            // The way into a privacy zone would point at what is in it.
            let isVeiled = leg.end.map { told($0.place, $0.isVeiled, of: person, .exact) > .exact } ?? false
            return PastPosition(isVeiled ? leg.withoutEnd : leg, at: sight.instant)
        }
        guard let place = place(of: person, in: leg.start.publicCell, precision) else { return nil }
        return PastPosition(leg, at: sight.instant, told: place, precision)
    }
}
