public import Geo
public import Model
internal import Storage

/// People who were in a circle, nearest first.
public struct PresencePage: Sendable {
    /// The people of this page.
    public var page: Page<PersonThen>
    /// Whether all rows were looked at; otherwise somebody may be missing.
    public var isWhole: Bool
}

extension Live {
    /// How far from an instant the stored positions lie from which somebody's way at that instant is worked out.
    private static let longestWay = Duration.seconds(3600)

    /// The people who are known to have been in a circle during an interval, each with the nearest of the stored positions that
    /// tell so.
    ///
    /// A stored position tells from its time until it was last confirmed by a throttled ping.
    ///
    /// - Parameters:
    ///   - query: its `within` is the radius, and `maxScan` how many rows are looked at.
    ///   - place: the middle of the circle.
    ///   - times: the interval; half-open.
    ///   - caller: only a service may ask.
    /// - Returns: a page of them, and whether all was looked at.
    /// - Throws: ``Refusal/notAllowed`` or ``StorageError``.
    public func people(
        _ query: NearestQuery, around place: Coordinate, during times: Range<Timestamp>, by caller: Caller
    ) async throws -> PresencePage {
        guard caller == .service else { throw Refusal.notAllowed }
        let (found, isWhole) = try await presences(query, Circle(place, query.within), times)
        let known = try await read(each: found, costing: 20) { picture, entry in
            let ping = entry.value
            let rules = rules.overridden(by: picture.people.throttle(of: entry.key) ?? ThrottleOverride())
            let first = ping.stay.pieces.first { times.overlaps($0) }?.lowerBound ?? ping.time
            return (entry.key, PastPosition(Leg(from: ping, to: nil, rules: rules), at: max(first, times.lowerBound)))
        }
        return page(of: known, query, place, isWhole)
    }

    /// The people whose place at an instant was in a circle, as far as a position in the circle was stored within an hour of
    /// the instant, or was confirmed until then.
    ///
    /// - Parameters:
    ///   - query: its `within` is the radius, and `maxScan` how many rows are looked at.
    ///   - place: the middle of the circle.
    ///   - time: the instant.
    ///   - caller: only a service may ask.
    /// - Returns: a page of them, and whether all was looked at.
    /// - Throws: ``Refusal/notAllowed`` or ``StorageError``.
    public func people(
        _ query: NearestQuery, around place: Coordinate, at time: Timestamp, by caller: Caller
    ) async throws -> PresencePage {
        guard caller == .service else { throw Refusal.notAllowed }
        let circle = Circle(place, query.within)
        let times = time - Self.longestWay..<time + Self.longestWay + .milliseconds(1)
        let (found, isWhole) = try await presences(query, circle, times)
        let people = found.keys.sorted()
        let memories = try await read(each: people, costing: UnfoldedState.steps) { picture, person in
            picture.unfoldedState(of: person, around: time, horizon: nil, rules, isForOthers: false)
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

    /// The nearest stored position of each person who is known to have been in a circle during an interval.
    ///
    /// What is in memory is read first, then the tables: a ping that moves from one to the other meanwhile is not missed.
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

/// Of each person the ping that is nearest to a place.
private struct NearestPings {
    let centre: Coordinate
    /// Only whoever is known to have been there then.
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

/// What the live picture knows of who was in a circle, beside what is in the tables.
private struct RecentPresences: Sendable {
    struct Key: Hashable {
        let person: PersonNumber
        let ping: PingKey
    }

    var logged: [StoredPing] = []
    /// Folded positions, and how long their people were there as only the picture knows.
    var confirmed: [Key: Stay] = [:]
    var isWhole = true

    func confirming(_ ping: StoredPing) -> StoredPing {
        ping.staying(confirmed[Key(person: ping.person, ping: ping.key)])
    }

    /// - Complexity: O(pings in the log + unwritten stays).
    init(_ memories: [RecentPings], in circle: Circle, during times: Range<Timestamp>, limit: Int) {
        for memory in memories {
            for ping in memory.unfolded.pings.lazy.map(\.ping) where ping.time < times.upperBound {
                let ping = ping.staying(memory.stays[ping.key])
                if ping.stay.until >= times.lowerBound, circle.contains(ping.place) { logged.append(ping) }
            }
            for (key, stay) in memory.stays where key.time < times.upperBound && stay.until >= times.lowerBound {
                // Most are of the last position, of which the place is known here.
                if let last = memory.last, last.key == key, !circle.contains(last.place) { continue }
                if memory.unfolded.contains(key) { continue }
                guard confirmed.count < limit else {
                    isWhole = false
                    break
                }
                confirmed[Key(person: memory.person, ping: key)] = stay
            }
        }
    }
}

/// What is only in memory of a person's positions; it is taken out of the picture as it is, and looked at outside.
private struct RecentPings: Sendable {
    let person: PersonNumber
    let unfolded: UnfoldedPings
    let stays: [PingKey: Stay]
    let last: JudgedPing?
}

extension Live {
    /// What is only in memory of everybody's positions.
    fileprivate func recent() async throws -> [RecentPings] {
        try await read(each: 0..<read { $0.people.nextNumber }, costing: 3) { picture, person in
            let unfolded = picture.people.unfolded[person]
            let stays = picture.people.unwrittenStays[person]?.stays ?? [:]
            guard !unfolded.isEmpty || !stays.isEmpty else { return nil }
            return RecentPings(person: person, unfolded: unfolded, stays: stays, last: picture.people.last(of: person))
        }
    }
}
