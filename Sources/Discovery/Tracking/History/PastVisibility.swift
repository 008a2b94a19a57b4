internal import Geo
internal import Model
internal import Storage

/// The visible part of a person's past position.
struct PastView: Sendable {
    /// The time of the position.
    ///
    /// At a coarse precision it is rounded to quarters of an hour or hours. Otherwise a bisection over times would
    /// reveal when each position was sent.
    var instant: Timestamp
    /// Nil for a viewer who may see everything, privacy zones or not.
    var precision: Precision?
    /// The starts of the friendship and of the sharing in force, and the person's terms; nil without limits.
    fileprivate var known: (since: Timestamp, agreed: Timestamp, terms: PastTerms)?
    /// The time from which nothing may be known; nil if everything may be.
    var horizon: Timestamp?

    init(instant: Timestamp) { self.instant = instant }

    fileprivate init(
        instant: Timestamp, precision: Precision, known: (since: Timestamp, agreed: Timestamp, terms: PastTerms),
        horizon: Timestamp
    ) {
        self.init(instant: instant)
        (self.precision, self.known, self.horizon) = (precision, known, horizon)
    }

    /// The visible part of a leg: while both shared as they do, or from the last sighting; nil for none.
    func known(of leg: Leg) -> Leg? {
        guard let known else { return leg }
        return shown(of: leg)?.known(since: min(known.agreed, leg.seen(before: instant)))
    }

    /// The leg without the time before the friendship and the time in which the person was hidden.
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

/// A person's sharing terms in an interval, prepared for queries.
struct PastTerms: Sendable {
    /// How far before a time sharing terms are read; a person silent for longer, who changed them before and since,
    /// stays hidden.
    static let lookback = Duration.seconds(8 * 86_400)

    private let intervals: [(times: Range<Timestamp>, terms: SharingTerms)]

    init(_ intervals: [SharingInterval]) {
        self.intervals = intervals.map { ($0.times, SharingTerms($0.sharing)) }
    }

    private func interval(at time: Timestamp) -> (times: Range<Timestamp>, terms: SharingTerms)? {
        intervals.first { $0.times.contains(time) }
    }

    func precision(at time: Timestamp) -> Precision { interval(at: time)?.terms.precision(at: time) ?? .hidden }

    /// The start of the terms in force at a time; the time itself if not known.
    func beginning(at time: Timestamp) -> Timestamp { interval(at: time)?.times.lowerBound ?? time }

    /// A lower bound of the end of the sharing in force at a time.
    func end(after time: Timestamp) -> Timestamp {
        guard let interval = interval(at: time) else { return time }
        return min(interval.times.upperBound, interval.terms.end(after: time) ?? interval.times.upperBound)
    }

    /// Whether the person was visible throughout the span between two times, as far as known here.
    func shows(from: Timestamp, to: Timestamp) -> Bool {
        guard let first = intervals.first?.times.lowerBound, from >= first else { return false }
        return intervals.allSatisfy { interval in
            let (first, last) = (
                max(from, interval.times.lowerBound), min(to, interval.times.upperBound - .milliseconds(1))
            )
            return first > last || interval.terms.shows(from: first, to: last)
        }
    }

    /// The parts of an interval in which the person was visible exactly, with adjacent parts merged.
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

/// Visibility of the past: the weaker of what friendship and sharing allowed then and allow now, and nothing from
/// before the friendship or while the other was hidden.
extension Engine {
    /// The visible past of a person's friends at a time, or of some of them, at most at a given precision.
    func views(
        for viewer: PersonNumber, at time: Timestamp, now: Timestamp, only others: Set<PersonNumber>? = nil,
        atMost limit: Precision = .exact
    ) async throws -> [PersonNumber: PastView] {
        let times = Precision.city.rounded(time) - PastTerms.lookback..<time + .milliseconds(1)
        let friendships = try await store.friendships(of: viewer, in: times)
            .filter { others?.contains($0.friend) ?? true }
        let together = Dictionary(grouping: friendships, by: \.friend)
        let agreed = try await read(each: together.keys, costing: 10) { state, friend in
            (friend, max(limit, state.agreed(friend, viewer, at: now)))
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

    /// The visible past of a friend at a time, as precise as the friendship, both sharings and `limit` allow.
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
            // The sharing at the rounded time applies too.
            instant = earlier
        }
    }

