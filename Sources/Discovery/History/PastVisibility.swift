internal import Geo
internal import Model
internal import Storage

/// What may be told of somebody's place at an instant of the past.
struct PastView: Sendable {
    /// The instant of which it is told.
    ///
    /// At a coarse precision only whole quarters of an hour or hours: who could ask of any instant would find by halving when
    /// each position was sent.
    var instant: Timestamp
    /// Nil for whoever may know all, privacy zones or not.
    var precision: Precision?
    /// Since when the two were friends, since when they share as at the instant, and the terms before; nil if all may be known.
    fileprivate var known: (since: Timestamp, agreed: Timestamp, terms: PastTerms)?
    /// From when on nothing may be known; nil if all may be.
    var horizon: Timestamp?

    init(instant: Timestamp) { self.instant = instant }

    fileprivate init(
        instant: Timestamp, precision: Precision, known: (since: Timestamp, agreed: Timestamp, terms: PastTerms),
        horizon: Timestamp
    ) {
        self.init(instant: instant)
        (self.precision, self.known, self.horizon) = (precision, known, horizon)
    }

    /// What may be known of a leg: of the time in which both shared as they do, or of when the person was last seen; nil for
    /// nothing.
    func known(of leg: Leg) -> Leg? {
        guard let known else { return leg }
        return shown(of: leg)?.known(since: min(known.agreed, leg.seen(before: instant)))
    }

    /// What is left of a leg without the time before the friendship and the time in which the person was hidden.
    private func shown(of leg: Leg) -> Leg? {
        guard let (since, _, terms) = known else { return leg }
        guard let leg = leg.known(since: since), leg.start.time <= instant else { return nil }
        if terms.shows(from: leg.start.time, to: instant) { return leg }
        let seen = leg.seen(before: instant)
        guard terms.shows(from: seen, to: instant) else { return nil }
        let piece = leg.pieces.last { $0.lowerBound <= seen }?.lowerBound ?? seen
        return leg.known(since: terms.shows(from: piece, to: instant) ? piece : seen)
    }
}

/// What a person shared in an interval, ready to be asked.
struct PastTerms: Sendable {
    /// How long before an instant it is looked for what was shared; who was silent for longer, and changed it before that and
    /// after, is not known of.
    static let lookback = Duration.seconds(8 * 86_400)

    private let intervals: [(times: Range<Timestamp>, terms: SharingTerms)]

    init(_ intervals: [SharingInterval]) {
        self.intervals = intervals.map { ($0.times, SharingTerms($0.sharing)) }
    }

    private func interval(at time: Timestamp) -> (times: Range<Timestamp>, terms: SharingTerms)? {
        intervals.first { $0.times.contains(time) }
    }

    func precision(at time: Timestamp) -> Precision { interval(at: time)?.terms.precision(at: time) ?? .hidden }

    /// Since when the terms at an instant are in force; the instant itself if that is not known.
    func beginning(at time: Timestamp) -> Timestamp { interval(at: time)?.times.lowerBound ?? time }

    /// Until when at least what is shared at an instant goes on being shared.
    func end(after time: Timestamp) -> Timestamp {
        guard let interval = interval(at: time) else { return time }
        return min(interval.times.upperBound, interval.terms.end(after: time) ?? interval.times.upperBound)
    }

    /// Whether somebody was shown all the time between two instants, as far as is known here.
    func shows(from: Timestamp, to: Timestamp) -> Bool {
        guard let first = intervals.first?.times.lowerBound, from >= first else { return false }
        return intervals.allSatisfy { interval in
            let (first, last) = (
                max(from, interval.times.lowerBound), min(to, interval.times.upperBound - .milliseconds(1))
            )
            return first > last || interval.terms.shows(from: first, to: last)
        }
    }

    /// The parts of an interval in which somebody was shown exactly, those that follow each other at once as one.
    func exactTimes(in times: Range<Timestamp>) -> [Range<Timestamp>] {
        var exact: [Range<Timestamp>] = []
        for part in intervals.flatMap({ $0.terms.exactTimes(in: $0.times.clamped(to: times)) }) {
            if let last = exact.last, last.upperBound == part.lowerBound {
                exact[exact.count - 1] = last.lowerBound..<part.upperBound
            } else {
                exact.append(part)
            }
        }
        return exact
    }
}

/// What people may know of each other's past: what both friendship and sharing allowed at the time and allow now, whichever is
/// the less, and nothing that was found out before they were friends or while the other was hidden.
extension Live {
    /// What a person may be told of the places at an instant of friends, or of some of them, and no more exactly than a limit.
    func views(
        for viewer: PersonNumber, at time: Timestamp, now: Timestamp, only others: Set<PersonNumber>? = nil,
        atMost limit: Precision = .exact
    ) async throws -> [PersonNumber: PastView] {
        let times = Precision.city.rounded(time) - PastTerms.lookback..<time + .milliseconds(1)
        let friendships = try await store.friendships(of: viewer, in: times)
            .filter { others?.contains($0.friend) ?? true }
        let together = Dictionary(grouping: friendships, by: \.friend)
        let agreed = try await read(each: together.keys, costing: 10) { picture, friend in
            (friend, max(limit, picture.agreed(friend, viewer, at: now)))
        }
        let limits = Dictionary(uniqueKeysWithValues: agreed.filter { $0.1 < .hidden })
        let friends = limits.keys.sorted()
        let terms = try await store.sharings(of: [viewer] + friends, in: times).map(PastTerms.init)
        var views: [PersonNumber: PastView] = [:]
        for (friend, theirs) in zip(friends, terms.dropFirst()) {
            guard let limit = limits[friend], let together = together[friend]?.map(\.times) else { continue }
            views[friend] = Self.view(at: time, limit, together, terms[0], theirs)
        }
        return views
    }

