public import Geo
public import Model
internal import Storage
internal import Synchronization

/// Permanently deletes a person's stored positions, as many as fit into a writer turn.
package struct Erase: Action {
    let person: PersonID
    let keys: [PingKey]

    /// The positions with these keys; missing ones are ignored.
    package init(_ person: PersonID, _ keys: [PingKey]) { (self.person, self.keys) = (person, keys) }

    package var weight: Int { max(1, keys.count) }

    package func cut(receivedAt received: Timestamp) -> Chunks<Erase> {
        Chunks(keys.stretches { _ in 1 }.map { Erase(person, $0) }) { parts in
            (parts.reduce(0) { $0 + $1.count }, parts.flatMap(\.left))
        }
    }

    /// - Returns: the number of deleted positions, and the keys left for further turns.
    package func apply(to draft: inout Draft) throws -> (count: Int, left: [PingKey]) {
        let number = try draft.number(of: person)
        let before = draft.state.people.whereabouts(of: number)
        let (present, left, changes) = try draft.erasure(of: keys, number)
        try draft.write(changes)
        if !present.isEmpty {
            try draft.write(
                draft.state.people.consequences(of: number, erasing: present, from: before, at: draft.received))
        }
        return (present.count, left)
    }
}

/// Deletes an interval of the stay at an earlier stored position, if that lies in the area, and of the live position.
struct ForgetStay: Action {
    let person: PersonID
    let times: Range<Timestamp>
    let area: Region?

    var weight: Int { Engine.turnWeight }

    /// - Returns: the number of stays changed, at most one.
    func apply(to draft: inout Draft) throws -> Int {
        let number = try draft.number(of: person)
        let changes = try draft.forgetting(times, area, number)
        try draft.write(changes + draft.forgettingLive(times, area, number))
        return changes.isEmpty ? 0 : 1
    }
}

extension Draft {
    /// The changes that delete pings of a person; none if none of them exist.
    ///
    /// The newest remaining ping becomes the last position, with its public cell.
    fileprivate func erasure(
        of all: [PingKey], _ number: PersonNumber
    ) throws -> (present: Set<PingKey>, left: [PingKey], changes: [Change]) {
        let (keys, left) = try cut(all, number)
        let logTail = state.people.logTail[number].pings
        let logged = logTail.filter { keys.contains($0.ping.key) }
        let present = try transaction.compacted(keys, of: number).union(logged.map { $0.ping.key })
        guard !present.isEmpty else { return ([], left, []) }
        let rest = logTail.last { !present.contains($0.ping.key) }?.ping
        let newest = [try transaction.newest(of: number, except: present), rest].compactMap(\.self)
            .max { ($0.time, $0.sequence) < ($1.time, $1.sequence) }
        let rows = Set(state.people.rows(of: present, number).values)
        let erased = Change.pings(.erased(person: number, present, logRows: rows, newest: newest))
        let ended = try endedStays(before: present, number)
        return (present, left, [erased] + ended)
    }

    /// Splits pings into those deleted in this writer turn and those left for later, because deleting one in the log
    /// rewrites its row, which may be long.
    private func cut(_ keys: [PingKey], _ number: PersonNumber) throws -> (now: Set<PingKey>, later: [PingKey]) {
        let rows = state.people.rows(of: Set(keys), number)
        var room = WorkBudget.stepsPerTurn / 2
        var later: Set<Int64> = []
        for (index, row) in Set(rows.values).sorted().enumerated() {
            room -= try transaction.stepsOfRewriting(logRow: row)
            if room < 0, index > 0, !isShared { later.insert(row) }
        }
        let left = keys.filter { rows[$0].map(later.contains) ?? false }
        return (Set(keys).subtracting(left), left)
    }

    /// The changes that delete an interval of the stay at the position before it; none if the stay ended earlier or
    /// lies outside the area.
    fileprivate func forgetting(
        _ times: Range<Timestamp>, _ area: Region?, _ number: PersonNumber
    ) throws -> [Change] {
        guard times.lowerBound.milliseconds > 0 else { return [] }
        let points = try stored(through: times.lowerBound - .milliseconds(1), number)
        guard let point = points.last, area?.contains(point.place) ?? true else { return [] }
        var stay = stay(of: number, at: RecentPing(point))
        guard stay.forget(times) else { return [] }
        return keep([point.key: stay], number)
    }

    /// The changes that delete an interval of a person's live position and events; with an area only the former,
    /// because an event's place is not known: events between deleted positions are deleted with those.
    fileprivate func forgettingLive(_ times: Range<Timestamp>, _ area: Region?, _ number: PersonNumber) -> [Change] {
        guard !times.isEmpty else { return [] }
        let live = state.people.live(of: number)
        let rest = live.flatMap { times.contains($0.time) && area?.contains($0.place) ?? true ? nil : $0 }
        var changes: [Change] = rest == live ? [] : [.pings(.livePositionChanged(person: number, nil, at: received))]
        // An earlier live position may be in the database.
        changes.append(.pings(.livePositionWritten(person: number, rest)))
        if area == nil {
            let last = times.upperBound - .milliseconds(1)
            changes.append(.pings(.eventsErased(person: number, during: times.lowerBound...last)))
        }
        return changes
    }

