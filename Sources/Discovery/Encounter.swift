public import Geo
public import Storage

/// A time during which two people were near each other.
public struct Encounter: Hashable, Sendable {
    /// From when to when, both included.
    public var times: ClosedRange<Timestamp>
    /// When they were nearest.
    public var nearest: Timestamp
    /// How near, in metres.
    public var distance: Double
    /// Where the first of them was then.
    public var place: Coordinate
    /// By how much the distance may be wrong, in metres: the uncertainty of both places.
    public var uncertainty: Double
    /// Whether both were seen where they were, or one was on the way.
    public var basis: PastPosition.Basis
}

/// A part of a person's track: a stay, or the way between two stored positions.
struct Stretch: Sendable {
    /// Of a way that took longer nothing is known.
    static let longestWay = Duration.seconds(3600)

    let leg: Leg
    let times: ClosedRange<Timestamp>
    /// In metres a second.
    let speed: Double
}

extension Leg {
    /// The stay at the start and the way to the end, if they are known.
    var stretches: [Stretch] {
        let stay = Stretch(leg: self, times: start.time...lastSeen, speed: 0)
        guard let end, case let duration = end.time - lastSeen, duration > .zero, duration <= Stretch.longestWay else {
            return [stay]
        }
        return [stay, Stretch(leg: self, times: lastSeen...end.time, speed: length / duration.seconds)]
    }
}

/// Finds encounters in two tracks whose stretches come in the order of time.
///
/// Nobody can be nearer or farther after a while than both together have gone. So a time is divided until it is clear for
/// each part whether the two were near each other all along or not at all, or the part is at most a second long: then its middle
/// decides.
struct EncounterFinder {
    private static let resolution: Int64 = 1000
    /// What rounding two places to the lattice may add to a distance, in metres.
    private static let rounding = 0.03
    /// The least distance is told to so many metres.
    private static let tolerance = 0.1

    let within: Double
    /// Only what happens then is told.
    let window: Range<Timestamp>
    private(set) var found: [Encounter] = []
    private var open: Encounter?

    init(within: Double, window: Range<Timestamp>) {
        self.within = within
        self.window = window
    }

    /// Looks at the time that two stretches have in common.
    mutating func look(_ a: Stretch, _ b: Stretch) {
        let from = max(a.times.lowerBound, b.times.lowerBound)
        let to = min(a.times.upperBound, b.times.upperBound)
        guard from <= to, to >= window.lowerBound, from < window.upperBound else { return }
        divide(a, b, from.milliseconds, to.milliseconds)
    }

    /// Ends the encounter that goes on.
    mutating func finish() {
        if let open { found.append(open) }
        open = nil
    }

    private mutating func divide(_ a: Stretch, _ b: Stretch, _ from: Int64, _ to: Int64) {
        let middle = from + (to - from) / 2
        let speed = a.speed + b.speed
        let distance = Self.distance(a, b, Timestamp(milliseconds: middle))
        let change = speed > 0 ? speed * Double(to - middle) / 1000 + Self.rounding : 0
        if distance - change > within { return }
        let least = open.flatMap { $0.times.upperBound.milliseconds >= from ? $0.distance : nil } ?? .infinity
        let isClear = distance + change <= within && distance - change >= least - Self.tolerance
        if !isClear, change > 0, to - from > Self.resolution {
            divide(a, b, from, middle)
            divide(a, b, middle, to)
        } else if distance <= within {
            add(a, b, from, to, middle)
        }
    }

    private static func distance(_ a: Stretch, _ b: Stretch, _ time: Timestamp) -> Double {
        Geodesic.distance(from: a.leg.place(at: time), to: b.leg.place(at: time))
    }

    private mutating func add(_ a: Stretch, _ b: Stretch, _ from: Int64, _ to: Int64, _ middle: Int64) {
        let (first, last) = (window.lowerBound.milliseconds, window.upperBound.milliseconds - 1)
        guard from <= last, to >= first else { return }
        let time = Timestamp(milliseconds: min(max(middle, first), last))
        let distance = Self.distance(a, b, time)
        let times = Timestamp(milliseconds: max(from, first))...Timestamp(milliseconds: min(to, last))
        var encounter = Encounter(
            times: times, nearest: time, distance: distance, place: a.leg.place(at: time),
            uncertainty: a.leg.uncertainty(at: time) + b.leg.uncertainty(at: time),
            basis: time <= a.leg.lastSeen && time <= b.leg.lastSeen ? .seen : .reach)
        if let known = open, known.times.upperBound >= times.lowerBound {
            if known.distance <= distance { encounter = known }
            encounter.times = known.times.lowerBound...max(known.times.upperBound, times.upperBound)
        } else {
            finish()
        }
        open = encounter
    }
}
