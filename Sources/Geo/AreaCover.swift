internal import Glibc

/// A cell of the cover of an area.
struct CoveringCell: Hashable {
    var cell: CubeCell
    /// Whether all of the cell is in the area.
    var isInside: Bool
}

/// An area with the cells that cover it, which take longer to find than to put into an index.
public struct CoveredArea: Sendable {
    /// The area.
    public let area: FencedArea
    let cells: [CoveringCell]

    /// Finds the cells, counted as `Effort`.
    public init(_ area: FencedArea) {
        var steps = 0
        (self.area, cells) = (area, area.cover(steps: &steps))
        Effort.count(steps)
    }
}

extension FencedArea {
    /// Cells, none within another, that together hold the area: some 8 to 32, and never more than 64.
    ///
    /// Beginning with the smallest cells that hold parts of the area for sure, those that its border may cross are quartered as
    /// long as there will not be too many.
    ///
    /// - Complexity: O(cells · levels) looks at the area.
    func cover(steps: inout Int) -> [CoveringCell] {
        let most = 16 + min(16, vertexCount / 64)
        var done: [CoveringCell] = []
        var open: [CoveringCell] = []
        for cell in first { add(cell, &done, &open, &steps) }
        // A line that crosses a cell crosses two of its quarters, about.
        while let level = open.lazy.map(\.cell.level).min(), level < Self.finest, done.count + 2 * open.count <= most {
            let (before, coarse) = ((done, open), open)
            open = []
            for cover in coarse {
                if cover.cell.level > level {
                    open.append(cover)
                } else {
                    for quarter in cover.cell.children { add(quarter, &done, &open, &steps) }
                }
            }
            if done.count + open.count > Self.most {
                (done, open) = before
                break
            }
        }
        return done + open
    }

    /// Adds a cell to those wholly inside or to those that the border may cross, if the area has a place in it.
    private func add(_ cell: CubeCell, _ done: inout [CoveringCell], _ open: inout [CoveringCell], _ steps: inout Int) {
        steps += 2
        let centre = cell.centre
        if !isBorderBeyond(cell.reach, of: centre, steps: &steps) {
            open.append(CoveringCell(cell: cell, isInside: false))
        } else if contains(centre, steps: &steps) {
            done.append(CoveringCell(cell: cell, isInside: true))
        }
    }

    /// A cover has no more cells.
    private static let most = 64

    /// No cell of a cover is smaller: about 10 m.
    private static let finest = 20

    /// The cells from which on the area is covered.
    private var first: [CubeCell] {
        guard let caps else { return CubeCell.faces }
        let cells = caps.map(CubeCell.init(holding:))
        let known = Set(cells.compactMap { $0 })
        guard known.count == Set(cells).count else { return CubeCell.faces }
        return known.filter { cell in !known.contains { $0 != cell && $0.family.contains(cell.id) } }
            .sorted { $0.id < $1.id }
    }
}

extension CubeCell {
    /// The six faces.
    static let faces = CubeFace.all.map { CubeCell(unchecked: UInt64($0.number) << 61 | 1 << 60) }

    /// No place of the cell is farther from its ``centre`` than this, in metres.
    var reach: Double { Self.reach(level) }

    /// No place of a cell of a level is farther from its ``centre`` than this, in metres.
    ///
    /// A cell of the angle Δ reaches at most 0.817 Δ from its middle: at a corner of the cube, where lines of equal angle cross
    /// at 120°, a way that changes both angles by Δ/2 is √(8/3) as long as one of Δ/2 at the middle of a face. The last 2 cm are
    /// for the middle, which is rounded to the lattice.
    static func reach(_ level: Int) -> Double {
        0.817 * 6.4e6 * (.pi / 2) * Double(sign: .plus, exponent: -level, significand: 1) + 0.02
    }

    /// The smallest cell of at least 10 m that surely holds a cap; nil if none does.
    ///
    /// A point r from the Earth's centre whose angle differs by Δ from that of a border is at least r √½ sin Δ from the
    /// border's plane: least at the middles of the cube's edges.
    init?(holding cap: Cap) {
        let face = CubeFace(holding: cap.centre)
        let axes = face.axes(cap.centre)
        let sine = cap.radius / ((cap.centre.vector * cap.centre.vector).sum().squareRoot() * 0.707)
        guard sine < 1 else { return nil }
        let share = CubePoint.fraction(tan(asin(sine)), 1) - 0.5
        let (u, v) = (CubePoint.fraction(axes.x, axes.z), CubePoint.fraction(axes.y, axes.z))
        let leaf = CubeCell(leaf: cap.centre)
        for level in (0...20).reversed() {
            let side = Double(sign: .plus, exponent: -level, significand: 1)
            let (i, j) = ((u / side).rounded(.down) * side, (v / side).rounded(.down) * side)
            guard min(u - i, i + side - u, v - j, j + side - v) > share else { continue }
            self = leaf.ancestor(level)
            return
        }
        return nil
    }
}
