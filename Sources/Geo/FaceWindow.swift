internal import Glibc

/// A cell identified by the steps of ``CubePoint`` at its low corner.
struct FaceCell {
    let face: CubeFace
    let i, j: Int32
    let level: Int

    /// The length of a side, in steps.
    var side: Int32 { 1 << Int32(CubePoint.bits - level) }

    /// One of the four quarters, in Morton order.
    func child(_ number: Int) -> FaceCell {
        let half = side / 2
        return FaceCell(
            face: face, i: i + (number & 1 == 0 ? 0 : half), j: j + (number & 2 == 0 ? 0 : half), level: level + 1)
    }

    /// The point at the middle of the cell's angles.
    var middle: EarthCentred {
        face.surface((Double(i) + Double(side) / 2) * 0x1p-30, (Double(j) + Double(side) / 2) * 0x1p-30)
    }
}

/// The range of steps of a face that a cap covers.
///
/// A line of equal angle is a plane through an axis of the face. A point at the distance ρ from the axis is ρ sin Δ
/// from the plane at the angle Δ, so a ball of radius r around it reaches asin(r/ρ) to each side.
struct FaceWindow {
    private let i, j: ClosedRange<Int32>

    /// nil if the cap does not reach the face.
    init?(_ cap: Cap, on face: CubeFace) {
        let axes = face.axes(cap.centre)
        // On a face the distance along its own axis is at least 1/√3 of the distance from the Earth's center.
        guard axes.z + cap.radius > 3.67e6, let i = Self.steps(axes.x, axes.z, cap.radius),
            let j = Self.steps(axes.y, axes.z, cap.radius)
        else { return nil }
        (self.i, self.j) = (i, j)
    }

    private static func steps(_ along: Double, _ out: Double, _ radius: Double) -> ClosedRange<Int32>? {
        let sine = radius / (along * along + out * out).squareRoot()
        guard sine < 1 else { return 0...(1 << Int32(CubePoint.bits) - 1) }
        let (middle, reach) = (CubePoint.fraction(along, out), asin(sine) * (2 / .pi))
        // Two more steps compensate for rounding.
        let low = max(0, ((middle - reach) * 0x1p30).rounded(.down) - 2)
        let high = min(0x1p30 - 1, ((middle + reach) * 0x1p30).rounded(.up) + 2)
        return low <= high ? Int32(low)...Int32(high) : nil
    }

    /// The quarter of a cell that holds the whole window; nil if the window spans several quarters or the cell is a
    /// smallest one.
    func onlyChild(of cell: FaceCell) -> Int? {
        let half = cell.side / 2
        guard half > 0, (i.lowerBound ^ i.upperBound) & half == 0, (j.lowerBound ^ j.upperBound) & half == 0 else {
            return nil
        }
        return (i.lowerBound & half == 0 ? 0 : 1) + (j.lowerBound & half == 0 ? 0 : 2)
    }

    func touches(_ cell: FaceCell) -> Bool {
        cell.i <= i.upperBound && cell.i + cell.side > i.lowerBound && cell.j <= j.upperBound
            && cell.j + cell.side > j.lowerBound
    }
}
