internal import Geo
internal import Model

/// The rules by which a person's positions are thinned out and rejected, and other limits that a service may set.
public struct PingRules: Hashable, Sendable {
    /// Minimum distance in meters of a position from the one stored before it.
    public var distance = 500.0
    /// Minimum time between consecutive stored positions.
    public var interval = Duration.seconds(120)
    /// How long the distance rule applies after a stored position; later ones are stored even without movement.
    public var stay = Duration.seconds(86_400)
    /// Fix times further than this after receipt are refused.
    public var futureTolerance = Duration.seconds(300)
    /// Positions with a greater error radius in meters are refused, unless ``coarseFixDelay`` is over.
    public var maximumErrorRadius = 200.0
    /// An inaccurate position is accepted when nothing was stored for this long.
    public var coarseFixDelay = Duration.seconds(600)
    /// The maximum plausible speed in meters per second.
    public var maximumSpeed = 350.0
    /// Positions older than this at receipt are refused; nil keeps all.
    public var retention: Duration?
    /// Retention of events that no subscriber may miss.
    public var eventRetention = Duration.seconds(86_400)
    /// Maximum distance in meters to the next fix of a person with a live subscriber.
    public var liveDistance = 25.0
    /// Maximum time to the next fix of a person with a live subscriber.
    public var liveInterval = Duration.seconds(10)
    /// Minimum radius of a hint in meters, however near the border of a fence is.
    public var minimumHintRadius = 50.0
    /// Minimum duration of a hint, however near the border of a fence is.
    public var minimumHintDuration = Duration.seconds(15)
    /// The kinds of places that people may create.
    public var kindsOfPeople = PlaceKinds()
    /// Limits on the number of things a person may have.
    public var allowance = Allowance()
    /// Privacy rules that are turned off; none except in tests.
    package var defences = Defences()

    /// The default rules.
    public init() {}

    /// The rules for a person with thresholds and a retention of their own.
    func overridden(by own: ThrottleOverride, retention kept: Duration? = nil) -> PingRules {
        var rules = self
        if let kept { rules.retention = min(kept, retention ?? kept) }
        rules.distance = own.distance ?? distance
        rules.interval = own.interval ?? interval
        return rules
    }

    /// The rules from which others learn how far such a person may have been.
    ///
    /// The service's distance is doubled until it is at least the person's. So the bound is true, and reveals the
    /// person's own threshold only to a factor of two.
    func published(for own: ThrottleOverride) -> PingRules {
        var rules = self
        rules.distance = max(distance, 1)
        while rules.distance < own.distance ?? 0 { rules.distance *= 2 }
        return rules
    }
}

/// The verdict on a ping.
public enum Verdict: CaseIterable, Hashable, Sendable {
    /// It is part of the person's history now.
    case stored
    /// Its fix time is too close to a stored position's.
    case throttledByInterval
    /// It is too near the position stored before it, which is recent.
    case throttledByDistance
    /// A repetition of a stored ping: its device sent the same position and time before.
    case duplicate
    /// It was older than the retention at its receipt.
    case stale
    /// The coordinate 0°, 0° without an accuracy, which receivers report without a fix.
    case void
    /// Its error radius is too great while a recent position is known.
    case inaccurate
    /// Its fix time is after its receipt by more than the tolerance.
    case future
    /// It is too far from the position before or after for the maximum speed.
    case impossibleSpeed
    /// The person does not exist, or the caller may not act for them.
    case unknownPerson

    /// Whether the ping is a new and believed position of the person, stored or not.
    var isBelieved: Bool {
        switch self {
        case .stored, .throttledByInterval, .throttledByDistance: true
        case .duplicate, .stale, .void, .inaccurate, .future, .impossibleSpeed, .unknownPerson: false
        }
    }
}

