internal import Model
internal import Storage

/// Comparing what machines came to that follow the same log: each digests its file after the same message, and says so in the
/// log.
///
/// They do after the first message of each hour, by the log's clock, and after the first one of each start of a machine.
extension Live {
    /// The file as it was after a message after which all compare.
    ///
    /// While it is there no other is taken.
    public final class Waypoint: Sendable {
        let number: UInt64
        let snapshot: Result<Snapshot, StorageError>
        private let log: FollowedLog

        init(_ number: UInt64, _ snapshot: Result<Snapshot, StorageError>, in log: FollowedLog) {
            (self.number, self.snapshot, self.log) = (number, snapshot, log)
        }

        deinit { log.endComparing() }
    }

    /// Digests what this machine came to, and tells the others.
    ///
    /// - Throws: ``StorageError``; what the log throws.
    public func compare(_ waypoint: Waypoint) async throws {
        let digest = try await waypoint.snapshot.get().digest()
        try await following?.pulse(with: Comparison(number: waypoint.number, digest: digest))
    }

    /// Where all compare if a message ends there that was followed; nil if they do not, or this machine still does.
    func waypoint(after message: FollowedMessage) -> Waypoint? {
        guard message.isWaypoint, let following, following.beginComparing() else { return nil }
        return Waypoint(
            message.number, Result { () throws(StorageError) in try store.snapshot() }, in: following)
    }
}

extension LogTime {
    /// Whether an hour begins after one instant, and no later than at another.
    static func isNewHour(_ time: Timestamp, after last: Timestamp) -> Bool {
        let hour: Int64 = 3_600_000
        return time.milliseconds / hour > last.milliseconds / hour
    }
}

/// What a machine came to by a message.
package struct Comparison: Codable, Hashable, Sendable {
    package var number: UInt64
    var digest: Digest
}

/// What machines say they came to, by the latest message of which any says so.
struct Comparisons {
    /// For how long a machine is counted that says nothing more, and for how long all are listened to before they are counted.
    private static let silence = Duration.seconds(5)
    /// After so long without a message from anybody they are listened to anew: each writes one a second.
    private static let interruption = Duration.seconds(3)

    private var latest: UInt64 = 0
    /// By the machine.
    private var said: [UInt64: Digest] = [:]
    /// When each machine wrote last.
    private var heard: [UInt64: Timestamp] = [:]
    /// Since when the log was listened to, and when somebody was heard last.
    private var since, newest: Timestamp?
    /// What is not the same with others as with this machine; nil for nothing, and until this machine says what it has.
    private(set) var difference: String?

    /// Takes note of what a machine wrote at an instant.
    ///
    /// - Throws: ``LoggedActions/Fault/differing(_:_:)`` when more than half of the machines that are there agree with each other
    ///   and not with `own`. Of as many on either side nobody knows which are wrong.
    mutating func hear(
        _ heading: LoggedActions.Heading, at time: Timestamp, own: UInt64
    ) throws(LoggedActions.Fault) {
        heard[heading.origin] = time
        if newest.map({ time - $0 > Self.interruption }) ?? true { since = time }
        newest = time
        if let comparison = heading.comparison, comparison.number >= latest {
            if comparison.number > latest { (latest, said) = (comparison.number, [:]) }
            said[heading.origin] = comparison.digest
        } else if difference == nil {
            return
        }
        heard = heard.filter { time - $0.value <= Self.silence }
        try judge(own, isCertain: since.map { time - $0 >= Self.silence } ?? false)
    }

    private mutating func judge(_ own: UInt64, isCertain: Bool) throws(LoggedActions.Fault) {
        guard let digest = said[own] else { return }
        let others = said.filter { heard[$0.key] != nil && $0.value.schema == digest.schema && $0.value != digest }
        let counts = others.values.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        guard let most = counts.max(by: { $0.value < $1.value }) else {
            if isCertain, heard.keys.allSatisfy({ said[$0] != nil }) { difference = nil }
            return
        }
        let words = digest.difference(from: most.key)
        difference = words
        if isCertain, most.value * 2 > heard.count { throw .differing(latest, words) }
    }
}
