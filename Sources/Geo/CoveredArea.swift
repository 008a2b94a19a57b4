/// An area with the cells that cover it: what an index has to know of it, found once and away from who holds the index.
public struct CoveredArea: Sendable {
    /// The area.
    public let area: FencedArea
    let cover: [CoveringCell]

    /// Finds the cells.
    ///
    /// - Complexity: O(cells of the cover · levels) looks at the area, at most 64 cells; counted as `Effort`.
    public init(_ area: FencedArea) {
        var steps = 0
        self.area = area
        cover = area.cover(steps: &steps)
        Effort.count(steps)
    }

    /// How many levels an index goes down for it.
    var levels: Int { cover.reduce(1) { $0 + $1.cell.level } }
}
