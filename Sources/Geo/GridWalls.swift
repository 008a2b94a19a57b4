internal import Glibc

/// The nine planes between the eight columns of a node's slots, and the nine between its rows.
///
/// All pass through the Earth's centre and stand at even angles. What lies in a cell lies on the inner side of its four
/// planes, so a point outside one of them is at least its distance from the plane away from everything in the cell. This
/// bound needs no box around the entities, no bulge and no special case at poles or the 180° meridian.
struct GridWalls {
    /// Cosine and sine of the angle of the first plane, for columns and for rows.
    private let column, row: SIMD2<Double>
    /// Two planes of a cell, a column's and a row's, are not quite perpendicular: a point at distances d and e
    /// outside both is at least √((d² + e²) · skew) from what is inside both.
    ///
    /// That is 1 / (1 + |cosine of their angle|).
    let skew: Double

    init(level: Int, i: Int32, j: Int32) {
        let low = SIMD2(CubePoint.angle(Double(i) * 0x1p-30), CubePoint.angle(Double(j) * 0x1p-30))
        let high = low + 8 * Self.step(level)
        column = SIMD2(cos(low.x), sin(low.x))
        row = SIMD2(cos(low.y), sin(low.y))
        skew = 1 / (1 + max(abs(sin(low.x)), abs(sin(high.x))) * max(abs(sin(low.y)), abs(sin(high.y))))
    }

    /// The angle between neighbouring planes of a node of this level.
    private static func step(_ level: Int) -> Double {
        .pi / 2 * Double(sign: .plus, exponent: -3 * (level + 1), significand: 1)
    }

    /// Cosines and sines of 0...8 steps, for the nodes of each level.
    static let rotations: [Rotations] = (0..<CubePoint.bits / 3).map { level in
        Rotations(
            cosines: InlineArray { cos(Double($0) * step(level)) }, sines: InlineArray { sin(Double($0) * step(level)) }
        )
    }

    struct Rotations {
        var cosines, sines: InlineArray<9, Double>
    }

    /// The signed distances of a point from all planes, in metres: positive beyond a plane in the direction of counting.
    @inline(__always)
    func distances(_ axes: SIMD3<Double>, _ rotations: borrowing Rotations) -> Distances {
        let columnAcross = axes.x * column.x - axes.z * column.y
        let columnAlong = axes.x * column.y + axes.z * column.x
        let rowAcross = axes.y * row.x - axes.z * row.y
        let rowAlong = axes.y * row.y + axes.z * row.x
        var distances = Distances(skew: skew)
        for k in 0..<9 {
            distances.columns[k] = columnAcross * rotations.cosines[k] - columnAlong * rotations.sines[k]
            distances.rows[k] = rowAcross * rotations.cosines[k] - rowAlong * rotations.sines[k]
        }
        return distances
    }

    struct Distances {
        var columns = InlineArray<9, Double>(repeating: 0)
        var rows = InlineArray<9, Double>(repeating: 0)
        let skew: Double

        /// A lower bound of the squared distance, in m², to whatever lies in a child that spans 2^span slots from `slot` on.
        @inline(__always)
        func squaredBound(slot: Int, span: Int) -> Double {
            let i = GridNode.column(slot)
            let j = GridNode.row(slot)
            let width = 1 << span
            let across = Self.outside(columns[i], columns[i + width])
            let along = Self.outside(rows[j], rows[j + width])
            return max(max(across, along), (across + along) * skew)
        }

        /// The squared distance to the nearer of two planes of a point that is not between them, else 0.
        @inline(__always)
        private static func outside(_ low: Double, _ high: Double) -> Double {
            let farther = -low > high ? -low : high
            return farther > 0 ? farther * farther : 0
        }

        /// The slots to which one plane alone does not show that all in them is farther away, in metres.
        @inline(__always)
        func slots(within reach: Double) -> UInt64 {
            var near = (columns: UInt64(0), rows: UInt64(0))
            for k in 0..<8 {
                if -columns[k] <= reach, columns[k + 1] <= reach { near.columns |= GridNode.slots(column: k) }
                if -rows[k] <= reach, rows[k + 1] <= reach { near.rows |= GridNode.slots(row: k) }
            }
            return near.columns & near.rows
        }

        /// A lower bound of the distance, in metres, to whatever lies outside the node.
        var escape: Double { max(0, min(min(columns[0], -columns[8]), min(rows[0], -rows[8]))) }
    }
}
