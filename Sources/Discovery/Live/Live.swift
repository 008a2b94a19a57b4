public import Cities
package import Geo
internal import Meters
public import Model
public import Storage
internal import Structures
internal import Synchronization

/// The living whole: the picture that answers are read from, the storage behind it, and the one way to change both.
///
/// An action is judged on the draft of the picture, made durable together with whatever else arrived meanwhile, shown to
/// readers, and only then answered. When it cannot be made durable the draft is thrown away and nothing happened.
public final class Live: Sendable {
    /// How much is done in a turn of the writer, in ``Action/weight``: that many pings, whatever is said in them, cost it some
    /// 2 ms on a slow machine.
    static let turn = 32
    /// How many pings and other things share a commit at most.
    static let heaviestGroup = 10_000
    /// The storage behind the picture, for what is read in bulk.
    package let store: Store
    /// The cities that the picture knows.
    public let gazetteer: Gazetteer
    let rules: PingRules
    /// Remembers the longest readings and turns, and the largest bill.
    package var gauge: Geo.Gauge { store.gauge }
    /// What of the rules is turned off; nothing but in tests.
    package var defences: Defences { rules.defences }
    private let capacity: Capacity
    let picture: LeftRight<Picture>
    private let draftLog = Mutex(DraftLog())
    /// The last person whose pings were looked at for their age; -1 for nobody yet.
    let expiredThrough = Mutex<PersonNumber>(-1)
    /// What is known of the machine's clock, and what the picture has to know of that.
    let clock: Mutex<Watched>
    let clockDoubt: ClockDoubt
    private let commits = Mutex<GroupCommit<Request, Party>?>(nil)
    /// Where turns are gathered that go into a log first.
    private let relays = Mutex<GroupRelay<Turn, Party>?>(nil)
    /// The log that is followed, with other machines; nil for none.
    let following: FollowedLog?
    /// The newest events, for those who follow them.
    let feed: EventFeed
    /// Who watches where others are.
    let followers = Followers()
    /// How often links were opened that is not written yet.
    let views = Mutex<[ShareNumber: Int64]>([:])
    /// When devices were last heard, as far as that is not written.
    let lastHeard = Mutex(LastHeard())
    let order: SipKey
    let measures: LiveMeters

    /// What was done on the draft since it was last shown.
    private struct DraftLog {
        /// With the number of the row of the log that their pings are in.
        var changes: [(logNumber: Int64, made: [Change])] = []
        var folded: [(people: ArraySlice<PersonNumber>, through: Int64)] = []
    }

    private enum Request: Sendable {
        /// Does a part of an action.
        case turn(Turn)
        /// Forgets the pings of people that are in the tables now, those of log rows up to one.
        case forgetUnfolded(of: ArraySlice<PersonNumber>, through: Int64, CheckedContinuation<Void, Never>?)
        /// Does what a message of the log says.
        case message(FollowedMessage, CheckedContinuation<Void, Never>?)

        var weight: Int {
            switch self {
            case .turn(let turn): turn.weight
            case .forgetUnfolded: Live.turn
            case .message(let message, _): message.weight
            }
        }
    }

    /// Builds the picture from a store, which follows a log if there is one.
    ///
    /// - Throws: ``StorageError`` when it cannot be read, or followed another log, or one while there is none.
    public init(
        store: Store, gazetteer: Gazetteer, rules: PingRules, capacity: Capacity = Capacity(),
        log: (any ActionLog)? = nil, loading report: @escaping LoadProgress = { _, _, _ in }
    ) throws(StorageError) {
        (self.store, self.gazetteer, self.capacity, self.rules) = (store, gazetteer, capacity, rules)
        following = try Self.following(log, store)
        order = SipKey(try store.secret(.order))
        feed = EventFeed(last: try store.lastEvent(), capacity: capacity.events)
        measures = LiveMeters(store.meters)
        clock = Mutex(Watched(trust: ClockTrust(known: try store.knownTime())))
        let twins = try Picture.load(from: store, gazetteer, rules, report)
        clockDoubt = twins.first.people.doubt
        picture = LeftRight(twins.first, twin: twins.second)
        if let following {
            relays.withLock { relays in
                relays = GroupRelay(bounds: Self.bounds(capacity), weight: \.weight) { await following.relay($0) }
            }
        }
        commits.withLock { commits in
            commits = GroupCommit(
                store: store, bounds: Self.bounds(capacity), weight: \.weight,
                perform: { [unowned self] request, transaction in try perform(request, transaction) },
                undo: { [unowned self] in undo() },
                settle: { [unowned self] requests, error in settle(requests, error) })
        }
    }

