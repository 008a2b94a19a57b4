internal import Geo
internal import Model

/// How near two people come, each on a segment of their track.
///
/// A geodesic bends by no more than 1/r, r the smallest radius of curvature of the ellipsoid. So the vector through space from
/// one person to the other, T seconds long, lies within (u² + v²) T² / 8r of a straight line from its first value to its last, u and
/// v their speeds. A time is divided until that tells whether they were near each other, or until the line is as good as the
/// places, which are rounded: then the line decides.
struct ClosestApproach {
    /// What rounding two places to the lattice may add to a distance, in metres; the line is as good as the places then.
    private static let rounding = 0.03
    /// The least distance is told to so many metres.
    private static let tolerance = 0.1
    /// Times between which people came apart for no longer are one, in milliseconds; shorter ones are not divided.
    static let resolution: Int64 = 1000
    /// Up to this distance a chord is as long as its geodesic, to a millimetre, in metres.
    private static let flat = 10_000.0

    private let a, b: TrackSegment
    private let bending: Double
    /// At how many instants it was worked out where both were.
    private(set) var evaluations = 0

    init(_ a: TrackSegment, _ b: TrackSegment) {
        self.a = a
        self.b = b
        bending = (a.speed * a.speed + b.speed * b.speed) / (8 * ChordBounds.smallestRadius)
    }

    private var isAtRest: Bool { bending == 0 }

    /// Where the second person was, seen from the first, at an instant in milliseconds.
    private struct Sample {
        let time: Int64
        let vector: SIMD3<Double>
    }

    /// A time between two samples, and by how much the vector may differ from the straight line between theirs.
    private struct Part {
        let from, to: Sample
        let bend: Double

        var length: Int64 { to.time - from.time }
        private var way: SIMD3<Double> { to.vector - from.vector }

        /// At which share of the time the line is nearest to the first person.
        var nearest: Double {
            let square = (way * way).sum()
            return square > 0 ? min(1, max(0, -(from.vector * way).sum() / square)) : 0
        }
        private func chord(at share: Double) -> Double {
            let vector = from.vector + share * way
            return (vector * vector).sum().squareRoot()
        }
        var least: Double { ChordBounds.lower(max(0, chord(at: nearest) - bend - ClosestApproach.rounding)) }
        var greatest: Double { ChordBounds.upper(max(chord(at: 0), chord(at: 1)) + bend + ClosestApproach.rounding) }
        var isStraight: Bool { bend <= ClosestApproach.rounding || length <= ClosestApproach.resolution }

        /// The times at which the line is no longer than a chord; nil if it is never.
        func times(within limit: Double) -> ClosedRange<Int64>? {
            let square = (way * way).sum()
            let half = (from.vector * way).sum()
            let excess = (from.vector * from.vector).sum() - limit * limit
            guard square > 0 else { return excess <= 0 ? from.time...to.time : nil }
            let root = half * half - square * excess
            guard root >= 0 else { return nil }
            let (enter, leave) = ((-half - root.squareRoot()) / square, (-half + root.squareRoot()) / square)
            guard enter <= 1, leave >= 0 else { return nil }
            let first = from.time + Int64((max(0, enter) * Double(length)).rounded(.up))
            let last = from.time + Int64((min(1, leave) * Double(length)).rounded(.down))
            return first <= last ? first...last : nil
        }
    }

    private mutating func places(at milliseconds: Int64) -> (Coordinate, Coordinate) {
        evaluations += 1
        let time = Timestamp(milliseconds: milliseconds)
        return (a.leg.place(at: time), b.leg.place(at: time))
    }

    private mutating func distance(at milliseconds: Int64) -> Double {
        let (one, other) = places(at: milliseconds)
        return Geodesic.distance(from: one, to: other)
    }

    private mutating func sample(at milliseconds: Int64) -> Sample {
        let (one, other) = places(at: milliseconds)
        let (from, to) = (EarthCentred(one), EarthCentred(other))
        return Sample(time: milliseconds, vector: SIMD3(to.x - from.x, to.y - from.y, to.z - from.z))
    }

    private func part(_ from: Sample, _ to: Sample) -> Part {
        let seconds = Double(to.time - from.time) / 1000
        return Part(from: from, to: to, bend: bending * seconds * seconds)
    }

    private mutating func halves(of part: Part) -> (Part, Part) {
        let middle = sample(at: part.from.time + part.length / 2)
        return (self.part(part.from, middle), self.part(middle, part.to))
    }

    /// The times from one to another at which both were at most so many metres apart.
    mutating func times(within limit: Double, from: Int64, to: Int64) -> [ClosedRange<Int64>] {
        if isAtRest { return distance(at: from) <= limit ? [from...to] : [] }
        var near: [ClosedRange<Int64>] = []
        var parts = [part(sample(at: from), sample(at: to))]
        while let part = parts.popLast() {
            if part.least > limit { continue }
            let isNear = part.greatest <= limit
            guard isNear || part.isStraight else {
                let (first, second) = halves(of: part)
                parts += [second, first]
                continue
            }
            guard let times = isNear ? part.from.time...part.to.time : part.times(within: chord(of: limit, in: part))
            else { continue }
            if let last = near.last, times.lowerBound - last.upperBound <= Self.resolution {
                near[near.count - 1] = last.lowerBound...times.upperBound
            } else {
                near.append(times)
            }
        }
        return near
    }

    /// How long the chord of a geodesic is, as they are to each other in the middle of a part.
    private mutating func chord(of limit: Double, in part: Part) -> Double {
        guard limit > Self.flat else { return limit }
        let (one, other) = places(at: part.from.time + part.length / 2)
        let distance = Geodesic.distance(from: one, to: other)
        return distance > 0 ? limit * EarthCentred(one).chord(to: EarthCentred(other)) / distance : limit
    }

    /// The least distance during a time, and when; nil unless it is below a known one by more than the tolerance.
    mutating func least(in times: ClosedRange<Int64>, below known: Double) -> (distance: Double, at: Int64)? {
        guard known > Self.tolerance else { return nil }
        var least = (distance: known, at: times.lowerBound)
        func take(_ distance: Double, _ at: Int64) { if distance < least.distance { least = (distance, at) } }
        if isAtRest {
            take(distance(at: times.lowerBound), times.lowerBound)
        } else {
            var parts = [part(sample(at: times.lowerBound), sample(at: times.upperBound))]
            while let part = parts.popLast() {
                if part.least >= least.distance - Self.tolerance { continue }
                let time = part.from.time + Int64((part.nearest * Double(part.length)).rounded())
                take(distance(at: time), time)
                if part.isStraight { continue }
                let (first, second) = halves(of: part)
                // The half in which it can be least comes first.
                parts += first.least < second.least ? [second, first] : [first, second]
            }
        }
        return least.distance < known ? least : nil
    }
}
