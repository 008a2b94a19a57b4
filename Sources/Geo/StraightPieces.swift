/// The geodesic between two places as straight segments through the Earth.
///
/// No segment is much longer than 20 km if the geodesic is at most 1,280 km long.
struct StraightPieces {
    private let start, end: EarthCentred
    /// The points between consecutive segments.
    private let between: [EarthCentred]
    /// The greatest distance of the geodesic from the segments, in meters.
    private let bulge: Double
    /// The margin in meters.
    private let margin: Double

    init(from start: Coordinate, to end: Coordinate, margin: Double) {
        self.margin = margin
        (self.start, self.end) = (EarthCentred(start), EarthCentred(end))
        let length = ChordBounds.upper(self.start.chord(to: self.end))
        let count = min(64, max(1, (length / 20_000).rounded(.up)))
        bulge = GeodesicEdge.bulge(length / count)
        if count == 1 {
            between = []
        } else {
            let edge = GeodesicEdge(start, end)
            between = (1..<Int(count)).map { EarthCentred(edge.point(at: Double($0) / count)) }
        }
    }

    /// The number of endpoints of the segments.
    var count: Int { between.count + 2 }

    /// A cap that holds all places within the margin of the geodesic.
    var cap: Cap {
        let sum = between.reduce(start.vector + end.vector) { $0 + $1.vector }
        let middle = EarthCentred(sum / Double(count))
        let reach = between.reduce(max(middle.chord(to: start), middle.chord(to: end))) {
            max($0, middle.chord(to: $1))
        }
        return Cap(centre: middle, radius: reach + bulge + margin)
    }

    /// Whether most of the cap is far from the geodesic.
    var isLong: Bool { !between.isEmpty || cap.radius > 1000 + 3 * margin }

    /// Whether the geodesic may come within the margin of a place of a cell; false is certain.
    func mayTouch(_ cell: FaceCell) -> Bool {
        let middle = cell.middle.vector
        var (nearest, from) = (Double.infinity, start)
        for to in between {
            nearest = min(nearest, Approach.distance(from: middle, to: from.vector, to.vector))
            from = to
        }
        nearest = min(nearest, Approach.distance(from: middle, to: from.vector, end.vector))
        return nearest - bulge <= CubeCell.reach(cell.level) + margin
    }
}