    /// Reads the picture as it is now; what is read does not change meanwhile.
    ///
    /// - Returns: What `body` returns.
    public func read<Result, Failure: Error>(
        _ body: (borrowing Picture) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try picture.read { picture throws(Failure) in
            try store.gauge.measure(.reading) { () throws(Failure) in try body(picture) }
        }
    }

    /// Carries an action out on behalf of a caller, durably.
    ///
    /// What is more than a turn of the writer, such as a batch of a thousand pings, is done in parts, in order, between which
    /// others have their turns.
    ///
    /// - Returns: what it did, when all of that is on disk and seen by readers.
    /// - Throws: ``Refusal``, or ``StorageError``; then nothing was done, or, of what is done in parts, some of them.
    @discardableResult
    public func perform<A: Action>(
        _ action: A, by caller: Caller, at received: Timestamp
    ) async throws -> A.Outcome {
        try await perform(action, by: caller, at: received, of: .caller(caller))
    }

    /// The same in the turns of a party.
    @discardableResult
    func perform<A: Action>(
        _ action: A, by caller: Caller, at received: Timestamp, of party: Party
    ) async throws -> A.Outcome {
        let first = try await performOnce(action, by: caller, at: received, of: party)
        return try await action.finish(first) { rest in
            try await performOnce(rest, by: caller, at: received, of: party, goingOn: true)
        }
    }

    /// The same, of what is done in steps only the first or next one.
    func performOnce<A: Action>(
        _ action: A, by caller: Caller, at received: Timestamp, of party: Party, goingOn: Bool = false
    ) async throws -> A.Outcome {
        if action.fillsLog, store.unfoldedCount > capacity.log { throw StorageError.overloaded }
        let weighed = following == nil ? action : read { action.weighed(by: $0) }
        let cut = weighed.cut(receivedAt: received)
        let trust = self.trust
        // By the unweighed action: weights depend on the fences of others too.
        if caller != .service, !goingOn { Effort.charge(read { action.price(by: $0) }) }
        let outcomes = try await withCheckedThrowingContinuation { continuation in
            let turns = Turn.parts(
                of: cut, by: caller, at: received, trust: trust, of: party, following: following, continuation)
            let isTaken =
                relays.withLock { $0 }?.submit(turns, of: party, goingOn: goingOn)
                ?? submit(turns.map { .turn($0) }, of: party, goingOn: goingOn)
            if !isTaken { continuation.resume(throwing: StorageError.overloaded) }
        }
        let outcome = cut.outcome(outcomes)
        if let recorded = outcome as? Recorded { measures.note(recorded) }
        return outcome
    }

    /// How much waits for the writer, in ``Action/weight``.
    var backlog: Int { (relays.withLock { $0 }?.backlog ?? 0) + (commits.withLock { $0 }?.backlog ?? 0) }

    /// How many commits were made, and of how many commands.
    public var tally: (commits: Int, commands: Int) {
        let tally = commits.withLock { $0 }?.tally
        return (tally?.commits ?? 0, tally?.items ?? 0)
    }

    /// The draft's ``Picture/account`` and ``Picture/passing``, which between commits are those that readers see, for tests.
    package var draftAccount: [String] { picture.draft { $0.account + $0.passing } }

