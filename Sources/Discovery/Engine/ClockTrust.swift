public import Model
public import Storage
internal import Synchronization

/// Estimates the true time from all evidence for and against the machine's wall clock.
///
/// A wall clock jumps: a machine without a battery starts in another year, a snapshot is restored, an operator sets it.
/// It is believed after it has run evenly (in step with the monotonic clock) for an hour. A clock ahead of the
/// believed time must run evenly for as long as its lead, at most a week. If phones confirm it an hour is enough for a
/// lead of up to a day. With a larger lead the confirming positions may carry this clock's own time, and deletion
/// cannot be undone. The believed time goes back only if phones confirm that. Until then the previous estimate
/// continues by the monotonic clock.
///
/// Even running is counted across restarts, although the clock is then ahead by the downtime. Otherwise a machine that
/// runs for some hours a day would never believe its clock.
public struct ClockTrust: Sendable {
    /// The largest correction of a clock that is not a jump.
    static let tolerance = Duration.seconds(60)
    /// How long a clock must run evenly to be believed, at least and at most.
    static let holdDown = Duration.seconds(3600)...Duration.seconds(7 * 86_400)
    /// The largest lead of a clock that phones can confirm.
    static let largestConfirmedLead = Duration.seconds(86_400)

    /// The estimate that was last written.
    private let last: KnownTime?
    /// The believed time at the monotonic clock's origin; nil before the first observation.
    private var believed: Timestamp?
    /// The clock's current pace; nil before the first observation.
    private var pace: Pace?
    /// The clock's pace before it was set further ahead, while it was ahead already; it may still be believed.
    private var candidate: Pace?
    /// The time of this run at the monotonic clock's origin: of the clock at the start, or of the last one believed.
    private var begun: Timestamp?
    /// The last reading of the monotonic clock.
    private var elapsed = Duration.zero
    private var evidence = Evidence()

    /// A state before the first observation, with the estimate that was last written.
    public init(known: KnownTime?) { last = known }

    /// Records a reading of the wall clock and of the monotonic clock.
    public mutating func observe(_ now: Timestamp, elapsed: Duration) {
        let origin = now - elapsed
        // Without an earlier estimate there is nothing yet that could be lost.
        believed = believed ?? last.map { $0.certain - elapsed } ?? origin
        begun = begun ?? origin
        self.elapsed = elapsed
        evidence.age(elapsed)
        let before = pace ?? last.map { Pace(origin: $0.shown - elapsed, since: elapsed - $0.even) }
        if let before, !Self.isJump(origin - before.origin) {
            pace = Pace(origin: pace?.origin ?? origin, since: before.since)
        } else {
            candidate = (candidate ?? before).flatMap { isLeading($0, before: origin) ? $0 : nil }
            pace = Pace(origin: origin, since: elapsed)
        }
        guard let tried else { return }
        let next = candidate?.origin ?? origin
        if let needed = holdDown(of: next), elapsed - tried.since >= needed {
            (believed, begun, candidate) = (next, next, nil)
        }
    }

    /// Whether a pace is ahead of the believed time, and not ahead of `origin`.
    private func isLeading(_ pace: Pace, before origin: Timestamp) -> Bool {
        guard let believed else { return false }
        return pace.origin - believed > Self.tolerance && pace.origin - origin <= Self.tolerance
    }

    /// The pace that will be believed next.
    private var tried: Pace? { candidate ?? pace }

    /// How long a clock with this origin must run evenly to be believed, by what phones confirm; nil for never.
    private func holdDown(of origin: Timestamp) -> Duration? {
        guard let believed else { return Self.holdDown.lowerBound }
        let ahead = origin - believed
        if evidence.confirm, ahead <= Self.largestConfirmedLead { return Self.holdDown.lowerBound }
        if ahead < .zero - Self.tolerance { return nil }
        return max(Self.holdDown.lowerBound, min(ahead, Self.holdDown.upperBound))
    }

    /// The believed time at the last observation; nil if there is none.
    public var certain: Timestamp? { believed.map { $0 + elapsed } ?? last?.certain }

    /// The estimate to write for the next start; nil before the first observation.
    public var known: KnownTime? {
        guard let tried, let certain else { return nil }
        return KnownTime(certain: certain, shown: tried.origin + elapsed, even: elapsed - tried.since)
    }

    /// The pace of a clock: its origin, and since when it has run evenly.
    private struct Pace: Sendable {
        /// The time that it showed, or should have shown, at the monotonic clock's origin.
        var origin: Timestamp
        /// The monotonic time since which it has run evenly.
        var since: Duration
    }

    /// The time from which ages are counted for deletion, never ahead of the believed time; nil if it is not known.
    public var past: Timestamp? {
        guard let pace, let certain else { return nil }
        return min(certain, pace.origin + elapsed)
    }

    /// The clock's lead over the believed time, negative if it is behind; nil if the two agree.
    public var doubt: Duration? {
        guard let pace, let believed else { return nil }
        let doubt = pace.origin - believed
        return Self.isJump(doubt) ? doubt : nil
    }

    /// The earliest and the latest possible time when the clock shows `now`; equal unless the clock is doubted.
    ///
    /// An irreversible expiry waits for the lower bound. Data that must not be shown after an expiry is hidden from the
    /// upper bound on.
    public func moment(_ now: Timestamp) -> ClosedRange<Timestamp> {
        guard let doubt else { return now...now }
        return min(now, now - doubt)...max(now, now - doubt)
    }

    /// The time of this run when the clock shows `now`: even, never behind the believed time or ahead of a clock set
    /// back.
    public func steady(_ now: Timestamp) -> Timestamp { now - lead }

