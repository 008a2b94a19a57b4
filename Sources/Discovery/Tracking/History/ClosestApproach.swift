internal import Geo
internal import Model

/// The closest approach of two people, each on a segment of their track.
///
/// A geodesic curves by at most 1/r, where r is the smallest radius of curvature of the ellipsoid. So the chord vector
/// from one person to the other over T seconds lies within (u² + v²) T² / 8r of the straight line between its first and
/// last value, with u and v their speeds. A time span is bisected until this bound decides whether they were near each
/// other, or until the line is as accurate as the rounded positions. The line decides then.
struct ClosestApproach {
    /// Maximum error of a distance from rounding two positions to the lattice, in meters.
    private static let rounding = 0.03
    /// Accuracy of the least distance in meters.
    private static let tolerance = 0.1
    /// Gaps up to this many milliseconds between two encounters are closed; shorter spans are not bisected.
    static let resolution: Int64 = 1000
    /// Up to this distance in meters a chord is as long as its geodesic, to a millimeter.
    private static let flat = 10_000.0

    private let a, b: TrackSegment
    private let bending: Double
    /// Number of instants at which both positions were computed.
    private(set) var evaluations = 0

    init(_ a: TrackSegment, _ b: TrackSegment) {
        self.a = a
        self.b = b
        bending = (a.speed * a.speed + b.speed * b.speed) / (8 * ChordBounds.smallestRadius)
    }

    private var isAtRest: Bool { bending == 0 }

    /// The chord vector from the first person to the second, at a time in milliseconds.
    private struct Sample {
        let time: Int64
        let vector: SIMD3<Double>
    }

    /// A time span between two samples, and the maximum deviation of the vector from the line between them.
    private struct Part {
        let from, to: Sample
        let bend: Double

        var length: Int64 { to.time - from.time }
        private var way: SIMD3<Double> { to.vector - from.vector }

        /// The fraction of the span at which the line is nearest to the first person.
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

        /// The times at which the line has at most the length `limit`; nil if never.
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

    /// The times within a span at which the two were at most `limit` meters apart.
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

    /// The chord of a geodesic of length `limit`, by their ratio in the middle of a part.
    private mutating func chord(of limit: Double, in part: Part) -> Double {
        guard limit > Self.flat else { return limit }
        let (one, other) = places(at: part.from.time + part.length / 2)
        let distance = Geodesic.distance(from: one, to: other)
        return distance > 0 ? limit * EarthCentred(one).chord(to: EarthCentred(other)) / distance : limit
    }

    /// The least distance in a span and its time; nil unless it is less than `known` by more than the tolerance.
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
                // The half with the smaller lower bound is examined first.
                parts += first.least < second.least ? [second, first] : [first, second]
            }
        }
        return least.distance < known ? least : nil
    }
}
