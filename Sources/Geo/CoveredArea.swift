/// An area with its precomputed cover, so that the owner of an index need not compute it.
public struct CoveredArea: Sendable {
    /// The area.
    public let area: FencedArea
    let cover: [CoveringCell]

    /// Computes the cover.
    ///
    /// - Complexity: O(cells of the cover · levels) tests of the area, at most 64 cells; counted as `WorkBudget`.
    public init(_ area: FencedArea) {
        var steps = 0
        self.area = area
        cover = area.cover(steps: &steps)
        WorkBudget.count(steps)
    }

    /// The number of levels that an index descends for all cells of the cover.
    var levels: Int { cover.reduce(1) { $0 + $1.cell.level } }
}
