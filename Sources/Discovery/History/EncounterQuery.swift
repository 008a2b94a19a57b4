public import Model
internal import Storage

/// When two people were near each other.
public struct EncounterQuery: Sendable {
    /// The person who asks, or on whose behalf it is asked.
    public var person: PersonID
    /// The other one.
    public var other: PersonID
    /// The greatest distance, in metres.
    public var within: Double
    /// Which time is looked at; half-open.
    public var times: Range<Timestamp>
    /// Only what happens after this instant.
    public var after: Timestamp?
    /// How many encounters are wanted at most, 1 or more.
    public var limit = 100
    /// How many stored positions are looked at before the answer is cut off, and at twice as many instants; never fewer than
    /// some ten thousand.
    public var maxScan = Int.max

    /// A query for encounters of two people within a distance, in metres, during an interval.
    public init(of person: PersonID, with other: PersonID, within: Double, during times: Range<Timestamp>) {
        self.person = person
        self.other = other
        self.within = within
        self.times = times
    }
}

/// Encounters in the order of time, and where the rest begins.
public struct EncounterPage: Sendable {
    /// At most as many as were wanted.
    public var encounters: [Encounter] = []
    /// The instant after which the rest is to be looked for; nil at the end.
    public var next: Timestamp?
    /// Whether it ends early because too much had to be looked at; then the last encounter may go on in the next part.
    public var isCutOff = false
    /// At how many instants it was worked out where both were.
    package var evaluations = 0
}

extension Live {
    /// When two people were within a distance of each other, as far as their stored positions tell where both were.
    ///
    /// Where somebody was is known from a stored position until it was last confirmed by a throttled ping, and on the way to
    /// the next stored position if that took at most an hour: on the geodesic, in proportion to time. A person sees only
    /// times at which the two were friends and shared their places exactly, only if they do now, and nothing of what happened
    /// in the other's privacy zones.
    ///
    /// - Throws: ``Refusal``, of what the caller may not know as ``Live/position(of:at:by:now:)``; ``StorageError``, or
    ///   `CancellationError` soon after the task was cancelled.
    /// - Complexity: O(stored positions of both), in constant memory.
    public func encounters(_ query: EncounterQuery, by caller: Caller, now: Timestamp) async throws -> EncounterPage {
        guard caller.mayAct(for: query.person) else { throw Refusal.notAllowed }
        guard query.person != query.other else { throw Refusal.oneself }
        var parts: [(times: Range<Timestamp>, since: Timestamp?)] = [(query.times, nil)]
        if case .person(let viewer) = caller {
            parts = try await exactTimes(of: query.other, for: viewer, in: query.times, now: now)
        }
        try read { picture throws(Refusal) in
            for id in [query.person, query.other] where picture.people.number(of: id) == nil {
                throw .unknown(.person, id.any)
            }
        }
        var times = query.times
        if let after = query.after {
            times = max(times.lowerBound, min(after + .milliseconds(1), times.upperBound))..<times.upperBound
        }
        var page = EncounterPage()
        for (part, since) in parts {
            let window = part.clamped(to: times)
            if window.isEmpty { continue }
            try Task.checkCancellation()
            try await find(query, in: window, known: since.map { $0..<window.upperBound }, &page)
            if page.next != nil { break }
        }
        return page
    }

    /// After so many pairs of segments others may go on, and it ends if it was cancelled.
    private static let pairsAtOnce = 100

    private func find(
        _ query: EncounterQuery, in window: Range<Timestamp>, known: Range<Timestamp>?, _ page: inout EncounterPage
    ) async throws {
        var finder = EncounterFinder(within: query.within, window: window)
        var first = try await TrackReader(self, query.person, window)
        var second = try await TrackReader(self, query.other, window, known: known)
        var (a, b) = (try await first.next(), try await second.next())
        let wanted = query.limit - page.encounters.count
        let most = max(query.maxScan, 2 * TrackReader.part)
        var pairs = 0
        while let one = a, let other = b, finder.found.count <= wanted {
            if first.count + second.count > most || (page.evaluations + finder.evaluations) / 2 > most {
                page.isCutOff = true
                page.next = max(one.times.lowerBound, other.times.lowerBound) - .milliseconds(1)
                break
            }
            pairs += 1
            if pairs % Self.pairsAtOnce == 0 {
                try Task.checkCancellation()
                await Task.yield()
            }
            finder.look(one, other)
            if one.times.upperBound <= other.times.upperBound {
                a = try await first.next()
            } else {
                b = try await second.next()
            }
        }
        finder.finish()
        page.evaluations += finder.evaluations
        page.encounters += finder.found.prefix(wanted)
        if finder.found.count > wanted {
            page.isCutOff = false
            page.next = page.encounters.last?.times.upperBound
        }
    }
}

/// The segments of a person's track around an interval, in the order of time, read some positions at a time.
private struct TrackReader {
    /// How many positions are read at once.
    static let part = 10_000

    private let live: Live
    private let id: PersonID
    private let window: Range<Timestamp>
    /// Between which instants somebody else's track may be known; nil if all may be.
    private let known: Range<Timestamp>?
    private let rules: PingRules
    /// The zones of somebody else, in which nothing is told; nil if all may be known.
    private let zones: PrivacyZones?
    private var last: PingKey?
    private var points: ArraySlice<StoredPing> = []
    private var isAtEnd = false
    private var start: StoredPing?
    private var ready: ArraySlice<TrackSegment> = []
    /// How many positions were read.
    private(set) var count = 0

    init(_ live: Live, _ id: PersonID, _ window: Range<Timestamp>, known: Range<Timestamp>? = nil) async throws {
        self.live = live
        self.id = id
        self.window = window
        self.known = known
        let (state, zones) = try live.read { picture throws(Refusal) in
            guard let number = picture.people.number(of: id) else { throw .unknown(.person, id.any) }
            return (
                picture.unfoldedState(
                    of: number, around: window.lowerBound, horizon: known?.upperBound, live.rules,
                    isForOthers: known != nil),
                known == nil ? nil : picture.people.privacyZones(of: number)
            )
        }
        self.zones = zones
        rules = state.rules
        let pings = try await live.store.pings(of: [state.person], around: window.lowerBound)
        start = pings.first.flatMap { state.leg(among: $0) }?.start
        last = start?.key
        if start == nil { start = try await nextPoint() }
    }

    mutating func next() async throws -> TrackSegment? {
        while ready.isEmpty {
            guard let from = start, from.time < window.upperBound else { return nil }
            start = try await nextPoint()
            guard !isInPrivacyZone(from) else { continue }
            let end = start.flatMap { isInPrivacyZone($0) ? nil : $0 }
            let leg = Leg(from: from, to: end, rules: rules, horizon: known?.upperBound)
            guard let leg = known.map({ leg.known(since: $0.lowerBound) }) ?? leg else { continue }
            ready = leg.segments[...]
        }
        return ready.popFirst()
    }

    private func isInPrivacyZone(_ point: StoredPing) -> Bool {
        zones?.covers(point.place, point.isInPrivacyZone) ?? false
    }

    private mutating func nextPoint() async throws -> StoredPing? {
        while true {
            while let point = points.popFirst() { if !point.isSuspect { return point } }
            if isAtEnd { return nil }
            let end = window.upperBound + TrackSegment.longestWay
            let page = try await live.history(
                of: id, from: last?.time ?? window.lowerBound, to: known.map { min($0.upperBound, end) } ?? end,
                after: last.map { ($0.time, $0.sequence) }, limit: Self.part)
            isAtEnd = page.count < Self.part
            last = page.last?.key ?? last
            count += page.count
            points = page[...]
        }
    }
}
