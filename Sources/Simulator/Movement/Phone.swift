package import Geo
internal import Laws

/// The service's hint about which positions cannot be stored.
package struct Hint: Hashable, Sendable {
    package var from: Coordinate
    /// Meters.
    package var beyond: Double
    package var notBefore: SimulatedTime
    /// The time from which the hint no longer applies.
    package var until: SimulatedTime?

    package init(from: Coordinate, beyond: Double, notBefore: SimulatedTime, until: SimulatedTime? = nil) {
        self.from = from
        self.beyond = beyond
        self.notBefore = notBefore
        self.until = until
    }

    /// Whether a fix may be stored, as far as known.
    func lets(_ fix: Fix) -> Bool {
        if let until, fix.time >= until { return true }
        return fix.time >= notBefore && !Geodesic.isCloser(from, fix.place, than: beyond)
    }
}

/// A phone's handling of fixes: suppressed by the hint, sent, delayed, duplicated, or buffered while offline.
struct Phone: Sendable {
    private static let meanBetweenFlights = 8 * 3600.0
    private static let flights = 1_200.0...5_400.0
    private static let lateness = 60.0...900.0
    private static let late = 0.01
    private static let twice = 0.01
    /// Maximum number of buffered fixes; the oldest are dropped.
    private static let mostGathered = 2_000

    private let follows: Bool
    private var hint: Hint?
    private var nextFlight: SimulatedTime
    private var landing: SimulatedTime?
    private var gathered: [Fix] = []
    private var held: [(fix: Fix, until: SimulatedTime)] = []
    private var outbox: [[Fix]] = []

    /// Creates a phone that is switched on at a time and follows the service's hint or not.
    init(from start: SimulatedTime, follows: Bool, using random: inout SeededGenerator) {
        self.follows = follows
        nextFlight = start + random.exponential(mean: Self.meanBetweenFlights)
    }

    enum Fate: Equatable {
        case taken
        /// The hint suppressed it, and the phone is online.
        case kept
        /// The hint suppressed it, but buffered fixes have not been judged yet.
        case keptOffline
    }

    /// Advances to a time, with a fix if there is one.
    mutating func take(_ fix: Fix?, at time: SimulatedTime, using random: inout SeededGenerator) -> Fate? {
        if let landing, time >= landing { land(at: time, using: &random) }
        if landing == nil, time >= nextFlight { landing = nextFlight + random.among(Self.flights) }
        if landing == nil {
            outbox += held.filter { $0.until <= time }.map { [$0.fix] }
            held.removeAll { $0.until <= time }
        }
        guard let fix else { return nil }
        // Drawn unconditionally, so that later draws do not depend on responses.
        let (isLate, isTwice) = (random.chance(Self.late), random.chance(Self.twice))
        let lateness = random.among(Self.lateness)
        if follows, let hint, !hint.lets(fix) { return landing == nil ? .kept : .keptOffline }
        if landing != nil {
            if gathered.count == Self.mostGathered { gathered.removeFirst() }
            gathered.append(fix)
        } else if isLate {
            held.append((fix, time + lateness))
        } else {
            outbox.append([fix])
            if isTwice { outbox.append([fix]) }
        }
        return .taken
    }

    mutating func finish() {
        if !gathered.isEmpty { outbox.append(gathered) }
        outbox += held.map { [$0.fix] }
        (gathered, held) = ([], [])
    }

    /// The fixes of the next request; nil if there are none.
    mutating func next() -> [Fix]? { outbox.isEmpty ? nil : outbox.removeFirst() }

    mutating func follow(_ hint: Hint?) { self.hint = hint ?? self.hint }

    private mutating func land(at time: SimulatedTime, using random: inout SeededGenerator) {
        landing = nil
        nextFlight = time + random.exponential(mean: Self.meanBetweenFlights)
        if !gathered.isEmpty { outbox.append(gathered) }
        gathered = []
    }
}
