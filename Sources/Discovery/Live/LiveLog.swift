internal import Geo
public import Model
internal import Storage
internal import Structures

/// Following a log: what is to be done is written there first, and done when it comes back, in the order of the log.
extension Live {
    /// How turns are taken, in commits and in messages of a log.
    static func bounds<Item>(_ capacity: Capacity) -> GroupCommit<Item, Party>.Bounds {
        .init(
            heaviest: heaviestGroup, turn: \.turn, isHurried: \.isHurried,
            takes: { $0.mayWait(behind: $1, of: $2, capacity) })
    }

    /// What is known of a log, if there is one.
    static func following(_ log: (any ActionLog)?, _ store: Store) throws(StorageError) -> FollowedLog? {
        let known = try store.followedLog()
        guard let log else {
            guard known == nil else { throw .unreachable(path: "", reason: "it follows a log with other machines") }
            return nil
        }
        guard known.map({ $0.position.log == log.identity }) ?? true else {
            throw .unreachable(path: "", reason: "it follows another log")
        }
        try store.syncLate()
        try store.removeCopies()
        guard let known else {
            return FollowedLog(log, from: LogPlace(position: .init(log: log.identity), time: Standing.beginning))
        }
        return FollowedLog(
            log, from: LogPlace(position: known.position, time: try Standing.time(known.standing, at: known.position)))
    }

    /// How long is waited after the machine failed to store something, before it is tried again.
    private static let pauseOfFault = Duration.seconds(1)

    /// How far the log is followed; nil where there is none.
    public var logProgress: LogProgress? { following?.progress }

    /// Whether this machine does what only one does: follows no log, or holds the lease.
    public var keepsAll: Bool { following.map { $0.lease != nil } ?? true }

    /// Takes note of the lease under which this machine does what only one does, by its revision, until it ends; nil for none.
    public func hold(_ revision: UInt64?, until end: ContinuousClock.Instant?) {
        if let revision, let end { following?.hold((revision, end)) } else { following?.hold(nil) }
    }

    /// Writes an empty message to the log, which shows when it comes back that all before it was followed: ``LogProgress/lag``.
    ///
    /// - Throws: when the log does not have it.
    public func pulse() async throws { try await following?.pulse() }

    /// Follows no further, and says why; who waits for something to be done, and who comes later, is told that it is not known.
    public func endFollowing(_ fault: String) { following?.end(fault) }

    /// Waits until a message was followed.
    ///
    /// - Returns: whether it was, in time.
    public func reach(_ number: UInt64, within limit: Duration) async -> Bool {
        guard let following else { return true }
        let end = ContinuousClock.now + limit
        while following.progress.number < number {
            guard ContinuousClock.now < end, !Task.isCancelled else { return false }
            try? await Task.sleep(for: .milliseconds(2))
        }
        return true
    }

    /// Does what messages say, in their order, and tells those who wait for it here.
    ///
    /// What the machine fails to store is tried again until it is stored, for the log goes on with it; ``logProgress`` says so.
    ///
    /// - Parameters:
    ///   - entries: the messages, the first of which is the next one.
    ///   - now: what the clock of the machine shows, only to tell whether that is right.
    /// - Returns: what this machine came to, if all compare that after one of the messages.
    /// - Throws: ``LoggedActions/Fault`` for a message that a later program wrote, is not the next one, or shows that others came
    ///   to something else; `CancellationError`. Those before it were followed.
    @discardableResult
    public func follow(_ entries: [LogEntry], at now: Timestamp) async throws -> Waypoint? {
        guard let following else { return nil }
        let read = following.read(entries, at: now)
        var rest = read.messages[...]
        var waypoint: Waypoint?
        while !rest.isEmpty {
            let part = rest.firstIndex(where: \.isWaypoint).map { rest[...$0] } ?? rest
            await commit(part)
            let done = part.prefix { $0.result == nil }
            if let seen = done.compactMap(\.publishedAt).max() { following.note(seenUntil: seen) }
            if let last = done.last { waypoint = self.waypoint(after: last) ?? waypoint }
            rest = rest.dropFirst(done.count)
            guard let error = rest.first?.result else { continue }
            if !error.isPassing, rest.first?.passOver() == true { continue }
            following.note(fault: "\(error)")
            // A snapshot would keep a full disk full.
            waypoint = nil
            try await Task.sleep(for: Self.pauseOfFault)
            following.note(fault: nil)
        }
        if let fault = read.fault { throw fault }
        return waypoint
    }

    // MARK: - On the writer's queue

    /// Writes what only the draft knows of people, and of nobody in particular.
    func keepPassing(
        of touched: Set<PersonNumber>, _ place: LogPlace, in transaction: Transaction
    ) throws {
        let writer = CompactWriter()
        try picture.draft { draft in
            try draft.keepPassing(of: touched, in: transaction)
            try writer.write(Standing(of: draft, at: place.time))
        }
        try transaction.follow(place.position, standing: writer.bytes)
    }

    /// Does what a message says on the draft, and writes with it how far the log was followed.
    func follow(
        _ message: FollowedMessage, in transaction: Transaction, _ take: (Turn) throws -> [Change]
    ) throws {
        guard let following, var place = following.place(before: message.number) else {
            throw StorageError.other("message \(message.number) does not come next")
        }
        place.time = max(place.time, message.time)
        var touched: Set<PersonNumber> = []
        for (index, turn) in message.turns.enumerated() where message.isLeft(index) {
            if let lease = turn.lease {
                guard lease >= place.position.lease else {
                    message.refuse(index, .other("another machine has the lease"))
                    continue
                }
                place.position.lease = lease
            }
            message.note(failing: index)
            touched.formUnion(try take(turn.agreeing(with: place.time)).compactMap(\.touched))
        }
        message.note(failing: nil)
        place.position.number = message.number
        try keepPassing(of: touched, place, in: transaction)
        following.draft(place)
    }
}

extension StorageError {
    /// Whether the same may be stored later: what failed was the machine.
    fileprivate var isPassing: Bool {
        switch self {
        case .constraint, .other: false
        default: true
        }
    }
}
