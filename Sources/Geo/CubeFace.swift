internal import Glibc

/// One of the six faces of a cube around the Earth, with its own axes: w points out of the face, u and v along it.
///
/// A face holds the points whose w is the largest coordinate.
///
/// Each point of it is identified by two angles seen from the Earth's center, atan(u/w) and atan(v/w), each within ±45°
/// (the tangent warp of the quadrilateralized sphere: cells of equal angle, whose areas differ by a factor of 1.4).
/// Lines of equal angle are planes through the center.
struct CubeFace: Hashable, Sendable {
    /// 0...5: +x, +y, +z, -x, -y, -z.
    let number: Int

    /// The coordinates of an earth-centered point along the axes of this face.
    func axes(_ point: EarthCentred) -> SIMD3<Double> {
        switch number {
        case 0: SIMD3(point.y, point.z, point.x)
        case 1: SIMD3(point.z, point.x, point.y)
        case 2: SIMD3(point.x, point.y, point.z)
        case 3: SIMD3(point.y, point.z, -point.x)
        case 4: SIMD3(point.z, point.x, -point.y)
        default: SIMD3(point.x, point.y, -point.z)
        }
    }

    /// The earth-centered point with these coordinates along the axes of this face.
    func point(_ axes: SIMD3<Double>) -> EarthCentred {
        switch number {
        case 0: EarthCentred(x: axes.z, y: axes.x, z: axes.y)
        case 1: EarthCentred(x: axes.y, y: axes.z, z: axes.x)
        case 2: EarthCentred(x: axes.x, y: axes.y, z: axes.z)
        case 3: EarthCentred(x: -axes.z, y: axes.x, z: axes.y)
        case 4: EarthCentred(x: axes.y, y: -axes.z, z: axes.x)
        default: EarthCentred(x: axes.x, y: axes.y, z: -axes.z)
        }
    }

    /// The face that holds a point; on an edge of the cube, the one with the lowest axis.
    init(holding point: EarthCentred) {
        let x = abs(point.x)
        let y = abs(point.y)
        let z = abs(point.z)
        number =
            if x >= y && x >= z { point.x >= 0 ? 0 : 3 } else if y >= z { point.y >= 0 ? 1 : 4 } else {
                point.z >= 0 ? 2 : 5
            }
    }

    init(number: Int) { self.number = number }

    /// The point of the ellipsoid seen from the Earth's center at two fractions of the face's angles.
    func surface(_ i: Double, _ j: Double) -> EarthCentred {
        let direction = point(SIMD3(tan(CubePoint.angle(i)), tan(CubePoint.angle(j)), 1))
        let a = Geodesic.equatorialRadius
        let b = a * (1 - Geodesic.flattening)
        let length =
            ((direction.x * direction.x + direction.y * direction.y) / (a * a) + direction.z * direction.z / (b * b))
            .squareRoot()
        return EarthCentred(x: direction.x / length, y: direction.y / length, z: direction.z / length)
    }

    static let all = (0..<6).map(CubeFace.init(number:))
}

/// A point of a cube face in integer steps: 2^30 steps along each side, of 8 to 10 mm on the ground.
struct CubePoint: Hashable, Sendable {
    static let bits = 30

    let face: CubeFace
    let i, j: Int32

    init(_ point: EarthCentred) {
        face = CubeFace(holding: point)
        let axes = face.axes(point)
        i = Self.step(Self.fraction(axes.x, axes.z))
        j = Self.step(Self.fraction(axes.y, axes.z))
    }

    private static func step(_ fraction: Double) -> Int32 {
        min(max(Int32((fraction * 0x1p30).rounded(.down)), 0), (1 << Int32(bits)) - 1)
    }

    /// The position of the angle atan(along/out) between -45° (0) and 45° (1); it continues linearly beyond the face.
    static func fraction(_ along: Double, _ out: Double) -> Double {
        atan2(along, out) * (2 / .pi) + 0.5
    }

    /// The angle, in radians, that ``fraction(_:_:)`` maps to this value.
    static func angle(_ fraction: Double) -> Double { (fraction - 0.5) * (.pi / 2) }
}
