/// A cell of the quadtree on six cube faces, from level 0 (a face) to 30 (a centimeter).
///
/// Cells nest: a cell of level n has four children of level n + 1. A cell of level 13 has sides of 0.86 to 1.22 km and
/// 1.06 to 1.49 km². The poles and the 180° meridian are not special cases.
public struct CubeCell: Codable, Hashable, Sendable {
    /// The id of the cell: three bits of face, two bits a level, a one bit, zeros.
    ///
    /// Children sort around their parent.
    public let id: UInt64

    /// The cell of a level that holds a place.
    ///
    /// - Precondition: `level` is 0...30.
    public init(containing place: Coordinate, level: Int) {
        precondition((0...CubePoint.bits).contains(level), "a level is 0...30")
        self = CubeCell(leaf: EarthCentred(place)).ancestor(level)
    }

    /// The smallest cell that holds a point.
    init(leaf surface: EarthCentred) {
        let point = CubePoint(surface)
        let path = Morton.interleave(UInt32(point.i), UInt32(point.j))
        id = UInt64(point.face.number) << 61 | path << 1 | 1
    }

    /// The cell with this id; nil if there is none.
    public init?(id: UInt64) {
        let marker = id.trailingZeroBitCount
        guard id >> 61 < 6, marker <= 2 * CubePoint.bits, marker.isMultiple(of: 2) else { return nil }
        self.id = id
    }

    init(unchecked id: UInt64) { self.id = id }

    /// 0 for a face of the cube, 30 for the smallest cell.
    public var level: Int { CubePoint.bits - id.trailingZeroBitCount / 2 }

    /// The cell of a coarser level that this one lies in.
    ///
    /// - Precondition: `level` is 0...`self.level`.
    public func ancestor(_ level: Int) -> CubeCell {
        precondition((0...self.level).contains(level), "an ancestor's level is 0 to the cell's own")
        let one = UInt64(1) << UInt64(2 * (CubePoint.bits - level))
        return CubeCell(unchecked: id & (0 &- one) | one)
    }

    /// The cell of a coarser level that holds this one.
    public func contains(_ place: Coordinate) -> Bool {
        CubeCell(containing: place, level: level) == self
    }

    /// The place at the middle of the cell's angles.
    public var centre: Coordinate {
        let (face, i, j, side) = extent
        return Coordinate(face.surface(i + side / 2, j + side / 2))
    }

    /// The four corners, counterclockwise as seen from above.
    public var corners: [Coordinate] {
        let (face, i, j, side) = extent
        let corners = [(i, j), (i + side, j), (i + side, j + side), (i, j + side)].map {
            Coordinate(face.surface($0, $1))
        }
        // The axes of the other three faces are mirrored.
        return face.number < 3 ? corners : corners.reversed()
    }

    /// The distance of a place outside this cell from its border, in sides of the cell; 0 inside.
    ///
    /// It is infinite on the far half of the Earth.
    public func overshoot(of place: Coordinate) -> Double { max(0, -depth(of: place)) }

    /// The distance of a place inside this cell from the nearest border, in sides of the cell; negative outside.
    ///
    /// It is minus infinity on the far half of the Earth.
    public func depth(of place: Coordinate) -> Double {
        let (face, i, j, side) = extent
        let axes = face.axes(EarthCentred(place))
        guard axes.z > 0 else { return -.infinity }
        let u = CubePoint.fraction(axes.x, axes.z)
        let v = CubePoint.fraction(axes.y, axes.z)
        return min(u - i, i + side - u, v - j, j + side - v) / side
    }

    /// The face, and the low corner and the length of a side as fractions of the face's side.
    var extent: (face: CubeFace, i: Double, j: Double, side: Double) {
        let low = id & (id - 1)
        let (i, j) = Morton.separate(low >> 1 & (1 << 60 - 1))
        return (
            CubeFace(number: Int(id >> 61)), Double(i) * 0x1p-30, Double(j) * 0x1p-30,
            Double(sign: .plus, exponent: -level, significand: 1)
        )
    }
}

/// Z-order (Morton code): the bits of two numbers interleaved.
enum Morton {
    /// Bit n of `i` becomes bit 2n, bit n of `j` bit 2n + 1.
    static func interleave(_ i: UInt32, _ j: UInt32) -> UInt64 { spread(i) | spread(j) << 1 }

    static func separate(_ code: UInt64) -> (i: UInt32, j: UInt32) { (gather(code), gather(code >> 1)) }

    private static func spread(_ number: UInt32) -> UInt64 {
        var n = UInt64(number)
        n = (n | n << 16) & 0x0000_ffff_0000_ffff
        n = (n | n << 8) & 0x00ff_00ff_00ff_00ff
        n = (n | n << 4) & 0x0f0f_0f0f_0f0f_0f0f
        n = (n | n << 2) & 0x3333_3333_3333_3333
        return (n | n << 1) & 0x5555_5555_5555_5555
    }

    private static func gather(_ code: UInt64) -> UInt32 {
        var n = code & 0x5555_5555_5555_5555
        n = (n | n >> 1) & 0x3333_3333_3333_3333
        n = (n | n >> 2) & 0x0f0f_0f0f_0f0f_0f0f
        n = (n | n >> 4) & 0x00ff_00ff_00ff_00ff
        n = (n | n >> 8) & 0x0000_ffff_0000_ffff
        return UInt32(truncatingIfNeeded: n | n >> 16)
    }
}
