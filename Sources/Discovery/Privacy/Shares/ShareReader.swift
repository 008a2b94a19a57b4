internal import Geo
public import Model
internal import Synchronization

/// The view of a link at an instant.
public struct SharedView: Hashable, Sendable {
    /// The link's label.
    public let label: String?
    /// The end of the link.
    public let expires: Timestamp
    /// The person's position, at the link's precision; nil if none may be shown.
    public let position: Position?
    /// Whether the track since the link's creation is shown.
    public let showsTrail: Bool
}

/// Follows a person through a link; it reports the current view whenever that changes.
public struct ShareReader: Sendable {
    /// The number of the link, by which its readers are counted.
    public let number: ShareNumber
    /// The person whose link it is.
    public let person: PersonNumber
    /// The event mark before the link was last read.
    private var last: EventFeed.Mark
    /// The subscription that marks the person as watched; nil for a single read.
    private var subscription: Subscription?
    private var shown: SharedView?
    /// Whether a check for changes by time is due, and when the last one was.
    private var (isLate, looked) = (true, Timestamp(milliseconds: 0))

    /// A reader of the open link with a token; nil if there is none.
    public init?(_ token: TokenHash, of engine: Engine, at now: Timestamp) {
        last = engine.feed.mark
        let moment = engine.moment(of: now)
        let found = engine.read { state -> (number: ShareNumber, person: PersonNumber)? in
            guard let number = state.shares.number(of: token), state.shared(number, at: now, moment) != nil else {
                return nil
            }
            return state.shares[number].map { (number, $0.person) }
        }
        guard let found else { return nil }
        (number, person) = found
    }

    /// Returns a reader that counts as a watcher while it exists; watched phones send more often, at exact precision.
    public func watching(in engine: Engine) -> ShareReader {
        var reader = self
        reader.subscription = engine.subscriptions.begin(.link(number))
        return reader
    }

    /// Returns what the link shows now; nil if it has ended.
    public func view(of engine: Engine, at now: Timestamp) -> SharedView? {
        let moment = engine.moment(of: now)
        return engine.read { $0.shared(number, at: now, moment) }
    }

    /// Counts a view of the link.
    public func count(in engine: Engine) { engine.views.withLock { $0[number, default: 0] += 1 } }

    /// The next report.
    public enum Step: Sendable {
        /// The view has changed to this; nil if it is the last reported one.
        case shown(SharedView?)
        /// The link has ended.
        case ended
    }

    /// Returns the next report.
    public mutating func next(from engine: Engine, at now: Timestamp) -> Step {
        last = engine.feed.mark
        guard let view = view(of: engine, at: now) else { return .ended }
        let isReportable =
            isLate
            || engine.read {
                $0.isReportable(view.position, of: person, after: shown?.position, lookedAt: looked)
            }
        if isLate { (isLate, looked) = (false, now) }
        guard view != shown, isReportable else { return .shown(nil) }
        shown = view
        return .shown(view)
    }

    /// Has the next call check for changes caused by time alone.
    public mutating func lookAgain() { isLate = true }

    /// Waits for possible changes, the instant `end`, or the end of the link, which is judged at `now`.
    public mutating func wait(for engine: Engine, until end: ContinuousClock.Instant, at now: Timestamp) async -> Wakeup
    {
        let rest = shown.map { $0.expires - now } ?? .zero
        // A link expired by only one of two disagreeing clocks does not change until the clocks agree.
        let next = rest > .zero || shown == nil ? min(end, .now + max(.zero, rest)) : end
        switch await engine.feed.wait(for: person, after: last, until: next) {
        case .events: return .ready
        case .late:
            lookAgain()
            return .late
        case .end: return .over
        }
    }

    /// Returns the newest positions since the link's creation, oldest first, at the coarser precision of then and now.
    ///
    /// - Throws: ``StorageError``.
    public func trail(of engine: Engine, at now: Timestamp) async throws -> [PastPosition] {
        guard let share = engine.read({ $0.shares[number]?.share }), share.showsTrail,
            engine.moment(of: now).upperBound < share.expires
        else { return [] }
        return try await engine.trail(of: person, through: share, now: now)
    }
}

extension LiveState {
    /// Returns what a link shows at an instant, which may be any of `moment`; nil for an ended link.
    ///
    /// A link expired by only one of two disagreeing clocks shows no position.
    fileprivate func shared(
        _ number: ShareNumber, at now: Timestamp, _ moment: ClosedRange<Timestamp>
    ) -> SharedView? {
        WorkBudget.count(40)
        guard let entry = shares[number], moment.lowerBound < entry.share.expires else { return nil }
        return SharedView(
            label: entry.share.label, expires: entry.share.expires,
            position: moment.upperBound < entry.share.expires
                ? shownPlace(of: entry.person, by: entry.share, at: now) : nil,
            showsTrail: entry.share.showsTrail)
    }
}