/// A stored position, in the form by which later pings are judged.
struct RecentPing: Hashable, Sendable {
    // Ordered to avoid padding, because each person has two of these.
    var time: Timestamp
    var place: Coordinate
    var publicCell: CubeCell
    /// The time of receipt.
    var received: Timestamp
    /// The latest time at which the person is known to have been there.
    private(set) var lastSeen: Timestamp
    private var gaps: [Stay.Gap]
    var device: String
    /// In meters; 0 if the device did not report it.
    var accuracy: Float
    var sequence: UInt8
    var isSuspect: Bool
    /// Whether it lay in a privacy zone when it was stored.
    var isInPrivacyZone: Bool

    init(_ ping: StoredPing) {
        time = ping.time
        place = ping.place
        publicCell = ping.publicCell
        received = ping.received
        lastSeen = ping.seenUntil ?? ping.time
        gaps = ping.gaps
        device = ping.device
        accuracy = ping.details.accuracy ?? 0
        sequence = ping.sequence
        isSuspect = ping.isSuspect
        isInPrivacyZone = ping.isInPrivacyZone
    }

    var stay: Stay {
        get { Stay(since: time, until: lastSeen, gaps: gaps) }
        set { (lastSeen, gaps) = (newValue.until, newValue.gaps) }
    }

    /// The latest time at which the person is known to have been there, if after the fix.
    var seenUntil: Timestamp? { lastSeen > time ? lastSeen : nil }

    var key: PingKey { PingKey(time: time, sequence: sequence) }

    var fix: Fix { Fix(time: time, place: place, accuracy: accuracy) }
}

/// The stored positions around a fix time.
struct TimeNeighbours {
    /// All positions at the latest fix time not after the given one.
    private(set) var before: [RecentPing] = []
    /// The first position after it.
    private(set) var after: RecentPing?
    /// Suspect positions at exactly that time, which judge nothing.
    private(set) var suspects: [RecentPing] = []
    private let time: Timestamp
    /// Positions treated as suspect.
    private let accused: Set<PingKey>

    init(around time: Timestamp, without accused: Set<PingKey> = []) {
        self.time = time
        self.accused = accused
    }

    /// Adds a position that may be nearer in time than the known ones.
    mutating func consider(_ point: RecentPing) {
        if point.isSuspect || accused.contains(point.key) {
            if point.time == time { suspects.append(point) }
        } else if point.time > time {
            if let after, after.key <= point.key { return }
            after = point
        } else if let latest = before.first, latest.time >= point.time {
            if latest.time == point.time, !before.contains(where: { $0.key == point.key }) { before.append(point) }
        } else {
            before = [point]
        }
    }

    /// The last position before or at that time.
    var previous: RecentPing? { before.max { $0.sequence < $1.sequence } }

    var both: [RecentPing] { before + (after.map { [$0] } ?? []) }

    /// Maximum number of suspect positions at one time; each later one at that time is compared with all.
    private static let mostSuspects = 16

    /// The sequence number of a further position at that time; nil when all are used.
    var nextSequence: UInt8? {
        guard suspects.count < Self.mostSuspects else { return nil }
        guard let last = (before + suspects).filter({ $0.time == time }).map(\.sequence).max() else { return 0 }
        return last == .max ? nil : last + 1
    }
}

