package import Geo

/// What the service told: from where, how far and until when nothing can be stored.
package struct Hint: Hashable, Sendable {
    package var from: Coordinate
    /// In metres.
    package var beyond: Double
    package var notBefore: SimulatedTime
    /// From when on it no longer holds.
    package var until: SimulatedTime?

    package init(from: Coordinate, beyond: Double, notBefore: SimulatedTime, until: SimulatedTime? = nil) {
        self.from = from
        self.beyond = beyond
        self.notBefore = notBefore
        self.until = until
    }

    /// Whether a fix may be stored for all that is known.
    func lets(_ fix: Fix) -> Bool {
        if let until, fix.time >= until { return true }
        return fix.time >= notBefore && !Geodesic.isCloser(from, fix.place, than: beyond)
    }
}

/// What becomes of fixes in a phone: kept back because of the hint, sent, sent late, sent twice, or gathered while there is no
/// network and sent together.
struct Phone: Sendable {
    private static let meanBetweenFlights = 8 * 3600.0
    private static let flights = 1_200.0...5_400.0
    private static let lateness = 60.0...900.0
    private static let late = 0.01
    private static let twice = 0.01
    /// Of what is gathered the eldest are dropped beyond this.
    private static let mostGathered = 2_000

    private let follows: Bool
    private var hint: Hint?
    private var nextFlight: SimulatedTime
    private var landing: SimulatedTime?
    private var gathered: [Fix] = []
    private var held: [(fix: Fix, until: SimulatedTime)] = []
    /// What is to be sent next, one request each.
    private var outbox: [[Fix]] = []

    /// A phone that was switched on at an instant and follows the service's hint, or not.
    init(from start: SimulatedTime, follows: Bool, using random: inout SeededGenerator) {
        self.follows = follows
        nextFlight = start + random.exponential(mean: Self.meanBetweenFlights)
    }

    /// What is done with a fix.
    enum Fate: Equatable {
        /// It is sent now or later.
        case taken
        /// The hint said that it could not be stored; the phone is online.
        case kept
        /// The same, but what was gathered before is not judged yet.
        case keptOffline
    }

    /// Takes notice of an instant, and of the fix if there is one.
    mutating func take(_ fix: Fix?, at time: SimulatedTime, using random: inout SeededGenerator) -> Fate? {
        if let landing, time >= landing { land(at: time, using: &random) }
        if landing == nil, time >= nextFlight { landing = nextFlight + random.among(Self.flights) }
        if landing == nil {
            outbox += held.filter { $0.until <= time }.map { [$0.fix] }
            held.removeAll { $0.until <= time }
        }
        guard let fix else { return nil }
        // Drawn in any case, so that what follows does not depend on the answer.
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

    /// Sends all that is left.
    mutating func finish() {
        if !gathered.isEmpty { outbox.append(gathered) }
        outbox += held.map { [$0.fix] }
        (gathered, held) = ([], [])
    }

    /// The fixes of the next request; nil when there is nothing to send.
    mutating func next() -> [Fix]? { outbox.isEmpty ? nil : outbox.removeFirst() }

    mutating func follow(_ hint: Hint?) { self.hint = hint ?? self.hint }

    private mutating func land(at time: SimulatedTime, using random: inout SeededGenerator) {
        landing = nil
        nextFlight = time + random.exponential(mean: Self.meanBetweenFlights)
        if !gathered.isEmpty { outbox.append(gathered) }
        gathered = []
    }
}
