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
    /// Whether time is up since it looked last, and when that was.
    private var (isLate, looked) = (true, Timestamp(milliseconds: 0))

    /// A reader of the link that has a token; nil if none is open.
    public init?(_ token: TokenHash, of live: Live, at now: Timestamp) {
        last = live.feed.mark
        let moment = live.moment(of: now)
        let found = live.read { picture -> (number: ShareNumber, person: PersonNumber)? in
            guard let number = picture.shares.number(of: token), picture.shared(number, at: now, moment) != nil else {
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
    public func view(of live: Live, at now: Timestamp) -> SharedView? {
        let moment = live.moment(of: now)
        return live.read { $0.shared(number, at: now, moment) }
    }

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
        let isReportable =
            isLate
            || live.read {
                $0.isReportable(view.position, of: person, after: told?.position, lookedAt: looked)
            }
        if isLate { (isLate, looked) = (false, now) }
        guard view != told, isReportable else { return .shown(nil) }
        told = view
        return .shown(view)
    }

    /// Looks again at what time alone has changed, when it is asked next.
    public mutating func lookAgain() { isLate = true }

    /// Waits until there may be more to tell, until an instant, or until the link ends, which is seen at `now`.
    public mutating func wait(for live: Live, until end: ContinuousClock.Instant, at now: Timestamp) async -> Wakeup {
        let rest = told.map { $0.expires - now } ?? .zero
        // Of a link that is over by one clock only nothing happens until the clocks agree.
        let next = rest > .zero || told == nil ? min(end, .now + max(.zero, rest)) : end
        switch await live.feed.wait(for: person, after: last, until: next) {
        case .events: return .ready
        case .late:
            lookAgain()
            return .late
        case .end: return .over
        }
    }

    /// The newest positions since the link was made, the oldest first: each as it was shown then, or would be now if that is less.
    ///
    /// - Throws: ``StorageError``.
    public func trail(of live: Live, at now: Timestamp) async throws -> [PastPosition] {
        guard let share = live.read({ $0.shares[number]?.share }), share.showsTrail,
            live.moment(of: now).upperBound < share.expires
        else { return [] }
        return try await live.trail(of: person, through: share, now: now)
    }
}

extension Picture {
    /// What a link tells at an instant, which may be any of `moment`; nil for one that has ended.
    ///
    /// One that has ended by one clock only tells nothing of where the person is.
    fileprivate func shared(
        _ number: ShareNumber, at now: Timestamp, _ moment: ClosedRange<Timestamp>
    ) -> SharedView? {
        Effort.count(40)
        guard let entry = shares[number], moment.lowerBound < entry.share.expires else { return nil }
        return SharedView(
            label: entry.share.label, expires: entry.share.expires,
            position: moment.upperBound < entry.share.expires
                ? shownPlace(of: entry.person, by: entry.share, at: now) : nil,
            showsTrail: entry.share.showsTrail)
    }
}
