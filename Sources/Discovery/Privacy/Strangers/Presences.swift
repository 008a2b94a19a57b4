public import Geo
public import Model
internal import Storage

/// People who were in a circle, nearest first.
public struct PresencePage: Sendable {
    /// The people of this page.
    public var page: Page<PersonThen>
    /// Whether all rows were examined; otherwise people may be missing.
    public var isWhole: Bool
}

extension Engine {
    /// The maximum distance in time of the stored positions from which a position at an instant is interpolated.
    private static let maxInterpolatedGap = Duration.seconds(3600)

    /// Returns the people known to have been in a circle during an interval, each with the nearest stored position as
    /// evidence.
    ///
    /// A stored position is evidence from its time until its last confirmation by a throttled ping.
    ///
    /// - Parameters:
    ///   - query: its `within` is the radius, and `maxScan` the maximum number of rows examined.
    ///   - place: the center of the circle.
    ///   - times: the interval; half-open.
    ///   - caller: must be a service.
    /// - Returns: a page of people, and whether all rows were examined.
    /// - Throws: ``Refusal/notAllowed`` or ``StorageError``.
    public func people(
        _ query: NearestQuery, around place: Coordinate, during times: Range<Timestamp>, by caller: Caller
    ) async throws -> PresencePage {
        guard caller == .service else { throw Refusal.notAllowed }
        let (found, isWhole) = try await presences(query, Circle(place, query.within), times)
        let known = try await read(each: found, costing: 20) { state, entry in
            let ping = entry.value
            let rules = rules.overridden(by: state.people.throttle(of: entry.key) ?? ThrottleOverride())
            let first = ping.stay.pieces.first { times.overlaps($0) }?.lowerBound ?? ping.time
            return (entry.key, PastPosition(Leg(from: ping, to: nil, rules: rules), at: max(first, times.lowerBound)))
        }
        return page(of: known, query, place, isWhole)
    }

    /// Returns the people with a position in a circle at an instant, if one was stored, or still confirmed, within an
    /// hour of the instant.
    ///
    /// - Parameters:
    ///   - query: its `within` is the radius, and `maxScan` the maximum number of rows examined.
    ///   - place: the center of the circle.
    ///   - time: the instant.
    ///   - caller: must be a service.
    /// - Returns: a page of people, and whether all rows were examined.
    /// - Throws: ``Refusal/notAllowed`` or ``StorageError``.
    public func people(
        _ query: NearestQuery, around place: Coordinate, at time: Timestamp, by caller: Caller
    ) async throws -> PresencePage {
        guard caller == .service else { throw Refusal.notAllowed }
        let circle = Circle(place, query.within)
        let times = time - Self.maxInterpolatedGap..<time + Self.maxInterpolatedGap + .milliseconds(1)
        let (found, isWhole) = try await presences(query, circle, times)
        let people = found.keys.sorted()
        let memories = try await read(each: people, costing: UncompactedState.steps) { state, person in
            state.uncompactedState(of: person, around: time, horizon: nil, rules, isForOthers: false)
        }
        let positions = try await positions(memories, at: time)
        let known = zip(people, positions).compactMap { person, position in
            position.flatMap { circle.contains($0.place) ? (person, $0) : nil }
        }
        return page(of: known, query, place, isWhole)
    }

    private func page(
        of known: [(PersonNumber, PastPosition)], _ query: NearestQuery, _ place: Coordinate, _ isWhole: Bool
    ) -> PresencePage {
        let known = Dictionary(uniqueKeysWithValues: known)
        return PresencePage(page: read { $0.page(of: known, query, place) }, isWhole: isWhole)
    }

