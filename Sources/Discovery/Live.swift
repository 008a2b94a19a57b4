internal import Geo
public import Storage
internal import Synchronization

/// The living whole: the picture that answers are read from, the storage behind it, and the one way to change both.
///
/// A command is judged on the draft of the picture, made durable together with whatever else arrived meanwhile, shown to
/// readers, and only then answered. When it cannot be made durable the draft is thrown away and nothing happened.
public final class Live: Sendable {
    /// How many pings and other things share a commit at most.
    private static let heaviestGroup = 10_000
    /// Of how many people one commit writes how long they stayed, at most.
    private static let sightingsOfACommit = 1000
    /// How much is taken on before commands are refused as too many.
    public struct Capacity: Sendable {
        /// Pings and other things that wait to be committed.
        public var queue = 500_000
        /// Pings that wait in the log to be folded into the tables.
        public var log = 2_000_000

        /// A few seconds' work of a fast machine.
        public init() {}
    }

    /// The storage behind the picture, for what is read in bulk.
    public let store: Store
    /// The cities that the picture knows.
    public let gazetteer: Gazetteer
    let rules: PingRules
    /// What of the rules is turned off; nothing but in tests.
    package var defences: Defences { rules.defences }
    private let capacity: Capacity
    private let picture: LeftRight<Picture>
    private let draftLog = Mutex(DraftLog())
    /// The last person whose pings were looked at for their age; -1 for nobody yet.
    let expiredThrough = Mutex<Int32>(-1)
    private let commits = Mutex<GroupCommit<Request>?>(nil)
    private let order: SipKey

    /// What was done on the draft since it was last shown.
    private struct DraftLog {
        var logNumber: Int64 = 0
        var changes: [Change] = []
        var outcomes: [Result<Outcome, any Error>] = []
    }

    private enum Request: Sendable {
        case command(Command, CheckedContinuation<Outcome, any Error>)
        case forgetTails(through: Int64, CheckedContinuation<Void, Never>)

        var weight: Int {
            switch self {
            case .command(let command, _): command.action.weight
            case .forgetTails: 1
            }
        }
    }

