internal import Glibc

struct CoveringCell: Hashable {
    var cell: CubeCell
    /// Whether the whole cell lies in the area.
    var isInside: Bool
}

extension FencedArea {
    /// Disjoint cells that together cover the area: usually 8 to 32, never more than 64.
    ///
    /// The cover starts with the smallest cells that certainly hold parts of the area. Cells that the border may cross
    /// are divided into four until their number reaches the limit.
    ///
    /// - Complexity: O(cells · levels) tests of the area.
    func cover(steps: inout Int) -> [CoveringCell] {
        let most = 16 + min(16, vertexCount / 64)
        var done: [CoveringCell] = []
        var open: [CoveringCell] = []
        for cell in first { add(cell, &done, &open, &steps) }
        // A line that crosses a cell crosses about two of its quarters.
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

    /// Adds a cell to the interior cells or to those that the border may cross, if the area has a place in it.
    private func add(_ cell: CubeCell, _ done: inout [CoveringCell], _ open: inout [CoveringCell], _ steps: inout Int) {
        steps += 2
        let centre = cell.centre
        if !isBorderBeyond(cell.reach, of: centre, steps: &steps) {
            open.append(CoveringCell(cell: cell, isInside: false))
        } else if contains(centre, steps: &steps) {
            done.append(CoveringCell(cell: cell, isInside: true))
        }
    }

    /// The maximum number of cells of a cover.
    private static let most = 64

    /// The finest level of a cover's cells: about 10 m.
    private static let finest = 20

    /// The cells with which the cover starts.
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
    static let faces = CubeFace.all.map { CubeCell(unchecked: UInt64($0.number) << 61 | 1 << 60) }

    /// The greatest distance of a place of the cell from its ``centre``, in meters.
    var reach: Double { Self.reach(level) }

    /// The greatest distance of a place of a cell of a level from its ``centre``, in meters.
    ///
    /// A cell of the angle Δ reaches at most 0.817 Δ from its middle. At a corner of the cube, where lines of equal
    /// angle cross at 120°, a path that changes both angles by Δ/2 is √(8/3) times as long as a path of Δ/2 at the
    /// middle of a face. The last 2 cm account for rounding the middle to the lattice.
    static func reach(_ level: Int) -> Double {
        0.817 * 6.4e6 * (.pi / 2) * Double(sign: .plus, exponent: -level, significand: 1) + 0.02
    }

    /// The smallest cell of at least 10 m that certainly holds a cap; nil if none does.
    ///
    /// A point r from the Earth's center whose angle differs by Δ from the angle of a border is at least r √½ sin Δ
    /// from the border's plane. The minimum is at the middles of the cube's edges.
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