    /// The nearest stored position of each person known to have been in a circle during an interval.
    ///
    /// Memory is read before the tables, so that a ping moved from memory to a table in the meantime is not missed.
    private func presences(
        _ query: NearestQuery, _ circle: Circle, _ times: Range<Timestamp>
    ) async throws -> (nearest: [PersonNumber: StoredPing], isWhole: Bool) {
        let recent = RecentPresences(try await recent(), in: circle, during: times, limit: query.maxScan)
        var nearest = NearestPings(circle.centre, times)
        nearest.take(recent.logged)
        let confirmed = try await store.pings(recent.confirmed.keys.map { ($0.person, $0.ping) })
        nearest.take(confirmed.filter { circle.contains($0.place) }.map(recent.confirming))
        var scan: PresenceScan? = PresenceScan(circle, times, overhang: RememberedCell.overhang)
        var work = recent.confirmed.count
        while let rest = scan, work < query.maxScan {
            let (found, count, next) = try await store.presences(rest)
            nearest.take(found.map(recent.confirming))
            work += count
            scan = next
        }
        return (nearest.pings, scan == nil && recent.isWhole)
    }
}

/// Each person's ping nearest to a place.
private struct NearestPings {
    let centre: Coordinate
    /// Only pings whose stay overlaps these times count.
    let times: Range<Timestamp>
    private(set) var pings: [PersonNumber: StoredPing] = [:]
    private var distances: [PersonNumber: Int64] = [:]

    init(_ centre: Coordinate, _ times: Range<Timestamp>) {
        self.centre = centre
        self.times = times
    }

    mutating func take(_ found: [StoredPing]) {
        for ping in found where ping.stay.pieces.contains(where: { times.overlaps($0) }) {
            let distance = Geodesic.micrometres(from: centre, to: ping.place)
            if let known = distances[ping.person], let other = pings[ping.person],
                (known, other.key) < (distance, ping.key)
            {
                continue
            }
            distances[ping.person] = distance
            pings[ping.person] = ping
        }
    }
}

/// The presences known only in memory.
private struct RecentPresences: Sendable {
    struct Key: Hashable {
        let person: PersonNumber
        let ping: PingKey
    }

    var logged: [StoredPing] = []
    /// Compacted positions, with stays that are not stored yet.
    var confirmed: [Key: Stay] = [:]
    var isWhole = true

    func confirming(_ ping: StoredPing) -> StoredPing {
        ping.staying(confirmed[Key(person: ping.person, ping: ping.key)])
    }

    /// - Complexity: O(pings in the log + unwritten stays).
    init(_ memories: [RecentPings], in circle: Circle, during times: Range<Timestamp>, limit: Int) {
        for memory in memories {
            for ping in memory.logTail.pings.lazy.map(\.ping) where ping.time < times.upperBound {
                let ping = ping.staying(memory.stays[ping.key])
                if ping.stay.until >= times.lowerBound, circle.contains(ping.place) { logged.append(ping) }
            }
            for (key, stay) in memory.stays where key.time < times.upperBound && stay.until >= times.lowerBound {
                // Most belong to the last position, whose place is known here.
                if let last = memory.last, last.key == key, !circle.contains(last.place) { continue }
                if memory.logTail.contains(key) { continue }
                guard confirmed.count < limit else {
                    isWhole = false
                    break
                }
                confirmed[Key(person: memory.person, ping: key)] = stay
            }
        }
    }
}

/// A snapshot of a person's positions that exist only in memory.
private struct RecentPings: Sendable {
    let person: PersonNumber
    let logTail: UncompactedPings
    let stays: [PingKey: Stay]
    let last: RecentPing?
}

extension Engine {
    /// Snapshots of all people's positions that exist only in memory.
    fileprivate func recent() async throws -> [RecentPings] {
        try await read(each: 0..<read { $0.people.nextNumber }, costing: 3) { state, person in
            let logTail = state.people.logTail[person]
            let stays = state.people.pendingStays[person]?.stays ?? [:]
            guard !logTail.isEmpty || !stays.isEmpty else { return nil }
            return RecentPings(
                person: person, logTail: logTail, stays: stays, last: state.people.last(of: person))
        }
    }
}
