public import Model
public import Storage
internal import Synchronization

/// What time it is certainly, by all that speaks for or against the clock of the machine.
///
/// Such a clock jumps: a machine without a battery starts in another year, a snapshot is restored, somebody sets it. It is
/// believed when it has gone on for an hour as one does that only ever goes on, and longer when it is ahead of what was
/// believed before: as long as it is ahead, a week at most. If the phones that are heard of say that it is right an hour is
/// enough for one that is ahead by a day or less: with more of a lead than that what agrees may be stamped by the clock itself,
/// and what is deleted is gone. Back goes what is believed only if they say so. Until then what was believed before goes on by
/// itself.
///
/// Counting goes on over a stop, after which the clock is ahead by as long as that took: else a machine that is on for some
/// hours a day would never believe its clock.
public struct ClockTrust: Sendable {
    /// By how much the clock may be put right without having jumped.
    static let tolerance = Duration.seconds(60)
    /// For how long a clock must go on evenly to be believed, at least and at most.
    static let probation = Duration.seconds(3600)...Duration.seconds(7 * 86_400)
    /// How far ahead a clock may be that phones bear out.
    static let witnessed = Duration.seconds(86_400)

    /// What was known when it was last written.
    private let last: KnownTime?
    /// What the clock showed, or should have shown, when the other one began; nil before it was looked at.
    private var believed: Timestamp?
    /// The clock as it goes now; nil before it was looked at.
    private var pace: Pace?
    /// The clock as it went before it was put further ahead than it was already: what it said then may be believed though.
    private var candidate: Pace?
    /// What the clock showed, or should have shown, when the other one began, as this run was started or as was believed since.
    private var begun: Timestamp?
    /// What the other clock showed last.
    private var elapsed = Duration.zero
    private var witnesses = Witnesses()

    /// Before the clock was looked at, with what was known when it was last written.
    public init(known: KnownTime?) { last = known }

    /// Takes note of what the clock shows, and what one does that only ever goes on.
    public mutating func observe(_ now: Timestamp, elapsed: Duration) {
        let origin = now - elapsed
        // With nothing known there is nothing yet that could be lost.
        believed = believed ?? last.map { $0.certain - elapsed } ?? origin
        begun = begun ?? origin
        self.elapsed = elapsed
        witnesses.age(elapsed)
        let before = pace ?? last.map { Pace(origin: $0.shown - elapsed, since: elapsed - $0.even) }
        if let before, !Self.isJump(origin - before.origin) {
            pace = Pace(origin: pace?.origin ?? origin, since: before.since)
        } else {
            candidate = (candidate ?? before).flatMap { isLeading($0, before: origin) ? $0 : nil }
            pace = Pace(origin: origin, since: elapsed)
        }
        guard let tried else { return }
        let next = candidate?.origin ?? origin
        if let needed = probation(of: next), elapsed - tried.since >= needed {
            (believed, begun, candidate) = (next, next, nil)
        }
    }

    /// Whether a clock is ahead of what is believed, and one that began at an instant not behind it.
    private func isLeading(_ pace: Pace, before origin: Timestamp) -> Bool {
        guard let believed else { return false }
        return pace.origin - believed > Self.tolerance && pace.origin - origin <= Self.tolerance
    }

    /// What is to be believed next.
    private var tried: Pace? { candidate ?? pace }

    /// For how long a clock of which phones say this must go on evenly to be believed; nil for ever.
    private func probation(of origin: Timestamp) -> Duration? {
        guard let believed else { return Self.probation.lowerBound }
        let ahead = origin - believed
        if witnesses.confirm, ahead <= Self.witnessed { return Self.probation.lowerBound }
        if ahead < .zero - Self.tolerance { return nil }
        return max(Self.probation.lowerBound, min(ahead, Self.probation.upperBound))
    }

    /// What time it is by what is believed, when the clock was last looked at; nil if nothing is.
    public var certain: Timestamp? { believed.map { $0 + elapsed } ?? last?.certain }

    /// What a later start has to know; nil if the clock was not looked at yet.
    public var known: KnownTime? {
        guard let tried, let certain else { return nil }
        return KnownTime(certain: certain, shown: tried.origin + elapsed, even: elapsed - tried.since)
    }

    /// How a clock goes.
    private struct Pace: Sendable {
        /// What it showed, or should have shown, when the one began that only ever goes on.
        var origin: Timestamp
        /// Since when it has gone on like that, by the other clock.
        var since: Duration
    }

    /// From when ages are to be counted if what is deleted for its age must really be so old: not from a clock that is ahead of
    /// what is believed; nil if nothing is known.
    public var past: Timestamp? {
        guard let pace, let certain else { return nil }
        return min(certain, pace.origin + elapsed)
    }

    /// By how much the clock is ahead of what is believed, or behind; nil if it is not.
    public var doubt: Duration? {
        guard let pace, let believed else { return nil }
        let doubt = pace.origin - believed
        return Self.isJump(doubt) ? doubt : nil
    }

