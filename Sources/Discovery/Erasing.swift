public import Geo
public import Storage
internal import Synchronization

extension Picture {
    /// What deleting pings of a person changes; nothing when none of them is there.
    ///
    /// The newest ping that is left becomes the last position, with the cell that strangers knew then.
    func erasure(
        of keys: Set<PingKey>, _ number: Int32, in transaction: Transaction
    ) throws -> (count: Int, changes: [Change]) {
        let tail = crowd.tail(of: number).pings
        let logged = tail.filter { keys.contains($0.ping.key) }
        let present = try transaction.folded(keys, of: number).union(logged.map { $0.ping.key })
        guard !present.isEmpty else { return (0, []) }
        let rest = tail.last { !present.contains($0.ping.key) }?.ping
        let newest = [try transaction.newest(of: number, except: present), rest].compactMap(\.self)
            .max { ($0.time, $0.sequence) < ($1.time, $1.sequence) }
        let rows = Set(logged.map(\.logNumber))
        return (present.count, [.pingsErased(person: number, present, logRows: rows, newest: newest)])
    }
}

extension Live {
    /// How many pings one command deletes, so that others never wait long.
    private static let erasedAtOnce = 1_000

    /// Deletes the stored pings of a person in an interval of fix times and an area, for good.
    ///
    /// It is done some pings at a time, each step durable; when one fails the rest is still there, and asking again goes on.
    ///
    /// - Returns: how many were deleted.
    /// - Throws: ``Refusal/unknown(_:_:)`` or ``StorageError``.
    public func erase(
        of id: EntityID, in times: Range<Timestamp>, where area: Region?, by caller: Caller, received: Timestamp
    ) async throws -> Int {
        var count = 0
        var after: (time: Timestamp, sequence: UInt8)?
        var page: [StoredPing]
        repeat {
            page = try await history(
                of: id, from: times.lowerBound, to: times.upperBound, after: after, limit: Self.erasedAtOnce)
            after = page.last.map { ($0.time, $0.sequence) }
            let keys = page.filter { area?.contains($0.place) ?? true }.map { $0.key }
            if keys.isEmpty { continue }
            if case .erased(let erased) = try await perform(Command(.erase(id, keys), by: caller, received: received)) {
                count += erased
            }
        } while page.count == Self.erasedAtOnce
        return count
    }

    /// Deletes what is older than the retention of the service or of its person, of some people each time it is called.
    ///
    /// Pings are deleted from the tables; those that wait in the log are seen when they are folded.
    ///
    /// - Returns: how many were deleted, and whether everybody has been looked at.
    /// - Throws: ``StorageError``; the same people are looked at again next time.
    @discardableResult
    public func expire(now: Timestamp) async throws -> (count: Int, isWhole: Bool) {
        let (expired, last) = try await store.expired(
            after: expiredThrough.withLock { $0 }, retention: rules.retention, now: now)
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for one in expired {
                group.addTask { [self] in
                    let command = Command(.erase(one.person, one.keys), by: .service, received: now)
                    do {
                        guard case .erased(let count) = try await perform(command) else { return 0 }
                        return count
                    } catch is Refusal { return 0 }  // deleted meanwhile, with all positions
                }
            }
            return try await group.reduce(0, +)
        }
        expiredThrough.withLock { $0 = last }
        return (count, last < 0)
    }
}
