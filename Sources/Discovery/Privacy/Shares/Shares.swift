internal import Geo
public import Model
internal import Structures
internal import Synchronization

/// The open links in memory, by the hashes of their tokens.
struct Shares: Sendable {
    struct Entry: Sendable {
        let person: PersonNumber
        let share: Share
        /// The view count, as far as it is stored.
        fileprivate(set) var views: Int64 = 0
    }

    /// When a link expires.
    private struct End: Comparable, Hashable {
        let time: Timestamp
        let number: ShareNumber

        static func < (a: End, b: End) -> Bool { (a.time, a.number) < (b.time, b.number) }
    }

    private(set) var nextNumber: ShareNumber = 0
    private var entries: [ShareNumber: Entry] = [:]
    private var tokens: [TokenHash: ShareNumber] = [:]
    private var owned: [PersonNumber: SortedNumbers<ShareNumber>] = [:]
    private var ends = SortedBlocks<End>()

    subscript(number: ShareNumber) -> Entry? { entries[number] }

    /// Ensures that new numbers start at `number` or above.
    mutating func skip(to number: ShareNumber) { nextNumber = max(nextNumber, number) }

    /// A lookup by the hash of a secret reveals nothing about the secret by its duration.
    func number(of token: TokenHash) -> ShareNumber? { tokens[token] }

    /// A person's links, oldest first.
    func numbers(of person: PersonNumber) -> [ShareNumber] { owned[person]?.numbers ?? [] }

    func number(of id: ShareID, of person: PersonNumber) -> ShareNumber? {
        numbers(of: person).first { entries[$0]?.share.id == id }
    }

    func count(of person: PersonNumber, openAt now: Timestamp) -> Int {
        numbers(of: person).count { entries[$0].map { now < $0.share.expires } ?? false }
    }

    func due(at now: Timestamp, atMost most: Int) -> [ShareNumber] {
        var due: [ShareNumber] = []
        ends.visit(after: nil) { end in
            guard end.time <= now, due.count < most else { return false }
            due.append(end.number)
            return true
        }
        return due
    }

    mutating func apply(_ change: ShareChange) {
        switch change {
        case .opened(let number, let person, let share):
            entries[number] = Entry(person: person, share: share)
            tokens[share.token] = number
            owned[person, default: SortedNumbers()].insert(number)
            ends.insert(End(time: share.expires, number: number))
            nextNumber = max(nextNumber, number.advanced(by: 1))
        case .viewed(let number, let times): entries[number]?.views += times
        case .ended(let number):
            guard let entry = entries.removeValue(forKey: number) else { return }
            tokens[entry.share.token] = nil
            owned[entry.person]?.remove(number)
            if owned[entry.person]?.isEmpty ?? false { owned[entry.person] = nil }
            ends.remove(End(time: entry.share.expires, number: number))
        }
    }

    mutating func forget(_ person: PersonNumber) { for number in numbers(of: person) { apply(.ended(number)) } }

    /// All links as text, for ``LiveState/canonicalDump``.
    var canonicalDump: [String] { entries.map { "share \($0.key) \($0.value)" }.sorted() }
}

/// A link as shown to its owner and to services.
public struct OpenedShare: Sendable {
    /// The link.
    public let share: Share
    /// The view count.
    public let views: Int64

    /// A link with its view count.
    public init(_ share: Share, views: Int64 = 0) { (self.share, self.views) = (share, views) }
}

extension Engine {
    /// Returns a person's links that are open at an instant, or may be if the clock is in doubt, oldest first.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``.
    public func shares(of id: PersonID, at now: Timestamp) throws(Refusal) -> [OpenedShare] {
        let unwritten = views.withLock { $0 }
        let now = moment(of: now).lowerBound
        return try read { state throws(Refusal) in
            guard let person = state.people.number(of: id) else { throw .unknown(.person, id.any) }
            return state.shares.numbers(of: person).compactMap { number in
                guard let entry = state.shares[number], now < entry.share.expires else { return nil }
                return OpenedShare(entry.share, views: entry.views + (unwritten[number] ?? 0))
            }
        }
    }

    /// Stores view counts, and ends the links that have expired by all plausible clocks.
    public func tendShares(at now: Timestamp) async throws {
        let seen = views.withLock { views in
            defer { views = [:] }
            return views
        }
        let counts = seen.sorted { $0.key < $1.key }.map { CountViews(of: $0.key, times: $0.value) }
        if !counts.isEmpty { _ = try await perform(Batch(counts), by: .service, at: now, of: .maintenance) }
        let certain = moment(of: now).lowerBound
        guard read({ !$0.shares.due(at: certain, atMost: 1).isEmpty }) else { return }
        while try await perform(EndExpiredShares(by: certain), by: .service, at: now, of: .maintenance) {}
    }
}