    /// The trusted positions at the latest fix time up to `time`, in order of their keys.
    private func stored(through time: Timestamp, _ number: PersonNumber) throws -> [StoredPing] {
        let compacted = try transaction.neighbours(of: number, around: time).before
        let logged = state.people.logTail[number].neighbours(around: time).map(\.ping).filter { $0.time <= time }
        return (compacted + logged).filter { !$0.isSuspect }.sorted { $0.key < $1.key }
    }

    /// Interrupts stays at remaining positions where later ones are deleted: a deleted absence must not appear as a
    /// stay.
    private func endedStays(before erased: Set<PingKey>, _ number: PersonNumber) throws -> [Change] {
        guard let first = erased.min()?.time, let last = erased.max()?.time, first.milliseconds > 0 else { return [] }
        let between = first...last
        let logged = state.people.logTail[number].pings.map(\.ping).filter { between.contains($0.time) }
        let compacted = try transaction.pings(of: number, in: between)
        var point = try stored(through: first - .milliseconds(1), number).last
        var stays: [PingKey: Stay] = [:]
        for ping in (compacted + logged).sorted(by: { $0.key < $1.key }) where !ping.isSuspect {
            if !erased.contains(ping.key) {
                point = ping
            } else if let point {
                let known = stay(of: number, at: RecentPing(point))
                stays[point.key, default: known].contradict(at: ping.time)
            }
        }
        return keep(stays, number)
    }

    /// Records stays and writes them at once.
    private func keep(_ stays: [PingKey: Stay], _ number: PersonNumber) -> [Change] {
        let logTail = state.people.logTail[number]
        return stays.sorted { $0.key < $1.key }.flatMap { key, stay in
            [
                .pings(.confirmed(person: number, key, stay, at: received)),
                .pings(.stayWritten(person: number, key, stay, logged: logTail[key]?.ping)),
            ]
        }
    }
}

/// The result of deleting a part of a history.
public struct Erased: Hashable, Sendable {
    /// Number of stored positions.
    public var pings = 0
    /// Number of stays at positions that are still stored.
    public var stays = 0
}

extension Engine {
    /// Number of pings looked up and deleted together, in several writer turns.
    private static let erasedAtOnce = 1_000

    /// Permanently deletes a person's stored pings in an interval of fix times and an area.
    ///
    /// Batches are deleted one by one, each durably. After a failure the rest remains, and a repeated request
    /// continues. A stay at a position stored before the interval loses the interval.
    ///
    /// - Returns: the number of deleted pings and stays.
    /// - Throws: ``Refusal/unknown(_:_:)`` or ``StorageError``.
    public func erase(
        of id: PersonID, in times: Range<Timestamp>, where area: Region?, by caller: Caller, received: Timestamp
    ) async throws -> Erased {
        var erased = Erased()
        var after: (time: Timestamp, sequence: UInt8)?
        var page: [StoredPing]
        repeat {
            page = try await history(
                of: id, from: times.lowerBound, to: times.upperBound, after: after, limit: Self.erasedAtOnce)
            after = page.last.map { ($0.time, $0.sequence) }
            let keys = page.filter { area?.contains($0.place) ?? true }.map { $0.key }
            erased.pings += try await erase(keys, of: id, by: caller, in: .caller(caller), received: received)
        } while page.count == Self.erasedAtOnce
        erased.stays = try await perform(
            ForgetStay(person: id, times: times, area: area), by: caller, at: received)
        return erased
    }

    /// Deletes pings of a person in as many turns of a tenant as needed.
    ///
    /// - Returns: the number of pings that existed.
    private func erase(
        _ keys: [PingKey], of id: PersonID, by caller: Caller, in tenant: Tenant, received: Timestamp
    ) async throws -> Int {
        var (count, rest) = (0, keys)
        while !rest.isEmpty {
            let (some, left) = try await perform(Erase(id, rest), by: caller, at: received, of: tenant)
            (count, rest) = (count + some, left)
        }
        return count
    }

    /// Deletes pings older than the retention of the service or of their person, for a batch of people.
    ///
    /// Pings are deleted from the tables; those in the log are handled after compaction.
    ///
    /// - Returns: the number of deleted pings, and whether all people have been checked.
    /// - Throws: ``StorageError``; the next call then checks the same people.
    @discardableResult
    public func expire(now: Timestamp) async throws -> (count: Int, isWhole: Bool) {
        let (expired, last) = try await store.expired(
            after: expiredThrough.withLock { $0 }, retention: rules.retention, now: now)
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for one in expired {
                group.addTask { [self] in
                    do {
                        return try await erase(one.keys, of: one.person, by: .service, in: .maintenance, received: now)
                    } catch is Refusal { return 0 }  // deleted in the meantime, with all positions
                }
            }
            return try await group.reduce(0, +)
        }
        expiredThrough.withLock { $0 = last }
        return (count, last < 0)
    }
}
