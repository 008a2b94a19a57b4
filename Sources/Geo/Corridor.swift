/// All places within a distance of a line whose edges are geodesics.
struct Corridor: Codable, Hashable, Sendable {
    let line: [Coordinate]
    let metres: Double
    private let points: [EarthCentred]
    private let edges: BoxTree
    /// A cap that holds the corridor; nil if the line is empty or the corridor may reach around the Earth.
    let cap: Cap?

    /// - Complexity: O(line).
    init(_ line: [Coordinate], metres: Double) {
        // A single place is a line without length.
        self.line = line.count == 1 ? line + line : line
        self.metres = metres
        let points = self.line.map(EarthCentred.init)
        self.points = points
        let lengths = zip(points, points.dropFirst()).map { ChordBounds.upper($0.chord(to: $1)) }
        edges = BoxTree(
            zip(zip(self.line, self.line.dropFirst()), lengths).map { ends, length in
                let middle = GeodesicLine(from: ends.0, to: ends.1).degrees(at: 0.5)
                // Rounding to the lattice moves a point by less than this.
                return Surroundings(Coordinate(clamping: middle.latitude, middle.longitude), within: length / 2 + 0.02)
                    .extent
            })
        cap = Self.cap(points, metres + (lengths.max() ?? 0) / 2)
    }

    /// Every point of an edge lies within half its length of one of its ends.
    private static func cap(_ points: [EarthCentred], _ reach: Double) -> Cap? {
        let sum = points.reduce(SIMD3<Double>.zero) { $0 + $1.vector }
        guard let first = points.first, (sum * sum).sum() > 1 else { return nil }
        let middle = EarthCentred(Coordinate(EarthCentred(sum)))
        let farthest = points.reduce(middle.chord(to: first)) { max($0, middle.chord(to: $1)) }
        return Cap(centre: middle, radius: farthest + reach)
    }

    /// - Complexity: O(log n + edges near the place).
    func contains(_ place: Coordinate, looked: inout Int) -> Bool {
        let chord = chord
        var approach = Approach(place, within: chord, isTest: true, focus: chord)
        visit(&approach, looked: &looked)
        return approach.isDone
    }

    /// A lower bound of the distance to the border, `metres` from the line, in meters; with `isTest` only whether it is
    /// below the limit is meaningful.
    func distanceToBorder(from place: Coordinate, upTo limit: Double, isTest: Bool, looked: inout Int) -> Double {
        let farthest = ChordBounds.longestChord(within: metres + limit)
        var approach = Approach(place, within: farthest, isTest: isTest && limit > metres, focus: chord)
        visit(&approach, looked: &looked)
        guard approach.chord < farthest else { return limit }
        let outside = ChordBounds.lower(approach.chord) - metres
        let inside = metres - ChordBounds.upper(approach.longest)
        return min(limit, max(outside, inside, 0))
    }

    /// The chord of the width: the mean of the shortest and the longest.
    private var chord: Double {
        (ChordBounds.shortestChord(beyond: metres) + ChordBounds.longestChord(within: metres)) / 2
    }

    private func visit(_ approach: inout Approach, looked: inout Int) {
        edges.visit(looked: &looked) {
            approach.mayMatter($0)
        } met: { some in
            for edge in some {
                let (a, b) = (points[edge], points[edge + 1])
                let (start, end) = (a.vector, b.vector)
                if !approach.settles(start, end, bulge: GeodesicEdge.bulge(ChordBounds.upper(a.chord(to: b)))) {
                    approach.look(at: GeodesicEdge(line[edge], line[edge + 1]), 0, start, 1, end)
                }
                if approach.isDone { return false }
            }
            return true
        }
        looked += approach.looked * 10
    }
}

struct GeodesicEdge: Curve {
    let line: GeodesicLine

    init(_ start: Coordinate, _ end: Coordinate) { line = GeodesicLine(from: start, to: end) }

    func point(at share: Double) -> SIMD3<Double> {
        let degrees = line.degrees(at: share)
        return EarthCentred(φ: degrees.latitude * .pi / 180, λ: degrees.longitude * .pi / 180).vector
    }

    func bulge(_ first: Double, _ last: Double) -> Double { Self.bulge(line.length * (last - first)) }

    /// A geodesic is nowhere more curved than the ellipsoid.
    static func bulge(_ length: Double) -> Double { length * length / (8 * ChordBounds.smallestRadius) }
}