extension PingRules {
    /// Judges a ping of a known person by the stored positions around it.
    ///
    /// It is stored if there are none, or if its fix time is at least the interval from the positions just before and
    /// after **and**, unless the one before is older than ``stay``, it is at least the distance from that. So for any
    /// order of arrival consecutive stored positions are at least the interval apart, a ping throttled by distance is
    /// near the position before it, and later pings never make a rejected ping storable: replayed pings store nothing.
    /// The distance rule is skipped for a position beyond the border of a privacy zone, the speed check for a ping
    /// confirmed by others. Ages are counted from `past`, which is at most the receipt.
    func judge(
        _ ping: PingReport, at time: Timestamp, received: Timestamp, past: Timestamp, among neighbours: TimeNeighbours,
        separated isSeparate: (RecentPing) -> Bool = { _ in false }, isConfirmed: Bool = false
    ) -> Verdict {
        let both = neighbours.both
        func isSame(_ other: RecentPing) -> Bool {
            other.time == time && other.place == ping.place && other.device == ping.device
        }
        if both.contains(where: isSame) || neighbours.suspects.contains(where: isSame) { return .duplicate }
        if time > received + futureTolerance { return .future }
        if let retention, time < past - retention { return .stale }
        if ping.place.latitudeE7 == 0, ping.place.longitudeE7 == 0, ping.details.accuracy == nil { return .void }
        if let accuracy = ping.details.accuracy, Double(accuracy) > maximumErrorRadius,
            neighbours.before.contains(where: { time - $0.time < coarseFixDelay })
        {
            return .inaccurate
        }
        if both.contains(where: { abs(time, $0.time) < leastBetween }) { return .throttledByInterval }
        if !isConfirmed, both.contains(where: { isTooFast(from: $0.fix, to: ping.fix(at: time)) }) {
            return .impossibleSpeed
        }
        if neighbours.before.contains(where: {
            time - $0.time < stay && isNear($0.place, ping.place) && !isSeparate($0)
        }) {
            return .throttledByDistance
        }
        return neighbours.nextSequence == nil ? .throttledByInterval : .stored
    }

    /// Extends the evidence against stored positions by a ping refused for impossible speed.
    ///
    /// A position no later than the last of the run, such as a repeated one, adds nothing.
    func outlierRun(_ fix: Fix, after run: OutlierRun?, among neighbours: TimeNeighbours) -> OutlierRun {
        let accused = Set(neighbours.both.filter { isTooFast(from: $0.fix, to: fix) }.map(\.key))
        guard let run, run.accused == accused else { return OutlierRun(accused: accused, last: fix) }
        if fix.time <= run.last.time { return run }
        let agrees = !isTooFast(from: run.last, to: fix)
        return OutlierRun(accused: accused, last: fix, count: agrees ? run.count + 1 : 1)
    }

    /// With a distance rule two positions at the same time cannot both be stored, because neither is before the other.
    private var leastBetween: Duration { distance > 0 ? max(interval, .milliseconds(1)) : interval }

    /// Whether two places are nearer than the minimum distance of stored positions.
    func isNear(_ a: Coordinate, _ b: Coordinate) -> Bool { Geodesic.isCloser(a, b, than: distance) }

    /// The time until which the distance rule applies after the newest position.
    func staying(since time: Timestamp) -> Timestamp? { distance > 0 ? time + max(stay, interval) : nil }

    private func abs(_ a: Timestamp, _ b: Timestamp) -> Duration { a > b ? a - b : b - a }

    /// Whether the distance is too great for the time, even if both positions are off by their full accuracy.
    func isTooFast(from a: Fix, to b: Fix) -> Bool {
        let way = maximumSpeed * abs(a.time, b.time).seconds + Double(a.accuracy) + Double(b.accuracy)
        return !Geodesic.isCloser(a.place, b.place, than: way) && Geodesic.distance(from: a.place, to: b.place) > way
    }
}

extension PingReport {
    func fix(at time: Timestamp) -> Fix { Fix(time: time, place: place, accuracy: details.accuracy ?? 0) }
}

extension OutlierRun {
    /// Number of consecutive agreeing positions that outweigh the stored position they contradict.
    static let enough = 3
}

extension CubeCell {
    /// The level of the cells in which positions are recorded.
    static let publicLevel = CellLevels.finest
    /// How far beyond the border of the public cell a position must lie to change it, as a fraction of the cell's side.
    static let publicHysteresis = 0.15

    /// The public cell of a person who was in `current` and is now at `place`.
    ///
    /// Hysteresis near a border keeps the jitter of a receiver at home from revealing where the border runs.
    static func publicCell(at place: Coordinate, after current: CubeCell?) -> CubeCell {
        if let current, current.level == publicLevel, current.overshoot(of: place) <= publicHysteresis {
            return current
        }
        return CubeCell(containing: place, level: publicLevel)
    }
}
