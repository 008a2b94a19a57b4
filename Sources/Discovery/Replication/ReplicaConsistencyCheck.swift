internal import Model
internal import Storage

/// Consistency check of replicas: each node digests its file after the same log entry and publishes the digest.
///
/// It runs after the first entry of each hour of the log's clock, and after the first entry of each node start.
extension Engine {
    /// A snapshot of the file after an entry at which all replicas compare.
    ///
    /// Only one exists at a time.
    public final class Checkpoint: Sendable {
        let number: UInt64
        let snapshot: Result<Snapshot, StorageError>
        private let log: ReplicatedLog

        init(_ number: UInt64, _ snapshot: Result<Snapshot, StorageError>, in log: ReplicatedLog) {
            (self.number, self.snapshot, self.log) = (number, snapshot, log)
        }

        deinit { log.endComparing() }
    }

    /// Digests this node's file and publishes the digest to the log.
    ///
    /// - Throws: ``StorageError``; errors of the log.
    public func compare(_ checkpoint: Checkpoint) async throws {
        let digest = try await checkpoint.snapshot.get().digest()
        try await replicatedLog?.heartbeat(with: ReplicaConsistencyCheck(number: checkpoint.number, digest: digest))
    }

    /// A snapshot if replicas compare after this entry; nil otherwise, or while a comparison is running on this node.
    func checkpoint(after message: FollowedMessage) -> Checkpoint? {
        guard message.isCheckpoint, let replicatedLog, replicatedLog.beginComparing() else { return nil }
        return Checkpoint(
            message.number, Result { () throws(StorageError) in try store.snapshot() }, in: replicatedLog)
    }
}

extension LogClock {
    /// Whether an hour boundary lies between `last` and `time`.
    static func isNewHour(_ time: Timestamp, after last: Timestamp) -> Bool {
        let hour: Int64 = 3_600_000
        return time.milliseconds / hour > last.milliseconds / hour
    }
}

/// A node's digest after a log entry.
package struct ReplicaConsistencyCheck: Codable, Hashable, Sendable {
    package var number: UInt64
    var digest: Digest
}

/// The nodes' digests of the latest entry for which there is one.
struct Comparisons {
    /// How long a silent node counts as present, and how long all are observed before they are counted.
    private static let silence = Duration.seconds(5)
    /// The log is observed afresh after a gap of this length; each node writes every second.
    private static let interruption = Duration.seconds(3)

    private var latest: UInt64 = 0
    /// By node.
    private var said: [UInt64: Digest] = [:]
    /// When each node last wrote.
    private var contacts: [UInt64: Timestamp] = [:]
    /// When observation of the log began, and when any node last wrote.
    private var since, newest: Timestamp?
    /// How this node differs from others; nil if it does not, and until this node has published a digest.
    private(set) var difference: String?

    /// Records an entry that a node wrote.
    ///
    /// - Throws: ``LogEntries/Fault/differing(_:_:)`` when more than half of the present nodes agree with each other
    ///   and not with `own`. With a tie it is not known which side is wrong.
    mutating func checkEntry(
        _ heading: LogEntries.Heading, at time: Timestamp, own: UInt64
    ) throws(LogEntries.Fault) {
        contacts[heading.origin] = time
        if newest.map({ time - $0 > Self.interruption }) ?? true { since = time }
        newest = time
        if let comparison = heading.comparison, comparison.number >= latest {
            if comparison.number > latest { (latest, said) = (comparison.number, [:]) }
            said[heading.origin] = comparison.digest
        } else if difference == nil {
            return
        }
        contacts = contacts.filter { time - $0.value <= Self.silence }
        try judge(own, isCertain: since.map { time - $0 >= Self.silence } ?? false)
    }

    private mutating func judge(_ own: UInt64, isCertain: Bool) throws(LogEntries.Fault) {
        guard let digest = said[own] else { return }
        let others = said.filter { contacts[$0.key] != nil && $0.value.schema == digest.schema && $0.value != digest }
        let counts = others.values.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        guard let most = counts.max(by: { $0.value < $1.value }) else {
            if isCertain, contacts.keys.allSatisfy({ said[$0] != nil }) { difference = nil }
            return
        }
        let words = digest.difference(from: most.key)
        difference = words
        if isCertain, most.value * 2 > contacts.count { throw .differing(latest, words) }
    }
}
