/// The shortest way between two places in straight pieces through the Earth, of which none is much longer than 20 km if the way
/// is at most 1,280 km long.
struct StraightPieces {
    private let points: [SIMD3<Double>]
    /// How far the way leaves the pieces at most, in metres.
    private let bulge: Double
    /// In metres.
    private let margin: Double

    init(from start: Coordinate, to end: Coordinate, margin: Double) {
        self.margin = margin
        let ends = (EarthCentred(start), EarthCentred(end))
        let length = ChordBounds.upper(ends.0.chord(to: ends.1))
        let count = min(64, max(1, (length / 20_000).rounded(.up)))
        bulge = GeodesicEdge.bulge(length / count)
        if count == 1 {
            points = [ends.0.vector, ends.1.vector]
        } else {
            let edge = GeodesicEdge(start, end)
            points = (0...Int(count)).map { edge.point(at: Double($0) / count) }
        }
    }

    var count: Int { points.count }

    /// A cap that holds all places within the margin of the way.
    var cap: Cap {
        let middle = points.reduce(SIMD3<Double>.zero) { $0 + $1 } / Double(points.count)
        let radius = points.reduce(0) { max($0, Approach.distance(from: middle, to: $1, $1)) }
        return Cap(centre: EarthCentred(middle), radius: radius + bulge + margin)
    }

    /// Whether most of the cap is far from the way.
    var isLong: Bool { points.count > 2 || cap.radius > 1000 + 3 * margin }

    /// Whether the way comes within the margin of a place of a cell, for sure if it says no.
    func mayTouch(_ cell: FaceCell) -> Bool {
        let middle = cell.middle.vector
        let nearest = zip(points, points.dropFirst()).reduce(.infinity) {
            min($0, Approach.distance(from: middle, to: $1.0, $1.1))
        }
        return nearest - bulge <= CubeCell.reach(cell.level) + margin
    }
}
