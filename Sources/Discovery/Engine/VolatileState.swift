internal import Geo
internal import Model
internal import Storage
internal import Structures

/// A person's volatile state, which a single node keeps only in memory.
///
/// A shutdown writes its stays and live position, which are also written every ten minutes; a crash loses the rest.
///
/// Nodes of a replicated log persist it, because a restarted node must decide exactly like the others.
struct VolatileState: Codable {
    private struct Stayed: Codable {
        var key: PingKey
        var stay: Stay
    }

    private struct DueAlert: Codable {
        var fence: FenceNumber
        var due: Timestamp
    }

    private var run: OutlierRun?
    private var suspect: Timestamp?
    /// Since when the length of stay, or the live position, has not been written.
    private var since: Timestamp?
    private var stays: [Stayed] = []
    private var hasFix = false
    private var fix: LiveFix?
    private var alertDue: [DueAlert] = []
    private var events: EventCount?

    /// Captures the volatile state of a person; nil if there is none.
    init?(of person: PersonNumber, in state: borrowing LiveState) {
        run = state.people.outliers.runs[person]
        suspect = state.people.outliers.newestSuspects[person]
        if let pendingStays = state.people.pendingStays[person] {
            since = pendingStays.since
            stays = pendingStays.stays.sorted { $0.key < $1.key }.map { Stayed(key: $0.key, stay: $0.value) }
            hasFix = pendingStays.hasFix
            fix = hasFix ? state.people.live(of: person) : nil
        }
        alertDue = state.fences.inactivityAlerts.dues(of: person).sorted { $0.key < $1.key }.map {
            DueAlert(fence: $0.key, due: $0.value)
        }
        events = state.eventCounts[person]
        if run == nil, suspect == nil, since == nil, alertDue.isEmpty, events == nil { return nil }
    }

    /// Restores it into a state that was loaded from the file.
    func restore(_ person: PersonNumber, in state: inout LiveState) {
        for one in stays {
            state.people.confirm(person, one.key, one.stay, at: since ?? one.stay.until)
        }
        if hasFix { state.people.locate(person, at: fix, received: since) }
        if let suspect { state.people.outliers.restoreSuspect(of: person, at: suspect) }
        state.people.outliers.setRun(run, of: person)
        state.eventCounts[person] = events
        for one in alertDue where state.fences.inactivityAlerts.naming[person]?.numbers.contains(one.fence) ?? false {
            state.apply(.alertDue(one.fence, person, until: one.due) as FenceChange)
        }
    }
}

/// Volatile state that belongs to no person.
struct IDCounters: Codable {
    /// The next ID numbers, which are greater than deleted entities' too.
    private var people: PersonNumber
    private var places: PlaceNumber
    private var products: ProductNumber
    private var comments: CommentNumber
    private var devices: DeviceNumber
    private var groups: GroupNumber
    private var fences: FenceNumber
    private var shares: ShareNumber
    private var webhooks: WebhookNumber
    private var recentlyDeleted: RecentlyDeleted?
    /// The newest time of an applied log entry.
    private var time: Timestamp?

    /// Before every entry of a log.
    static let beginning = Timestamp(milliseconds: 0)

    /// Returns the newest time of an applied entry, from the bytes stored with a log position.
    static func time(_ standing: [UInt8], at position: LogPosition) throws(StorageError) -> Timestamp {
        // A position without entries has no bytes yet.
        guard position.number > 0 else { return beginning }
        do {
            var reader = CompactReader(standing)
            return try reader.read(IDCounters.self).time ?? beginning
        } catch { throw .damaged("the position in the replicated log: \(error)") }
    }

    /// Captures the volatile state when the newest entry so far has the time `now`.
    init(of state: borrowing LiveState, at now: Timestamp) {
        people = state.people.nextNumber
        places = state.catalogue.placeIndex.nextNumber
        products = state.catalogue.inventory.nextNumber
        comments = state.comments.nextNumber
        devices = state.people.devices.nextNumber
        groups = state.people.groups.nextNumber
        fences = state.fences.nextNumber
        shares = state.shares.nextNumber
        webhooks = state.webhooks.nextNumber
        recentlyDeleted = state.people.recentlyDeleted.standing(at: now)
        time = now
    }

    /// Restores it into a state that was loaded from the file.
    func restore(in state: inout LiveState) {
        state.people.skip(to: people)
        state.catalogue.placeIndex.skip(to: places)
        state.catalogue.inventory.skip(to: products)
        state.comments.skip(to: comments)
        state.people.devices.skip(to: devices)
        state.people.groups.skip(to: groups)
        state.fences.skip(to: fences)
        state.shares.skip(to: shares)
        state.webhooks.skip(to: webhooks)
        if let recentlyDeleted { state.people.recentlyDeleted = recentlyDeleted }
    }
}

extension StateCopies {
    /// Restores the volatile state at the last applied log entry; does nothing if no log was ever replicated.
    mutating func restoreVolatileState(from store: Store) throws(StorageError) {
        guard let (position, standing) = try store.followedLog(), position.number > 0 else { return }
        do {
            var reader = CompactReader(standing)
            let known = try reader.read(IDCounters.self)
            known.restore(in: &first)
            known.restore(in: &second)
            var states: [(PersonNumber, VolatileState)] = []
            try store.forEachVolatileState { person, bytes in
                var reader = CompactReader(bytes)
                states.append((person, try reader.read()))
            }
            for (person, passing) in states {
                passing.restore(person, in: &first)
                passing.restore(person, in: &second)
            }
        } catch let error as DecodingError { throw .damaged("the volatile state: \(error)") } catch {
            throw StorageError(error)
        }
    }
}

extension LiveState {
    /// Persists the volatile state of people who may have changed.
    func writeVolatileState(of touched: Set<PersonNumber>, in transaction: Transaction) throws {
        for person in touched.sorted() where people.contains(person) {
            let bytes = try VolatileState(of: person, in: self).map { passing in
                let writer = CompactWriter()
                try writer.write(passing)
                return writer.bytes
            }
            try transaction.writeVolatileState(bytes, of: person)
        }
    }
}

extension Change {
    /// The person whose volatile state the change may affect.
    var touched: PersonNumber? {
        switch self {
        case .pings(let change): change.person
        case .people(.eventCounted(let person, _, _)), .people(.eventsLimited(let person, _, _)): person
        case .fences(.alertDue(_, let person, _)), .fences(.watchEnded(_, let person)): person
        default: nil
        }
    }
}

extension PingChange {
    fileprivate var person: PersonNumber {
        switch self {
        case .stored(let ping), .suspected(let ping): ping.person
        case .newest(let person, _), .outlierRun(let person, _), .confirmed(let person, _, _, _),
            .stayWritten(let person, _, _, _), .livePositionChanged(let person, _, _),
            .livePositionWritten(let person, _), .eventsErased(let person, _),
            .erased(let person, _, _, _):
            person
        }
    }
}
