internal import Geo
public import Model
internal import Synchronization

/// What whoever has a link is told by it at an instant.
public struct SharedView: Hashable, Sendable {
    /// What the link is called.
    public let label: String?
    /// From when on it shows nothing.
    public let expires: Timestamp
    /// Where the person is, as far as the link tells; nil for nowhere that may be known.
    public let position: Position?
    /// Whether the way since the link was made is shown.
    public let showsTrail: Bool
}

/// Follows where a person is, for whoever has a link: what is told is what would be answered now, whenever that changes.
public struct ShareReader: Sendable {
    /// The number of the link, by which its readers are counted.
    public let number: ShareNumber
    /// The person whose link it is.
    public let person: PersonNumber
    /// What happened before the link was looked at.
    private var last: EventFeed.Mark
    /// Tells that somebody watches; nil for who only looks once.
    private var following: Following?
    private var told: SharedView?

    /// A reader of the link that has a token; nil if none is open.
    public init?(_ token: TokenHash, of live: Live, at now: Timestamp) {
        last = live.feed.mark
        let found = live.read { picture -> (number: ShareNumber, person: PersonNumber)? in
            guard let number = picture.shares.number(of: token), picture.shared(number, at: now) != nil else {
                return nil
            }
            return picture.shares[number].map { (number, $0.person) }
        }
        guard let found else { return nil }
        (number, person) = found
    }

    /// The same, watching the person as long as it is there: so their phone sends more, if the link shows them exactly.
    public func watching(in live: Live) -> ShareReader {
        var reader = self
        reader.following = live.followers.begin(.link(number))
        return reader
    }

    /// What the link tells now; nil if it has ended.
    public func view(of live: Live, at now: Timestamp) -> SharedView? { live.read { $0.shared(number, at: now) } }

    /// Counts that somebody opened the link.
    public func count(in live: Live) { live.views.withLock { $0[number, default: 0] += 1 } }

    /// What is told next.
    public enum Step: Sendable {
        /// This is shown from now on; nil if it is what was told before.
        case shown(SharedView?)
        /// The link has ended.
        case ended
    }

    /// What is to be told now.
    public mutating func next(from live: Live, at now: Timestamp) -> Step {
        last = live.feed.mark
        guard let view = view(of: live, at: now) else { return .ended }
        guard view != told else { return .shown(nil) }
        told = view
        return .shown(view)
    }

    /// Waits until there may be more to tell, until an instant, or until the link ends, which is seen at `now`.
    ///
    /// - Returns: whether the service goes on.
    public func wait(for live: Live, until end: ContinuousClock.Instant, at now: Timestamp) async -> Bool {
        let rest = told.map { $0.expires - now } ?? .zero
        switch await live.feed.wait(for: person, after: last, until: min(end, .now + max(.zero, rest))) {
        case .events, .quiet: return true
        case .end: return false
        }
    }

    /// The newest positions since the link was made, the oldest first: each as it was shown then, or would be now if that is less.
    ///
    /// - Throws: ``StorageError``.
    public func trail(of live: Live, at now: Timestamp) async throws -> [PastPosition] {
        guard let share = live.read({ $0.shares[number]?.share }), share.showsTrail else { return [] }
        return try await live.trail(of: person, through: share, now: now)
    }
}

extension Picture {
    /// What a link tells at an instant; nil for one that has ended.
    fileprivate func shared(_ number: ShareNumber, at now: Timestamp) -> SharedView? {
        Effort.count(40)
        guard let entry = shares[number], now < entry.share.expires else { return nil }
        return SharedView(
            label: entry.share.label, expires: entry.share.expires,
            position: shownPlace(of: entry.person, byLinkAt: entry.share.precision, at: now),
            showsTrail: entry.share.showsTrail)
    }
}
