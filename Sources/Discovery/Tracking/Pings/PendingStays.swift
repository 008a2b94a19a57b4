internal import Algorithms
internal import Geo
public import Model
internal import Storage

/// Live positions and lengths of stays that are not written yet, by person.
struct PendingStays: Sendable {
    private var pendingStays: [PersonNumber: PersonStays] = [:]

    subscript(person: PersonNumber) -> PersonStays? { pendingStays[person] }

    /// Records a stay.
    ///
    /// - Returns: whether it has become longer, which confirms the position.
    mutating func put(_ person: PersonNumber, _ key: PingKey, _ stay: Stay, at received: Timestamp) -> Bool {
        let known = pendingStays[person, default: PersonStays(since: received)].put(key, stay)
        return stay.until > known ?? key.time
    }

    /// The unwritten stay of a person near a position.
    func stay(of person: PersonNumber, at key: PingKey) -> Stay? { pendingStays[person]?.stays[key] }

    /// The earliest position of a person with too many unwritten stays.
    func excess(of person: PersonNumber) -> PingKey? { pendingStays[person]?.excess }

    /// Removes stays that are written now, or whose positions are deleted.
    mutating func remove(_ keys: some Sequence<PingKey>, of person: PersonNumber) {
        change(person) { pendingStays in for key in keys { pendingStays.remove(key) } }
    }

    /// Drops brief stays at positions before one that is stored now, which are not worth writing.
    mutating func moveOn(_ person: PersonNumber, to next: PingKey) { change(person) { $0.removeBrief(before: next) } }

    /// Sets whether the person's live position is unwritten, since a ping received at this time.
    mutating func setFix(of person: PersonNumber, isUnwritten: Bool, at received: Timestamp? = nil) {
        if isUnwritten, let received {
            pendingStays[person, default: PersonStays(since: received)].hasFix = true
        } else {
            change(person) { $0.hasFix = isUnwritten }
        }
    }

    private mutating func change(_ person: PersonNumber, _ change: (inout PersonStays) -> Void) {
        guard let place = pendingStays.index(forKey: person) else { return }
        if pendingStays.values[place].isEmpty(after: change) { pendingStays.remove(at: place) }
    }

    mutating func forget(_ person: PersonNumber) { pendingStays[person] = nil }
}

/// A person's stays near stored positions, where they are not written yet.
struct PersonStays: Sendable {
    /// Minimum time between two writes per person, unless there are too many stays.
    static let pause = Duration.seconds(600)
    /// Maximum number of stays in memory per person.
    static let most = 1_000

    /// The receipt of the first of them.
    let since: Timestamp
    private(set) var stays: [PingKey: Stay] = [:]
    fileprivate(set) var hasFix = false
    /// Sorted keys of stays that contain only a departure.
    private var brief: [PingKey] = []

    init(since: Timestamp) { self.since = since }

    fileprivate mutating func isEmpty(after change: (inout PersonStays) -> Void) -> Bool {
        change(&self)
        return stays.isEmpty && !hasFix
    }

    /// - Returns: the previous end of the stay.
    /// - Complexity: O(log of the brief ones), plus moving those after it.
    fileprivate mutating func put(_ key: PingKey, _ stay: Stay) -> Timestamp? {
        let known = stays.updateValue(stay, forKey: key)
        let wasBrief = known.map(Self.isBrief) ?? false
        guard wasBrief != Self.isBrief(stay) else { return known?.until }
        let position = brief.partitioningIndex { $0 >= key }
        if wasBrief { brief.remove(at: position) } else { brief.insert(key, at: position) }
        return known?.until
    }

    mutating func remove(_ key: PingKey) {
        guard let stay = stays.removeValue(forKey: key), Self.isBrief(stay) else { return }
        brief.remove(at: brief.partitioningIndex { $0 >= key })
    }

    /// - Complexity: O(removed stays), plus moving the brief ones after them.
    mutating func removeBrief(before next: PingKey) {
        let count = brief.partitioningIndex { $0 >= next }
        for key in brief.prefix(count) { stays[key] = nil }
        brief.removeFirst(count)
    }

    /// The earliest position if there are too many, which must be written at once.
    ///
    /// - Complexity: O(stays) if there are too many, else O(1).
    var excess: PingKey? {
        guard stays.count > Self.most else { return nil }
        WorkBudget.count(stays.count / 10)
        return stays.keys.min()
    }

    /// Whether they are due for writing, or were received while the clock was ahead.
    func areDue(at now: Timestamp) -> Bool { now - since >= Self.pause || now < since }

    private static func isBrief(_ stay: Stay) -> Bool { stay.until == stay.since }
}

/// A person's position whose length of stay must be written, or their live position.
public struct PendingWrite: Codable, Sendable {
    /// The number of the person.
    public var person: PersonNumber
    /// The position; nil for the live one.
    public var key: PingKey?
}

extension LiveState {
    /// Maximum number of people, and of stays, examined in one read.
    private static let readAtOnce = 1_000

    /// The unwritten stays of the next people by number: those older than the pause at `now`, or all for nil.
    ///
    /// - Returns: the stays, and the next person; nil after the last.
    func pending(from first: PersonNumber, dueAt now: Timestamp?) -> (pending: [PendingWrite], next: PersonNumber?) {
        var pending: [PendingWrite] = []
        var next = first
        while next < min(first.advanced(by: Self.readAtOnce), people.nextNumber), pending.count < Self.readAtOnce {
            defer { next = next.advanced(by: 1) }
            guard let pendingStays = people.pendingStays[next], now.map({ pendingStays.areDue(at: $0) }) ?? true else {
                continue
            }
            // Also a departure alone: if the person is seen there again later, they were away in between.
            pending += pendingStays.stays.keys.sorted().map { PendingWrite(person: next, key: $0) }
            if pendingStays.hasFix { pending.append(PendingWrite(person: next)) }
        }
        WorkBudget.count(10 * (first.distance(to: next) + pending.count))
        return (pending, next < people.nextNumber ? next : nil)
    }
}

/// Writes the length of a stay, or a live position.
struct WritePendingStay: Action {
    let pending: PendingWrite

    var weight: Int { 1 }

    func apply(to draft: inout Draft) throws {
        try draft.requireService()
        try draft.keep(pending)
    }
}

extension Draft {
    /// Writes the length of a stay, or a live position, if it is not written yet.
    mutating func keep(_ one: PendingWrite) throws {
        guard let pendingStays = state.people.pendingStays[one.person] else { return }
        if let key = one.key, let stay = pendingStays.stays[key] {
            let logged = state.people.logTail[one.person][key]?.ping
            try write(.pings(.stayWritten(person: one.person, key, stay, logged: logged)))
        }
        if one.key == nil, pendingStays.hasFix {
            try write(.pings(.livePositionWritten(person: one.person, state.people.live(of: one.person))))
        }
    }
}

extension Engine {
    /// Writes live positions and lengths of stays that are due, or all for nil.
    ///
    /// - Throws: ``StorageError``.
    public func writePendingStays(dueAt now: Timestamp?) async throws(StorageError) {
        var first: PersonNumber? = 0
        while let start = first {
            let (pending, next) = read { $0.pending(from: start, dueAt: now) }
            first = next
            guard !pending.isEmpty else { continue }
            let all = Batch(pending.map(WritePendingStay.init))
            do {
                try await perform(all, by: .service, at: now ?? Timestamp(milliseconds: 0), of: .maintenance)
            } catch { throw StorageError(error) }
        }
    }
}
