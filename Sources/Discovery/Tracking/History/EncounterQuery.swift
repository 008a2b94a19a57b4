public import Model
internal import Storage

/// A query for the times at which two people were near each other.
public struct EncounterQuery: Sendable {
    /// The person who asks, or for whom a service asks.
    public var person: PersonID
    /// The other person.
    public var other: PersonID
    /// Maximum distance in meters.
    public var within: Double
    /// The time interval, half-open.
    public var times: Range<Timestamp>
    /// A cursor: only encounters after this time are returned.
    public var after: Timestamp?
    /// Maximum number of encounters, at least 1.
    public var limit = 100
    /// Maximum number of stored positions read, and half the maximum of instants computed, before the answer is cut
    /// off; at least some ten thousand.
    public var maxScan = Int.max

    /// A query for encounters of two people within a distance in meters, during an interval.
    public init(of person: PersonID, with other: PersonID, within: Double, during times: Range<Timestamp>) {
        self.person = person
        self.other = other
        self.within = within
        self.times = times
    }
}

/// A page of encounters in order of time, and the cursor of the next.
public struct EncounterPage: Sendable {
    /// At most the requested number.
    public var encounters: [Encounter] = []
    /// The time after which the next page begins; nil at the end.
    public var next: Timestamp?
    /// Whether it ends at the work limit; the last encounter may then continue on the next page.
    public var isCutOff = false
    /// Number of instants at which both positions were computed.
    package var evaluations = 0
}

extension Engine {
    /// Returns the times at which two people were within a distance of each other, by their stored positions.
    ///
    /// A person's position is known from a stored position until its last confirmation by a throttled ping. It is
    /// interpolated on the path to the next stored position if that took at most an hour: on the geodesic, in
    /// proportion to time. A person sees only times at which the two were friends and shared exactly, only if they do
    /// so now, and nothing in the other's privacy zones.
    ///
    /// - Throws: ``Refusal``, for data hidden from the caller as ``Engine/position(of:at:by:now:)``; ``StorageError``, or
    ///   `CancellationError` soon after the task was canceled.
    /// - Complexity: O(stored positions of both), in constant memory.
    public func encounters(_ query: EncounterQuery, by caller: Caller, now: Timestamp) async throws -> EncounterPage {
        guard caller.mayAct(for: query.person) else { throw Refusal.notAllowed }
        guard query.person != query.other else { throw Refusal.oneself }
        var parts: [(times: Range<Timestamp>, since: Timestamp?)] = [(query.times, nil)]
        if case .person(let viewer) = caller {
            parts = try await exactTimes(of: query.other, for: viewer, in: query.times, now: now)
        }
        try read { state throws(Refusal) in
            for id in [query.person, query.other] where state.people.number(of: id) == nil {
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

    /// Number of pairs of segments after which the task yields and checks for cancellation.
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

/// Reads the segments of a person's track around an interval in order of time, in pages.
private struct TrackReader {
    /// Number of positions read at once.
    static let part = 10_000

    private let engine: Engine
    private let id: PersonID
    private let window: Range<Timestamp>
    /// The interval of another person's track that may be known; nil for all of the track.
    private let known: Range<Timestamp>?
    private let rules: PingRules
    /// The other person's privacy zones, in which nothing is reported; nil if all may be known.
    private let zones: PrivacyZones?
    private var last: PingKey?
    private var points: ArraySlice<StoredPing> = []
    private var isAtEnd = false
    private var start: StoredPing?
    private var ready: ArraySlice<TrackSegment> = []
    /// Number of positions read.
    private(set) var count = 0

    init(_ engine: Engine, _ id: PersonID, _ window: Range<Timestamp>, known: Range<Timestamp>? = nil) async throws {
        self.engine = engine
        self.id = id
        self.window = window
        self.known = known
        let (state, zones) = try engine.read { state throws(Refusal) in
            guard let number = state.people.number(of: id) else { throw .unknown(.person, id.any) }
            return (
                state.uncompactedState(
                    of: number, around: window.lowerBound, horizon: known?.upperBound, engine.rules,
                    isForOthers: known != nil),
                known == nil ? nil : state.people.privacyZones(of: number)
            )
        }
        self.zones = zones
        rules = state.rules
        let pings = try await engine.store.pings(of: [state.person], around: window.lowerBound)
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
            let end = window.upperBound + TrackSegment.maxInterpolatedGap
            let page = try await engine.history(
                of: id, from: last?.time ?? window.lowerBound, to: known.map { min($0.upperBound, end) } ?? end,
                after: last.map { ($0.time, $0.sequence) }, limit: Self.part)
            isAtEnd = page.count < Self.part
            last = page.last?.key ?? last
            count += page.count
            points = page[...]
        }
    }
}