    /// Forgets the pings of people that are in the tables now, those of rows of the log up to one.
    func forgetUnfolded(of parts: [ArraySlice<PersonNumber>], through last: Int64) async {
        await withCheckedContinuation { continuation in
            submit(parts.map { .forgetUnfolded(of: $0, through: last, nil) }, of: .maintenance)
            submit([.forgetUnfolded(of: [], through: last, continuation)], of: .maintenance)
        }
    }

    @discardableResult
    private func submit(_ requests: [Request], of party: Party, goingOn: Bool = false) -> Bool {
        commits.withLock { $0 }?.submit(requests, of: party, goingOn: goingOn) ?? false
    }

    /// Does what messages of the log say, in this order; each of them knows what became of it.
    func commit(_ messages: ArraySlice<FollowedMessage>) async {
        await withCheckedContinuation { continuation in
            let requests = messages.map { message in
                Request.message(message, message === messages.last ? continuation : nil)
            }
            submit(requests, of: .log)
        }
    }

    // MARK: - On the writer's queue

    private func perform(_ request: Request, _ transaction: Transaction) throws {
        switch request {
        case .turn(let turn): _ = try take(turn, transaction)
        case .message(let message, _): try follow(message, in: transaction) { try take($0, transaction) }
        case .forgetUnfolded(let people, let last, _):
            measured(nil) { picture.draft { $0.people.forgetUnfolded(of: people, through: last) } }
            draftLog.withLock { $0.folded.append((people, last)) }
        }
    }

    private func take(_ turn: Turn, _ transaction: Transaction) throws -> [Change] {
        transaction.beginLogRow()
        let made = try measured(turn.tally) {
            try picture.draft { try $0.take(turn, rules, in: transaction) }
        }
        if !made.isEmpty { draftLog.withLock { $0.changes.append((transaction.logNumber, made)) } }
        return made
    }

    /// Counts a turn of the writer for whoever wanted it, and measures it.
    private func measured<Result>(_ tally: Tally?, _ turn: () throws -> Result) rethrows -> Result {
        try Tally.$current.withValue(tally) {
            try store.gauge.measure(.turn, turn)
        }
    }

    private func undo() {
        following?.undo()
        picture.draft { $0.fences.neighbourhoods.forgetAll() }
        picture.discardDraft { $0.copy() }
        draftLog.withLock { $0 = DraftLog() }
    }

    private func settle(_ requests: [Request], _ error: StorageError?) {
        if error == nil {
            show()
            following?.settle()
        }
        for request in requests {
            switch request {
            case .turn(let turn): turn.settle(error)
            case .forgetUnfolded(_, _, let continuation): continuation?.resume()
            case .message(let message, let continuation):
                message.settle(error)
                continuation?.resume()
            }
        }
    }

    /// Shows readers what the last commit made durable.
    private func show() {
        let log = draftLog.withLock { log in
            defer { log = DraftLog() }
            return log
        }
        guard !log.folded.isEmpty || !log.changes.isEmpty else { return }
        let waited = picture.publish { picture in
            for (logNumber, changes) in log.changes {
                picture.logNumber = logNumber
                for change in changes { picture.apply(change) }
            }
            for (people, last) in log.folded { picture.people.forgetUnfolded(of: people, through: last) }
        }
        measures.publishWait.record(waited)
        feed.follow(log.changes.lazy.flatMap(\.made))
    }
}

extension Live {
    /// How much is taken on before actions are refused as too many.
    public struct Capacity: Sendable {
        /// Pings and other things that wait to be committed: those of services, and of all before somebody of whom some wait
        /// already is refused more.
        public var queue = 500_000
        /// Those of one person.
        public var person = 50_000
        /// Pings that wait in the log to be folded into the tables.
        public var log = 2_000_000
        /// The newest events that are in memory, from which readers go on after a pause.
        package var events = 100_000

        /// A few seconds' work of a fast machine.
        public init() {}
    }
}
