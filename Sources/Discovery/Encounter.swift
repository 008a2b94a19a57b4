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
/// decides. The least distance is looked for in the same way, where it can be least first.
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
        let pair = Pair(a: a, b: b)
        var near: [ClosedRange<Int64>] = []
        divide(pair, from.milliseconds, to.milliseconds, &near)
        for times in near { add(pair, times) }
    }

    /// Ends the encounter that goes on.
    mutating func finish() {
        if let open { found.append(open) }
        open = nil
    }

    /// Two people, each on a stretch.
    private struct Pair {
        let a, b: Stretch

        func distance(at milliseconds: Int64) -> Double {
            let time = Timestamp(milliseconds: milliseconds)
            return Geodesic.distance(from: a.leg.place(at: time), to: b.leg.place(at: time))
        }

        /// By how much the distance can differ from that in the middle of some milliseconds.
        func change(in milliseconds: Int64) -> Double {
            let speed = a.speed + b.speed
            return speed > 0 ? speed * Double(milliseconds + 1) / 2000 + EncounterFinder.rounding : 0
        }
    }

    private func divide(_ pair: Pair, _ from: Int64, _ to: Int64, _ near: inout [ClosedRange<Int64>]) {
        let middle = from + (to - from) / 2
        let distance = pair.distance(at: middle)
        let change = pair.change(in: to - from)
        if distance - change > within { return }
        if distance + change > within, change > 0, to - from > Self.resolution {
            divide(pair, from, middle, &near)
            divide(pair, middle, to, &near)
        } else if distance <= within {
            if let last = near.last, last.upperBound == from {
                near[near.count - 1] = last.lowerBound...to
            } else {
                near.append(from...to)
            }
        }
    }

    private mutating func add(_ pair: Pair, _ near: ClosedRange<Int64>) {
        let window = window.lowerBound.milliseconds...window.upperBound.milliseconds - 1
        guard near.overlaps(window) else { return }
        let near = near.clamped(to: window)
        let times = Timestamp(milliseconds: near.lowerBound)...Timestamp(milliseconds: near.upperBound)
        if let known = open, known.times.upperBound >= times.lowerBound {
            open?.times = known.times.lowerBound...max(known.times.upperBound, times.upperBound)
            let least = least(pair, near, below: known.distance)
            if least.distance < known.distance { take(pair, least) }
        } else {
            finish()
            let least = least(pair, near, below: .infinity)
            open = Encounter(
                times: times, nearest: times.lowerBound, distance: 0, place: pair.a.leg.start.place, uncertainty: 0,
                basis: .seen)
            take(pair, least)
        }
    }

    private mutating func take(_ pair: Pair, _ least: (distance: Double, at: Int64)) {
        let time = Timestamp(milliseconds: least.at)
        let (a, b) = (pair.a.leg, pair.b.leg)
        open?.nearest = time
        open?.distance = least.distance
        open?.place = a.place(at: time)
        open?.uncertainty = a.uncertainty(at: time) + b.uncertainty(at: time)
        open?.basis = time <= a.lastSeen && time <= b.lastSeen ? .seen : .reach
    }

    /// The least distance during a time, and when; unless it is not below a known one by more than the tolerance.
    private func least(
        _ pair: Pair, _ times: ClosedRange<Int64>, below known: Double
    ) -> (distance: Double, at: Int64) {
        var least = (distance: known, at: times.lowerBound)
        var parts: [(times: ClosedRange<Int64>, distance: Double, middle: Int64)] = []
        func look(_ times: ClosedRange<Int64>) {
            let middle = times.lowerBound + (times.upperBound - times.lowerBound) / 2
            let distance = pair.distance(at: middle)
            if distance < least.distance { least = (distance, middle) }
            parts.append((times, distance, middle))
        }
        look(times)
        while let part = parts.popLast() {
            let length = part.times.upperBound - part.times.lowerBound
            guard length > Self.resolution,
                part.distance - pair.change(in: length) < least.distance - Self.tolerance
            else { continue }
            look(part.times.lowerBound...part.middle)
            look(part.middle...part.times.upperBound)
            // The half in which it can be least comes first.
            if parts[parts.count - 1].distance > parts[parts.count - 2].distance {
                parts.swapAt(parts.count - 1, parts.count - 2)
            }
        }
        return least
    }
}