    /// What may be told of an instant at which two people were together, as exactly as both shared it then and a limit allows.
    static func view(
        at time: Timestamp, _ limit: Precision, _ together: [Range<Timestamp>], _ own: PastTerms, _ theirs: PastTerms
    ) -> PastView? {
        var (instant, precision) = (time, limit)
        while true {
            guard let friendship = together.first(where: { $0.contains(instant) }) else { return nil }
            precision = max(precision, own.precision(at: instant), theirs.precision(at: instant))
            guard precision < .hidden else { return nil }
            let earlier = precision.rounded(instant)
            if earlier == instant {
                let horizon = min(friendship.upperBound, own.end(after: instant), theirs.end(after: instant))
                let agreed = max(own.beginning(at: instant), theirs.beginning(at: instant))
                return PastView(
                    instant: instant, precision: precision, known: (friendship.lowerBound, agreed, theirs),
                    horizon: horizon)
            }
            // What was agreed then counts as well.
            instant = earlier
        }
    }

    /// The numbers of a person and of a friend of theirs whose place they may know, and how exactly they may now.
    ///
    /// What is in the database is asked for afterwards, of friends only: so who has blocked the person takes as long as who is not
    /// there.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``, of the position, when the two are no friends or either is hidden, whether there is
    ///   such a person or not.
    func agreement(
        of id: PersonID, with viewer: PersonID, at now: Timestamp
    ) throws(Refusal) -> (own: PersonNumber, other: PersonNumber, precision: Precision) {
        try read { picture throws(Refusal) in
            guard let own = picture.people.number(of: viewer), let other = picture.people.number(of: id),
                case let precision = picture.agreed(other, own, at: now), precision < .hidden
            else { throw .unknown(.position, id.any) }
            return (own, other, precision)
        }
    }

    /// The parts of an interval in which a friend's place may be known to a person exactly, in order, and since when that was
    /// so, which may be before the interval.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``, of the position, when the two were no friends in it or are none, or either is
    ///   hidden, whether there is such a person or not.
    func exactTimes(
        of id: PersonID, for viewer: PersonID, in times: Range<Timestamp>, now: Timestamp
    ) async throws -> [(times: Range<Timestamp>, since: Timestamp?)] {
        let known = try agreement(of: id, with: viewer, at: now)
        let together = try await store.friendships(of: known.own, in: times).filter { $0.friend == known.other }
        guard !together.isEmpty else { throw Refusal.unknown(.position, id.any) }
        guard known.precision == .exact else { return [] }
        let past = times.clamped(to: times.lowerBound..<max(times.lowerBound, now + .milliseconds(1)))
        // No way that is known is longer than an hour.
        let longer = past.lowerBound - TrackSegment.longestWay..<past.upperBound
        let terms = try await store.sharings(of: [known.own, known.other], in: longer).map(PastTerms.init)
        return together.flatMap { friendship in
            let shared = friendship.times.clamped(to: longer)
            let exact = terms[0].exactTimes(in: shared).flatMap { terms[1].exactTimes(in: $0) }
            return exact.map { ($0.clamped(to: past), $0.lowerBound) }
        }
    }
}

extension Picture {
    /// Whether what may be known exactly of a leg is not told so, because the person was in a privacy zone, or went into one
    /// before the time was over in which answers of a coarser precision are the same.
    func meetsPrivacyZone(_ leg: Leg, of person: PersonNumber, _ view: PastView) -> Bool {
        guard view.precision == .exact else { return false }
        if isInPrivacyZone(leg.start, of: person) { return true }
        return leg.end.map { isInPrivacyZone($0, of: person) && Precision.approximate.rounded($0.time) <= view.instant }
            ?? false
    }

    private func isInPrivacyZone(_ ping: StoredPing, of person: PersonNumber) -> Bool {
        told(ping.place, ping.isInPrivacyZone, of: person, .exact) > .exact
    }

    /// Where a person was on a leg, as a view allows; nil if nothing can be told.
    func told(_ leg: Leg, of person: PersonNumber, _ view: PastView) -> PastPosition? {
        guard let agreed = view.precision else { return PastPosition(leg, at: view.instant) }
        guard let leg = view.known(of: leg) else { return nil }
        let precision = told(leg.start.place, leg.start.isInPrivacyZone, of: person, agreed)
        guard precision > .exact else {
            // The way into a privacy zone would point at what is in it.
            let endsInZone = leg.end.map { isInPrivacyZone($0, of: person) } ?? false
            return PastPosition(endsInZone ? leg.withoutEnd : leg, at: view.instant)
        }
        // In a zone the cell that is told there now, also of what was stored before there was the zone.
        let cell = people.privacyZones(of: person)?.keptCell(
            at: leg.start.place, after: nil, people.rememberedCells(of: person))
        guard let place = place(of: person, in: cell ?? leg.start.publicCell, precision) else { return nil }
        return PastPosition(leg, at: view.instant, told: place, precision)
    }
}
