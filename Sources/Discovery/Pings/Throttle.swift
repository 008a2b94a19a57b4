internal import Geo
internal import Model

/// How a person's positions are thinned out and which are not believed, and what else of the rules a service may set.
public struct PingRules: Hashable, Sendable {
    /// A position nearer than this to the one stored before it, in metres, is not stored.
    public var distance = 500.0
    /// Consecutive stored positions are at least this long apart.
    public var interval = Duration.seconds(120)
    /// The distance counts for so long after a stored position: who stays longer has another one stored there.
    public var stay = Duration.seconds(86_400)
    /// A fix time so far after receipt is refused.
    public var futureTolerance = Duration.seconds(300)
    /// A position with a greater error radius, in metres, is refused, unless patience has run out.
    public var worstAccuracy = 200.0
    /// A poor position is taken when no better one was stored for this long.
    public var patience = Duration.seconds(600)
    /// Nobody travels faster, in metres a second.
    public var maximumSpeed = 350.0
    /// Positions older than this at receipt are refused; nil keeps all.
    public var retention: Duration?
    /// How long events are kept that no reader may miss.
    public var eventRetention = Duration.seconds(86_400)
    /// How far, in metres, somebody may go at most before the next fix while they are watched live.
    public var liveDistance = 25.0
    /// How long they may wait before it.
    public var liveInterval = Duration.seconds(10)
    /// How far, in metres, a hint lets somebody go at least, however near the border of a fence is.
    public var leastBeyond = 50.0
    /// For how long it does.
    public var leastPause = Duration.seconds(15)
    /// Which kinds of places people may make.
    public var kindsOfPeople = PlaceKinds()
    /// How many things a person may have.
    public var allowance = Allowance()
    /// What of this is turned off; nothing but in tests.
    package var defences = Defences()

    /// The rules that hold when nothing is configured.
    public init() {}

    /// The rules for a person with thresholds and a retention of their own.
    func overridden(by own: ThrottleOverride, retention kept: Duration? = nil) -> PingRules {
        var rules = self
        if let kept { rules.retention = min(kept, retention ?? kept) }
        rules.distance = own.distance ?? distance
        rules.interval = own.interval ?? interval
        return rules
    }

    /// The rules by which others are told how far a person with thresholds of their own may have been: the service's distance,
    /// doubled until the person's is no greater.
    ///
    /// So what is told is true, and of the person's own it tells at most between which two of these it lies.
    func told(of own: ThrottleOverride) -> PingRules {
        var rules = self
        rules.distance = max(distance, 1)
        while rules.distance < own.distance ?? 0 { rules.distance *= 2 }
        return rules
    }
}

/// What became of a ping.
public enum Verdict: CaseIterable, Hashable, Sendable {
    /// It is part of the person's history now.
    case stored
    /// Its fix time is too close to that of a stored position.
    case throttledByInterval
    /// It is too near to the position stored before it, which is not long ago.
    case throttledByDistance
    /// The same device sent the same place and time before, and it was stored.
    case duplicate
    /// It was older at its receipt than the retention.
    case stale
    /// The place 0°, 0° without an accuracy: what receivers report when they know nothing.
    case void
    /// Its error radius is too great while a recent position is known.
    case inaccurate
    /// Its fix time is further after its receipt than the tolerance.
    case future
    /// Nobody could have come here from the position before, or gone from here to the one after.
    case impossibleSpeed
    /// The person does not exist, or the caller may not act for them.
    case unknownPerson

    /// Whether the person was there, stored or not, and that is news.
    var isBelieved: Bool {
        switch self {
        case .stored, .throttledByInterval, .throttledByDistance: true
        case .duplicate, .stale, .void, .inaccurate, .future, .impossibleSpeed, .unknownPerson: false
        }
    }
}

/// A stored position as later pings are judged by it.
struct JudgedPing: Hashable, Sendable {
    // Ordered without gaps: everybody has two of it.
    var time: Timestamp
    var place: Coordinate
    var publicCell: CubeCell
    /// When the ping arrived.
    var received: Timestamp
    /// The latest time at which the person is known to have been there.
    private(set) var lastSeen: Timestamp
    private var gaps: [Stay.Gap]
    var device: String
    /// In metres; 0 if the device did not say.
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

    /// The latest time at which the person is known to have been there, if it is after the fix.
    var seenUntil: Timestamp? { lastSeen > time ? lastSeen : nil }

    var key: PingKey { PingKey(time: time, sequence: sequence) }

    var fix: Fix { Fix(time: time, place: place, accuracy: accuracy) }
}

/// The stored positions around a fix time.
struct TimeNeighbours {
    /// All those at the latest fix time that is not after the one asked for.
    private(set) var before: [JudgedPing] = []
    /// The first one after.
    private(set) var after: JudgedPing?
    /// The suspect ones at that very time, by which nothing is judged.
    private(set) var suspects: [JudgedPing] = []
    private let time: Timestamp
    /// Positions that are taken for suspect.
    private let accused: Set<PingKey>

    init(around time: Timestamp, without accused: Set<PingKey> = []) {
        self.time = time
        self.accused = accused
    }

