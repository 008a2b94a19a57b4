internal import Model
internal import Storage

/// Comparing what machines came to that follow the same log: each digests its file after the same message, and says so in the
/// log.
///
/// They do after the first message of each hour, by the log's clock, and after the first one of each start of a machine.
extension Live {
    /// The file as it was after a message after which all compare.
    public struct Waypoint: Sendable {
        let number: UInt64
        let snapshot: Result<Snapshot, StorageError>
    }

    /// Digests what this machine came to, and tells the others.
    ///
    /// - Throws: ``StorageError``; what the log throws.
    public func compare(_ waypoint: Waypoint) async throws {
        defer { following?.endComparing() }
        let digest = try await waypoint.snapshot.get().digest()
        try await following?.pulse(with: Comparison(number: waypoint.number, digest: digest))
    }

    /// Where all compare if a message ends there that was followed; nil if they do not, or this machine still does.
    func waypoint(after message: FollowedMessage) -> Waypoint? {
        guard message.isWaypoint, following?.beginComparing() ?? false else { return nil }
        return Waypoint(
            number: message.number, snapshot: Result { () throws(StorageError) in try store.snapshot() })
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
    var number: UInt64
    var digest: Digest
}

/// What machines said they came to by the latest message of which any said so.
struct Comparisons {
    private let latest: UInt64
    /// By the machine.
    private var said: [UInt64: Digest] = [:]
    /// What is not the same with others as with this machine; nil for nothing, and as long as it did not say itself.
    private(set) var difference: String?

    init(latest: UInt64 = 0) { self.latest = latest }

    /// Takes note of what a machine said.
    ///
    /// - Throws: ``LoggedActions/Fault/differing(_:_:)`` when more machines agree with each other than with `own`. Of as many
    ///   on either side nobody knows which are wrong.
    mutating func take(
        _ comparison: Comparison, of machine: UInt64, own: UInt64
    ) throws(LoggedActions.Fault) {
        guard comparison.number >= latest else { return }
        if comparison.number > latest { self = Comparisons(latest: comparison.number) }
        said[machine] = comparison.digest
        guard let digest = said[own] else { return }
        let counts = said.values.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        guard let other = counts.filter({ $0.key != digest }).max(by: { $0.value < $1.value }) else { return }
        let words = digest.difference(from: other.key)
        difference = words
        if other.value > counts[digest, default: 0] { throw .differing(latest, words) }
    }
}