    /// Returns the numbers of a person and of a visible friend, and the precision at which the friend is visible now.
    ///
    /// The database is queried afterwards, and for friends only, so that a block takes the same time as an unknown
    /// person.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)`` of the position when the two are not friends or either is hidden, whether
    ///   the person exists or not.
    func agreement(
        of id: PersonID, with viewer: PersonID, at now: Timestamp
    ) throws(Refusal) -> (own: PersonNumber, other: PersonNumber, precision: Precision) {
        try read { state throws(Refusal) in
            guard let own = state.people.number(of: viewer), let other = state.people.number(of: id),
                case let precision = state.agreed(other, own, at: now), precision < .hidden
            else { throw .unknown(.position, id.any) }
            return (own, other, precision)
        }
    }

    /// The parts of an interval in which a friend's position is exactly visible to a person, in order, and the start of
    /// each visibility, which may be before the interval.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)`` of the position when the two were not friends in it or are not now, or
    ///   either is hidden, whether the person exists or not.
    func exactTimes(
        of id: PersonID, for viewer: PersonID, in times: Range<Timestamp>, now: Timestamp
    ) async throws -> [(times: Range<Timestamp>, since: Timestamp?)] {
        let known = try agreement(of: id, with: viewer, at: now)
        let together = try await store.friendships(of: known.own, in: times).filter { $0.friend == known.other }
        guard !together.isEmpty else { throw Refusal.unknown(.position, id.any) }
        guard known.precision == .exact else { return [] }
        let past = times.clamped(to: times.lowerBound..<max(times.lowerBound, now + .milliseconds(1)))
        // Known paths are at most an hour long.
        let longer = past.lowerBound - TrackSegment.maxInterpolatedGap..<past.upperBound
        let terms = try await store.sharings(of: [known.own, known.other], in: longer).map(PastTerms.init)
        return together.flatMap { friendship in
            let shared = friendship.times.clamped(to: longer)
            let exact = terms[0].exactTimes(in: shared).flatMap { terms[1].exactTimes(in: $0) }
            return exact.map { ($0.clamped(to: past), $0.lowerBound) }
        }
    }
}

extension LiveState {
    /// Whether an exactly visible leg must be shown coarser, because the person was in a privacy zone, or entered one
    /// before the end of the span in which coarser answers are equal.
    func meetsPrivacyZone(_ leg: Leg, of person: PersonNumber, _ view: PastView) -> Bool {
        guard view.precision == .exact else { return false }
        if isInPrivacyZone(leg.start, of: person) { return true }
        return leg.end.map { isInPrivacyZone($0, of: person) && Precision.approximate.rounded($0.time) <= view.instant }
            ?? false
    }

    private func isInPrivacyZone(_ ping: StoredPing, of person: PersonNumber) -> Bool {
        shown(ping.place, ping.isInPrivacyZone, of: person, .exact) > .exact
    }

    /// The person's position on a leg, as far as visible; nil if it is not.
    func shown(_ leg: Leg, of person: PersonNumber, _ view: PastView) -> PastPosition? {
        guard let agreed = view.precision else { return PastPosition(leg, at: view.instant) }
        guard let leg = view.known(of: leg) else { return nil }
        let precision = shown(leg.start.place, leg.start.isInPrivacyZone, of: person, agreed)
        guard precision > .exact else {
            // The path into a privacy zone would point at what is inside.
            let endsInZone = leg.end.map { isInPrivacyZone($0, of: person) } ?? false
            return PastPosition(endsInZone ? leg.withoutEnd : leg, at: view.instant)
        }
        // In a zone it is the cell shown there now, also for positions stored before the zone existed.
        let cell = people.privacyZones(of: person)?.keptCell(
            at: leg.start.place, after: nil, people.rememberedCells(of: person))
        guard let place = place(of: person, in: cell ?? leg.start.publicCell, precision) else { return nil }
        return PastPosition(leg, at: view.instant, shown: place, precision)
    }
}