    /// Adds a position that may be nearer in time than those known.
    mutating func consider(_ point: JudgedPing) {
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

    /// The one just before, or at, that time.
    var previous: JudgedPing? { before.max { $0.sequence < $1.sequence } }

    var both: [JudgedPing] { before + (after.map { [$0] } ?? []) }

    /// So many suspect ones there are at most at one time: each later position at that time is compared with all of them.
    private static let mostSuspects = 16

    /// The sequence that one more position at that time gets; nil when there is no more room.
    var nextSequence: UInt8? {
        guard suspects.count < Self.mostSuspects else { return nil }
        guard let last = (before + suspects).filter({ $0.time == time }).map(\.sequence).max() else { return 0 }
        return last == .max ? nil : last + 1
    }
}

extension PingRules {
    /// Judges a ping of a known person by the stored positions around it.
    ///
    /// It is stored when there is none, or when it is at least the interval from those just before and just after it in fix
    /// time **and**, unless the one before is older than a stay, at least the distance from that. So in whatever order pings
    /// arrive consecutive stored positions are the interval apart, what was not stored for the distance is near the position
    /// before, and nothing that comes later makes anything storable that was not: the same pings again store nothing.
    /// The distance does not count from a position that the border of a privacy zone separates. What is confirmed by others was
    /// never too fast. Ages are counted from `past`, which is no later than the receipt.
    func judge(
        _ ping: PingReport, at time: Timestamp, received: Timestamp, past: Timestamp, among neighbours: TimeNeighbours,
        separated isSeparate: (JudgedPing) -> Bool = { _ in false }, isConfirmed: Bool = false
    ) -> Verdict {
        let both = neighbours.both
        func isSame(_ other: JudgedPing) -> Bool {
            other.time == time && other.place == ping.place && other.device == ping.device
        }
        if both.contains(where: isSame) || neighbours.suspects.contains(where: isSame) { return .duplicate }
        if time > received + futureTolerance { return .future }
        if let retention, time < past - retention { return .stale }
        if ping.place.latitudeE7 == 0, ping.place.longitudeE7 == 0, ping.details.accuracy == nil { return .void }
        if let accuracy = ping.details.accuracy, Double(accuracy) > worstAccuracy,
            neighbours.before.contains(where: { time - $0.time < patience })
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

    /// What speaks against stored positions when one more was refused for impossible speed.
    ///
    /// A position that is no later than the last of the row, as one sent again, tells nothing new.
    func outlierRun(_ fix: Fix, after run: OutlierRun?, among neighbours: TimeNeighbours) -> OutlierRun {
        let accused = Set(neighbours.both.filter { isTooFast(from: $0.fix, to: fix) }.map(\.key))
        guard let run, run.accused == accused else { return OutlierRun(accused: accused, last: fix) }
        if fix.time <= run.last.time { return run }
        let agrees = !isTooFast(from: run.last, to: fix)
        return OutlierRun(accused: accused, last: fix, count: agrees ? run.count + 1 : 1)
    }

    /// Two positions of one instant cannot both be kept where a distance is asked for: none of them is before the other.
    private var leastBetween: Duration { distance > 0 ? max(interval, .milliseconds(1)) : interval }

    /// Whether two places are nearer to each other than stored positions shall be.
    func isNear(_ a: Coordinate, _ b: Coordinate) -> Bool { Geodesic.isCloser(a, b, than: distance) }

    /// Until when the distance counts of a position that is the newest.
    func staying(since time: Timestamp) -> Timestamp? { distance > 0 ? time + max(stay, interval) : nil }

    private func abs(_ a: Timestamp, _ b: Timestamp) -> Duration { a > b ? a - b : b - a }

    /// Even if both positions are wrong by all their accuracy says, the way between them was too long for the time.
    func isTooFast(from a: Fix, to b: Fix) -> Bool {
        let way = maximumSpeed * abs(a.time, b.time).seconds + Double(a.accuracy) + Double(b.accuracy)
        return !Geodesic.isCloser(a.place, b.place, than: way) && Geodesic.distance(from: a.place, to: b.place) > way
    }
}

extension PingReport {
    func fix(at time: Timestamp) -> Fix { Fix(time: time, place: place, accuracy: details.accuracy ?? 0) }
}

extension OutlierRun {
    /// So many positions in a row that agree with each other outweigh the stored one they contradict.
    static let enough = 3
}

extension CubeCell {
    /// The level of the cells in which positions are recorded.
    static let publicLevel = CellLevels.finest
    /// How far past the border of a person's public cell a position must lie to change it, in sides of the cell.
    static let publicHysteresis = 0.15

    /// The public cell of a person who was in `current` and is now at `place`.
    ///
    /// It does not change near a border, so that the jitter of a receiver at home does not tell where the border runs.
    static func publicCell(at place: Coordinate, after current: CubeCell?) -> CubeCell {
        if let current, current.level == publicLevel, current.overshoot(of: place) <= publicHysteresis {
            return current
        }
        return CubeCell(containing: place, level: publicLevel)
    }
}
