/// A line on the ellipsoid, from 0 at its start to 1 at its end.
protocol Curve {
    func point(at share: Double) -> SIMD3<Double>

    /// The greatest distance of the curve between two shares from the straight line between its ends, in meters.
    func bulge(_ first: Double, _ last: Double) -> Double
}

/// The search for the point of a set of curves that is nearest to a place.
///
/// All lengths are chords, which bound the geodesic from both sides (``ChordBounds``). A curve is halved until it is so
/// straight that the bulge does not matter, or too far away to matter.
struct Approach {
    private let place: Coordinate
    private let point: SIMD3<Double>
    /// A lower bound of the distance to everything examined, in meters; anything farther away is ignored.
    private(set) var chord: Double
    /// An upper bound of the distance to the nearest point examined, in meters.
    private(set) var longest = Double.infinity
    /// The search ends as soon as something is nearer than this; 0 unless it is a test.
    private let enough: Double
    /// Whether the search only tests if something is nearer than a limit.
    let isTest: Bool
    /// The distance, in meters, near which the result is most accurate.
    private let focus: Double
    private var box: Surroundings
    /// The chord from which the box was computed.
    private var width: Double
    /// The number of curve pieces examined.
    private(set) var looked = 0

    /// Starts a search; all lengths are in meters.
    ///
    /// Anything not nearer than `chord` is ignored. With `isTest` the search only determines whether something is
    /// nearer. Near the distance `focus` the result is most accurate: the error is at most 4 mm plus 0.4 % of the
    /// difference.
    init(_ place: Coordinate, within chord: Double, isTest: Bool = false, focus: Double = 0) {
        self.place = place
        point = EarthCentred(place).vector
        self.chord = chord
        width = chord
        enough = isTest ? chord : 0
        self.isTest = isTest
        self.focus = focus
        box = Surroundings(place, within: ChordBounds.upper(chord))
    }

    /// Whether a test has found something that is near enough.
    var isDone: Bool { chord < enough }

    /// Whether anything in a box can affect the result.
    @inline(__always)
    func mayMatter(_ extent: BoxTree.Extent) -> Bool { box.touches(extent) && box.flatDistance(to: extent) < chord }

    /// A lower bound of the distance to an edge that is straight in longitude and latitude, in meters, without
    /// trigonometry.
    @inline(__always)
    func leastDistance(to a: Outline.Vertex, _ b: Outline.Vertex) -> Double { box.flatDistance(to: a, b) }

    /// A lower bound of the distance to a box, in meters.
    @inline(__always)
    func leastDistance(to extent: BoxTree.Extent) -> Double { box.flatDistance(to: extent) }

    /// - Complexity: O(log(length / accuracy)).
    mutating func look(at curve: some Curve) {
        look(at: curve, 0, curve.point(at: 0), 1, curve.point(at: 1))
    }

    mutating func look(
        at curve: some Curve, _ first: Double, _ start: SIMD3<Double>, _ last: Double, _ end: SIMD3<Double>
    ) {
        guard !isDone, !settles(start, end, bulge: curve.bulge(first, last)) else { return }
        let share = (first + last) / 2
        let middle = curve.point(at: share)
        if Self.squared(start - point) <= Self.squared(end - point) {
            look(at: curve, first, start, share, middle)
            look(at: curve, share, middle, last, end)
        } else {
            look(at: curve, share, middle, last, end)
            look(at: curve, first, start, share, middle)
        }
    }

    /// Whether the straight line between two points suffices for a curve that deviates from it by at most `bulge`
    /// meters.
    mutating func settles(_ start: SIMD3<Double>, _ end: SIMD3<Double>, bulge: Double) -> Bool {
        looked += 1
        let near = Self.distance(from: point, to: start, end)
        guard near - bulge < chord else { return true }
        longest = min(longest, near + bulge)
        guard bulge <= max(0.002, 0.002 * abs(near - focus)) || near + bulge < enough else { return false }
        chord = max(0, near - bulge)
        if chord < width / 2, !isDone {
            width = chord
            box = Surroundings(place, within: ChordBounds.upper(chord))
        }
        return true
    }

    /// The distance of a point from the straight line between two others.
    static func distance(from point: SIMD3<Double>, to start: SIMD3<Double>, _ end: SIMD3<Double>) -> Double {
        let (line, way) = (end - start, point - start)
        let square = squared(line)
        let share = square > 0 ? min(max((line * way).sum() / square, 0), 1) : 0
        return squared(way - share * line).squareRoot()
    }

    private static func squared(_ vector: SIMD3<Double>) -> Double { (vector * vector).sum() }
}