    /// The clock's lead over the time of this run, negative if it is behind; zero within the tolerance.
    var lead: Duration {
        guard let pace, let believed, let begun else { return .zero }
        let jump = pace.origin - max(believed, min(begun, pace.origin))
        return Self.isJump(jump) ? jump : .zero
    }

    /// The timestamp of an event when the clock shows `now`: the clock's time, unless it is wrong by more than an hour.
    ///
    /// Events are kept for days from then on, whatever the clock shows later.
    func stamp(_ now: Timestamp) -> Timestamp {
        let steady = steady(now)
        return max(now, steady) - min(now, steady) > Self.holdDown.lowerBound ? steady : now
    }

    /// The deadline of waits that are over when the clock shows `now`.
    func due(_ now: Timestamp) -> DueTime {
        DueTime(certain: moment(now).lowerBound, now: steady(now), begun: begun ?? now)
    }

    /// Whether the clock jumped since the last observation.
    func isOff(_ now: Timestamp, elapsed: Duration) -> Bool {
        pace.map { Self.isJump(now - elapsed - $0.origin) } ?? false
    }

    private static func isJump(_ change: Duration) -> Bool { change > tolerance || change < .zero - tolerance }

    /// Records whether the time of a person's phone agrees with the clock, or is ahead of it.
    public mutating func note(_ person: PersonID, agrees: Bool) { evidence.note(person, agrees: agrees) }

    /// Whether the clock is behind the believed time, or behind most phones of the last minutes, two at least.
    public var isBehind: Bool { evidence.deny || doubt.map { $0 < .zero } ?? false }
}

/// Evidence from phones of the last five to ten minutes: one vote per person, however many positions they send.
private struct Evidence: Sendable {
    private static let proofTime = Duration.seconds(300)
    /// The maximum number of people recorded in each five minutes; more would not change the result.
    private static let most = 10_000

    private var recent: [PersonID: Bool] = [:]
    private var earlier: [PersonID: Bool] = [:]
    private var agreeing = 0
    private var since = Duration.zero

    private var count: Int { recent.count + earlier.count }
    var confirm: Bool { agreeing * 2 > count }
    var deny: Bool { count > 1 && (count - agreeing) * 2 > count }

    mutating func note(_ person: PersonID, agrees: Bool) {
        guard recent.count < Self.most || recent[person] != nil else { return }
        if recent.updateValue(agrees, forKey: person) ?? earlier[person] ?? false { agreeing -= 1 }
        earlier[person] = nil
        if agrees { agreeing += 1 }
    }

    mutating func age(_ elapsed: Duration) {
        guard elapsed - since >= Self.proofTime else { return }
        (earlier, recent, since) = (recent, [:], elapsed)
        agreeing = earlier.values.count { $0 }
    }
}

/// Observation of the wall clock.
extension Engine {
    /// How often the estimate is written.
    private static let clockWritten = Duration.seconds(600)

    /// Records both clocks and periodically writes the estimate, so that a wrong clock at the next start deletes
    /// nothing.
    ///
    /// - Throws: ``StorageError``.
    public func observe(clock now: Timestamp, elapsed: Duration) async throws(StorageError) {
        let isDue = clock.withLock { clock in
            clock.trust.observe(now, elapsed: elapsed)
            follow(clock.trust)
            guard clock.written.map({ elapsed - $0 >= Self.clockWritten }) ?? true else { return false }
            clock.written = elapsed
            return true
        }
        if isDue { try await keepClock() }
    }

    /// Writes the estimate, if the clock was observed.
    ///
    /// - Throws: ``StorageError``.
    func keepClock() async throws(StorageError) {
        if let known = trust.known { try await store.keepKnownTime(known) }
    }

    /// The current estimate.
    public var trust: ClockTrust { clock.withLock { $0.trust } }

    /// Returns the clock's time, after recording a jump since the last observation.
    public func noticing(clock now: Timestamp, elapsed: Duration) -> Timestamp {
        clock.withLock { clock in
            guard clock.trust.isOff(now, elapsed: elapsed) else { return }
            clock.trust.observe(now, elapsed: elapsed)
            follow(clock.trust)
        }
        return now
    }

    /// Publishes the clock's error to the state; a node that replicates a log uses the log's clock instead.
    private func follow(_ trust: ClockTrust) {
        if replicatedLog == nil { clockDoubt.set(trust.lead) }
    }

    /// The earliest and the latest possible time when the clock shows `now`; see ``ClockTrust/moment(_:)``.
    public func moment(of now: Timestamp) -> ClosedRange<Timestamp> { clock.withLock { $0.trust.moment(now) } }

    /// The time of this run when the clock shows `now`; see ``ClockTrust/steady(_:)``.
    public func steady(at now: Timestamp) -> Timestamp { clock.withLock { $0.trust.steady(now) } }

    /// Compares the newest fix time that a person's phone has just sent with the clock.
    ///
    /// Positions that the phone stored for longer are no evidence.
    ///
    /// - Returns: whether the clock is behind; see ``ClockTrust/isBehind``.
    public func checkClock(_ person: PersonID, newest: Timestamp, at received: Timestamp) -> Bool {
        clock.withLock { clock in
            if newest >= received - rules.futureTolerance {
                clock.trust.note(person, agrees: newest <= received + rules.futureTolerance)
            }
            return clock.trust.isBehind
        }
    }

    /// The estimate, and the monotonic time at which it was last written.
    struct Watched: Sendable {
        var trust: ClockTrust
        var written: Duration?
    }
}