    /// The earliest and the latest instant that it may be when the clock shows `now`: one instant, unless the clock is doubted.
    ///
    /// An end that cannot be undone waits for the lower bound. What must not be shown after an end is hidden from the upper
    /// bound on.
    public func moment(_ now: Timestamp) -> ClosedRange<Timestamp> {
        guard let doubt else { return now...now }
        return min(now, now - doubt)...max(now, now - doubt)
    }

    /// The time of this run when the clock shows `now`: it goes on evenly from the start, is never behind what is believed, and
    /// is not ahead of a clock that was put back.
    public func steady(_ now: Timestamp) -> Timestamp { now - lead }

    /// By how much the clock is ahead of the time of this run, negative if it is behind; zero for no more than it may be put right.
    var lead: Duration {
        guard let pace, let believed, let begun else { return .zero }
        let jump = pace.origin - max(believed, min(begun, pace.origin))
        return Self.isJump(jump) ? jump : .zero
    }

    /// The time that an event gets when the clock shows `now`: what the clock shows, unless that is wrong by more than an hour.
    ///
    /// Events are kept for days from then on, whatever the clock shows later.
    func stamp(_ now: Timestamp) -> Timestamp {
        let steady = steady(now)
        return max(now, steady) - min(now, steady) > Self.probation.lowerBound ? steady : now
    }

    /// By when a wait is over when the clock shows `now`.
    func due(_ now: Timestamp) -> DueTime {
        DueTime(certain: moment(now).lowerBound, now: steady(now), begun: begun ?? now)
    }

    /// Whether the clock jumped since it was last looked at.
    func isOff(_ now: Timestamp, elapsed: Duration) -> Bool {
        pace.map { Self.isJump(now - elapsed - $0.origin) } ?? false
    }

    private static func isJump(_ change: Duration) -> Bool { change > tolerance || change < .zero - tolerance }

    /// Takes note of whether the time of a person's phone agrees with the clock, or is ahead of it.
    public mutating func note(_ person: PersonID, agrees: Bool) { witnesses.note(person, agrees: agrees) }

    /// Whether the clock is behind: what is believed says so, or the phones of most people in the last minutes, of two at least.
    public var isBehind: Bool { witnesses.deny || doubt.map { $0 < .zero } ?? false }
}

/// What the phones of the last five to ten minutes say of the clock: each person is one, whatever and however often they send.
private struct Witnesses: Sendable {
    private static let patience = Duration.seconds(300)
    /// So many people are heard in each five minutes; more would say the same.
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
        guard elapsed - since >= Self.patience else { return }
        (earlier, recent, since) = (recent, [:], elapsed)
        agreeing = earlier.values.count { $0 }
    }
}

/// The clock, as the living whole takes it.
extension Live {
    /// What is believed of the time is written at least so often.
    private static let clockWritten = Duration.seconds(600)

    /// Takes note of what the clock shows, and what one does that only ever goes on, and writes now and then what is certain of
    /// the time, so that nothing is deleted because of a clock that is wrong at the next start.
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

    /// Writes what is known of the time, if the clock was looked at.
    ///
    /// - Throws: ``StorageError``.
    func keepClock() async throws(StorageError) {
        if let known = trust.known { try await store.keepKnownTime(known) }
    }

    /// What is known of the time.
    public var trust: ClockTrust { clock.withLock { $0.trust } }

    /// What the clock shows, after taking note of a jump since it was last looked at.
    public func noticing(clock now: Timestamp, elapsed: Duration) -> Timestamp {
        clock.withLock { clock in
            guard clock.trust.isOff(now, elapsed: elapsed) else { return }
            clock.trust.observe(now, elapsed: elapsed)
            follow(clock.trust)
        }
        return now
    }

    /// Has the picture know by how much the clock is off; those who follow a log have the clock of that.
    private func follow(_ trust: ClockTrust) {
        if following == nil { clockDoubt.set(trust.lead) }
    }

    /// The earliest and the latest instant that it may be when the clock shows one; see ``ClockTrust/moment(_:)``.
    public func moment(of now: Timestamp) -> ClosedRange<Timestamp> { clock.withLock { $0.trust.moment(now) } }

    /// The time of this run when the clock shows an instant; see ``ClockTrust/steady(_:)``.
    public func steady(at now: Timestamp) -> Timestamp { clock.withLock { $0.trust.steady(now) } }

    /// Takes note of when a person's phone says that the newest of its positions was fixed that it sends now.
    ///
    /// Positions that it kept for longer say nothing of the clock.
    ///
    /// - Returns: whether the clock is behind; see ``ClockTrust/isBehind``.
    public func hear(_ person: PersonID, newest: Timestamp, at received: Timestamp) -> Bool {
        clock.withLock { clock in
            if newest >= received - rules.futureTolerance {
                clock.trust.note(person, agrees: newest <= received + rules.futureTolerance)
            }
            return clock.trust.isBehind
        }
    }

    /// What is known of the clock, and when that was last written, by the clock that only ever goes on.
    struct Watched: Sendable {
        var trust: ClockTrust
        var written: Duration?
    }
}
