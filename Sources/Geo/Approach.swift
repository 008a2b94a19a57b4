/// A line on the ellipsoid, from 0 at its start to 1 at its end.
protocol Curve {
    func point(at share: Double) -> SIMD3<Double>

    /// How far the line between two shares can be from the straight one through the Earth between its ends, in metres.
    func bulge(_ first: Double, _ last: Double) -> Double
}

/// The search for the point of some lines that is nearest to a place.
///
/// All lengths in here are chords, which tell between which bounds the geodesic lies (``ChordBounds``). A line is halved until
/// it is so straight that the bulge does not matter, or so far away that it does not.
struct Approach {
    private let place: Coordinate
    private let point: SIMD3<Double>
    /// Nothing of what was looked at is nearer than this, in metres; what is not nearer is of no interest.
    private(set) var chord: Double
    /// Something of what was looked at is as near as this.
    private(set) var longest = Double.infinity
    /// Only whether something is nearer than this is asked.
    private let enough: Double
    /// Whether that is all that is asked.
    let isTest: Bool
    /// Distances near this one are to be the most accurate.
    private let focus: Double
    private var box: Surroundings
    /// The chord that belongs to the box.
    private var width: Double
    /// How many pieces of lines were looked at.
    private(set) var looked = 0

    /// A search in which nothing was looked at yet.
    ///
    /// What is not nearer than `chord` is of no interest; with `isTest` it is only asked if there is something nearer. Near the
    /// distance `focus` the answer is most accurate: it is told to 4 mm plus 0.4 % of the difference. All are in metres.
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

    /// Whether what is asked is known.
    var isDone: Bool { chord < enough }

    /// Whether anything in a box can matter.
    @inline(__always)
    func mayMatter(_ extent: BoxTree.Extent) -> Bool { box.touches(extent) && box.flatDistance(to: extent) < chord }

    /// How near an edge that is straight in longitude and latitude can be where it matters, in metres, told without angles.
    @inline(__always)
    func leastDistance(to a: Outline.Vertex, _ b: Outline.Vertex) -> Double { box.flatDistance(to: a, b) }

    /// The same of a box.
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

    /// Whether the straight line between two points tells enough about a line that leaves it by at most `bulge` metres.
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
