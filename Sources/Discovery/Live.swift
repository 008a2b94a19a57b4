internal import Geo
public import Storage
internal import Synchronization

/// The living whole: the picture that answers are read from, the storage behind it, and the one way to change both.
///
/// A command is judged on the draft of the picture, made durable together with whatever else arrived meanwhile, shown to
/// readers, and only then answered. When it cannot be made durable the draft is thrown away and nothing happened.
public final class Live: Sendable {
    /// How many commands share a commit at most.
    private static let largestGroup = 256

    let store: Store
    private let rules: PingRules
    private let picture: LeftRight<Picture>
    private let draftLog = Mutex(DraftLog())
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
    }

    /// Builds the picture from a store.
    ///
    /// - Throws: ``StorageError`` when it cannot be read.
    public init(store: Store, gazetteer: Gazetteer, rules: PingRules) throws(StorageError) {
        self.store = store
        self.rules = rules
        order = SipKey(try store.secret(.order))
        let twins = try Picture.load(from: store, gazetteer)
        picture = LeftRight(twins.first, twin: twins.second)
        commits.withLock { commits in
            commits = GroupCommit(
                store: store, largestGroup: Self.largestGroup,
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
        try picture.read(body)
    }

    /// Carries a command out, durably.
    ///
    /// - Returns: what it did, when that is on disk and seen by readers.
    /// - Throws: ``Refusal``, or ``StorageError``; then nothing was done.
    public func perform(_ command: Command) async throws -> Outcome {
        try await withCheckedThrowingContinuation { continuation in
            submit(.command(command, continuation))
        }
    }

    /// Strangers around a person; see ``Picture/strangers(_:at:secret:)``.
    public func strangers(_ query: StrangerQuery, at now: Timestamp) throws(Refusal) -> StrangerPage {
        try picture.read { picture throws(Refusal) in try picture.strangers(query, at: now, secret: order) }
    }

    /// Moves the pings of the log into the tables.
    public func fold() async throws(StorageError) {
        guard let last = try await store.fold() else { return }
        await withCheckedContinuation { continuation in submit(.forgetTails(through: last, continuation)) }
    }

    private func submit(_ request: Request) {
        commits.withLock { $0 }?.submit(request)
    }

    // MARK: - On the writer's queue

    private func perform(_ request: Request, _ transaction: Transaction) throws {
        guard case .command(let command, _) = request else { return }
        let changes: [Change]
        do {
            let (outcome, made) = try picture.draft { picture in
                picture.logNumber = transaction.logNumber
                return try picture.apply(command, rules: rules, in: transaction)
            }
            changes = made
            draftLog.withLock { log in
                log.logNumber = transaction.logNumber
                log.changes += made
                log.outcomes.append(.success(outcome))
            }
        } catch let refusal as Refusal {
            changes = []
            draftLog.withLock { $0.outcomes.append(.failure(refusal)) }
        }
        for change in changes { try transaction.write(change) }
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
