internal import Glibc

/// The nine planes that bound the eight columns of a node's slots, and the nine that bound its rows.
///
/// All pass through the Earth's center at even angles. A cell lies on the inner side of its four planes, so a point
/// outside one of them is at least its distance from the plane away from everything in the cell. This bound needs no
/// box around the entities, no bulge and no special case at the poles or the 180° meridian.
struct GridWalls {
    /// Cosine and sine of the angle of the first plane, for columns and for rows.
    private let column, row: SIMD2<Double>
    /// The correction for the column's and the row's plane of a cell, which are not quite perpendicular.
    ///
    /// A point at distances d and e outside both is at least √((d² + e²) · skew) from everything inside both. The value
    /// is 1 / (1 + |cosine of their angle|).
    let skew: Double

    init(level: Int, i: Int32, j: Int32) {
        let low = SIMD2(CubePoint.angle(Double(i) * 0x1p-30), CubePoint.angle(Double(j) * 0x1p-30))
        let high = low + 8 * Self.step(level)
        column = SIMD2(cos(low.x), sin(low.x))
        row = SIMD2(cos(low.y), sin(low.y))
        skew = 1 / (1 + max(abs(sin(low.x)), abs(sin(high.x))) * max(abs(sin(low.y)), abs(sin(high.y))))
    }

    /// The angle between neighboring planes of a node of this level.
    private static func step(_ level: Int) -> Double {
        .pi / 2 * Double(sign: .plus, exponent: -3 * (level + 1), significand: 1)
    }

    /// The cosines and sines of 0...8 steps, by the level of nodes.
    static let rotations: [Rotations] = (0..<CubePoint.bits / 3).map { Rotations(step: step($0)) }

    /// Cosines and sines for the planes before and after each of the eight columns, or rows.
    struct Rotations {
        let cosinesBefore, sinesBefore, cosinesAfter, sinesAfter: SIMD8<Double>

        init(step: Double) {
            func lanes(_ first: Double, _ function: (Double) -> Double) -> SIMD8<Double> {
                SIMD8((0..<8).map { function((Double($0) + first) * step) })
            }
            cosinesBefore = lanes(0) { cos($0) }
            sinesBefore = lanes(0) { sin($0) }
            cosinesAfter = lanes(1) { cos($0) }
            sinesAfter = lanes(1) { sin($0) }
        }
    }

    /// The signed distance of a point from each of the planes.
    @inline(__always)
    func distances(_ axes: SIMD3<Double>, _ rotations: Rotations) -> Distances {
        let columnAcross = axes.x * column.x - axes.z * column.y
        let columnAlong = axes.x * column.y + axes.z * column.x
        let rowAcross = axes.y * row.x - axes.z * row.y
        let rowAlong = axes.y * row.y + axes.z * row.x
        return Distances(
            beforeColumns: columnAlong * rotations.sinesBefore - columnAcross * rotations.cosinesBefore,
            afterColumns: columnAcross * rotations.cosinesAfter - columnAlong * rotations.sinesAfter,
            beforeRows: rowAlong * rotations.sinesBefore - rowAcross * rotations.cosinesBefore,
            afterRows: rowAcross * rotations.cosinesAfter - rowAlong * rotations.sinesAfter, skew: skew)
    }

    /// The signed distances of a point from all planes, in meters: positive before a column's or row's first plane and
    /// after its last.
    struct Distances {
        let beforeColumns, afterColumns, beforeRows, afterRows: SIMD8<Double>
        let skew: Double

        /// A lower bound of the squared distance, in m², to everything in a child that spans 2^span slots from `slot`
        /// on.
        @inline(__always)
        func squaredBound(slot: Int, span: Int) -> Double {
            let i = GridNode.column(slot)
            let j = GridNode.row(slot)
            let last = 1 << span - 1
            let across = Self.outside(beforeColumns[i], afterColumns[i + last])
            let along = Self.outside(beforeRows[j], afterRows[j + last])
            return max(max(across, along), (across + along) * skew)
        }

        /// The squared distance from a point to the nearer of two planes, 0 if it is between them.
        @inline(__always)
        private static func outside(_ before: Double, _ after: Double) -> Double {
            let farther = before > after ? before : after
            return farther > 0 ? farther * farther : 0
        }

        /// The slots that no single plane shows to be farther away than `reach` meters.
        @inline(__always)
        func slots(within reach: Double) -> UInt64 {
            let farColumns = (beforeColumns .> reach) .| (afterColumns .> reach)
            let farRows = (beforeRows .> reach) .| (afterRows .> reach)
            // No two columns share a slot, and no two rows, so the sum is the union.
            return GridNode.columnSlots.replacing(with: 0, where: farColumns).wrappedSum()
                & GridNode.rowSlots.replacing(with: 0, where: farRows).wrappedSum()
        }

        /// A lower bound of the distance, in meters, to everything outside the node.
        var escape: Double {
            max(0, min(min(-beforeColumns[0], -afterColumns[7]), min(-beforeRows[0], -afterRows[7])))
        }
    }
}