    /// Builds the picture from a store.
    ///
    /// - Throws: ``StorageError`` when it cannot be read.
    public init(
        store: Store, gazetteer: Gazetteer, rules: PingRules, capacity: Capacity = Capacity()
    ) throws(StorageError) {
        self.store = store
        self.gazetteer = gazetteer
        self.capacity = capacity
        self.rules = rules
        order = SipKey(try store.secret(.order))
        let twins = try Picture.load(from: store, gazetteer, rules)
        picture = LeftRight(twins.first, twin: twins.second)
        commits.withLock { commits in
            commits = GroupCommit(
                store: store, heaviestGroup: Self.heaviestGroup, weight: \.weight,
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
        guard let gauge = store.gauge else { return try picture.read(body) }
        return try picture.read { picture throws(Failure) in
            try gauge.measure(.reading) { () throws(Failure) in try body(picture) }
        }
    }

    /// Carries a command out, durably.
    ///
    /// - Returns: what it did, when that is on disk and seen by readers.
    /// - Throws: ``Refusal``, or ``StorageError``; then nothing was done.
    public func perform(_ command: Command) async throws -> Outcome {
        if isOverloaded(by: command) { throw StorageError.overloaded }
        return try await withCheckedThrowingContinuation { continuation in
            submit(.command(command, continuation))
        }
    }

    private func isOverloaded(by command: Command) -> Bool {
        if case .record = command.action, store.unfoldedCount > capacity.log { return true }
        return (commits.withLock { $0 }?.waitingWeight ?? 0) > capacity.queue
    }

    /// How many commits were made, and of how many commands.
    public var tally: (commits: Int, commands: Int) {
        let tally = commits.withLock { $0 }?.tally
        return (tally?.commits ?? 0, tally?.items ?? 0)
    }

    /// Strangers around a person.
    ///
    /// - Throws: ``Refusal``: the viewer is unknown, has no place, or is not known to be an adult.
    public func strangers(_ query: StrangerQuery, at now: Timestamp) throws(Refusal) -> StrangerPage {
        var listing = StrangerListing(query, at: now)
        while try !read({ picture throws(Refusal) in try look(for: &listing, in: picture) }) {}
        return listing.page
    }

    /// Looks at the next people of a list of strangers in a picture that is being read.
    ///
    /// - Returns: whether these were the last.
    /// - Throws: as ``strangers(_:at:)``.
    public func look(for listing: inout StrangerListing, in picture: borrowing Picture) throws(Refusal) -> Bool {
        try listing.look(at: picture, secret: order)
    }

    /// Moves the pings of the log into the tables, and what was deleted out of the write-ahead log.
    public func fold() async throws(StorageError) {
        repeat {
            guard let last = try await store.fold() else { break }
            await withCheckedContinuation { continuation in submit(.forgetTails(through: last, continuation)) }
        } while store.unfoldedCount > Self.heaviestGroup
        try await store.scrub()
    }

    /// Empties the write-ahead log if it is longer than so many bytes.
    ///
    /// - Returns: how long it is then: as long as before when somebody reads what it holds.
    /// - Throws: ``StorageError``.
    public func keepLog(below limit: Int) async throws(StorageError) -> Int { try await store.keepLog(below: limit) }

    /// Writes until when people were seen near folded positions: of those of whom it is due, or of all for nil.
    ///
    /// - Throws: ``StorageError``.
    public func keepSightings(dueAt now: Timestamp?) async throws(StorageError) {
        let people = sighted(dueAt: now)
        for start in stride(from: 0, to: people.count, by: Self.sightingsOfACommit) {
            let some = people[start..<min(start + Self.sightingsOfACommit, people.count)]
            let command = Command(
                .keepSightings(Array(some)), by: .service, received: now ?? Timestamp(milliseconds: 0))
            do { _ = try await perform(command) } catch { throw StorageError(error) }
        }
    }

    /// The people of whom something can be written: since longer than the pause at an instant, or at all for nil.
    private func sighted(dueAt now: Timestamp?) -> [Int32] {
        let end = read { $0.crowd.nextNumber }
        return stride(from: 0, to: end, by: Self.sightingsOfACommit).flatMap { first in
            read { picture in
                Effort.count(Self.sightingsOfACommit * 10)
                return (first..<min(first + Int32(Self.sightingsOfACommit), end)).filter { person in
                    picture.isSighted(person, dueAt: now)
                }
            }
        }
    }

    /// Writes all that is only in memory and closes the store.
    ///
    /// - Throws: ``StorageError``.
    public func close() async throws(StorageError) {
        repeat { try await fold() } while store.unfoldedCount > 0
        try await keepSightings(dueAt: nil)
        try store.close()
    }

    private func submit(_ request: Request) {
        commits.withLock { $0 }?.submit(request)
    }

    // MARK: - On the writer's queue

    private func perform(_ request: Request, _ transaction: Transaction) throws {
        guard case .command(let command, _) = request else { return }
        do {
            let (outcome, made) = try measured {
                try picture.draft { picture in
                    picture.logNumber = transaction.logNumber
                    return try picture.apply(command, rules: rules, in: transaction)
                }
            }
            draftLog.withLock { log in
                log.logNumber = transaction.logNumber
                log.changes += made
                log.outcomes.append(.success(outcome))
            }
        } catch let refusal as Refusal {
            draftLog.withLock { $0.outcomes.append(.failure(refusal)) }
        }
    }

    /// Measures a turn of the writer, if that is asked for.
    private func measured<Result>(_ turn: () throws -> Result) throws -> Result {
        guard let gauge = store.gauge else { return try turn() }
        return try gauge.measure(.turn, turn)
    }

    private func undo() {
        picture.discardDraft { $0.copy() }
        draftLog.withLock { $0 = DraftLog() }
    }

    private func settle(_ requests: [Request], _ error: StorageError?) {
        var outcomes: [Result<Outcome, any Error>] = []
        if error == nil { outcomes = show(forgetting: requests) }
        var next = outcomes.makeIterator()
        for request in requests {
            switch request {
            case .command(_, let continuation):
                if let error {
                    continuation.resume(throwing: error)
                } else if let outcome = next.next() {
                    continuation.resume(with: outcome)
                }
            case .forgetTails(_, let continuation): continuation.resume()
            }
        }
    }

    /// Shows readers what the last commit made durable.
    private func show(forgetting requests: [Request]) -> [Result<Outcome, any Error>] {
        let log = draftLog.withLock { log in
            defer { log = DraftLog() }
            return log
        }
        let folded = requests.compactMap { request -> Int64? in
            if case .forgetTails(let through, _) = request { through } else { nil }
        }.max()
        if let folded { picture.draft { $0.crowd.forgetTails(through: folded) } }
        guard folded != nil || !log.changes.isEmpty else { return log.outcomes }
        picture.publish { picture in
            picture.logNumber = log.logNumber
            for change in log.changes { picture.apply(change) }
            if let folded { picture.crowd.forgetTails(through: folded) }
        }
        return log.outcomes
    }
}
