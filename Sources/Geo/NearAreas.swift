/// The areas of an index near a place, for searches that reach no farther: those about somebody who moves a little at a time.
///
/// It is what one search found. So it may be kept, shared and forgotten without anything being told otherwise.
public final class NearAreas: Sendable {
    /// An area, and a ball that holds it or a part of it.
    private struct Item: Sendable {
        let number: UInt32
        let ball: Cap
        /// Whether its border may be near.
        let hasBorder: Bool
    }

    /// How far it is known what is near, in metres.
    private static let reach = 3_000.0
    /// More areas than these, or than a few of those that are larger than what is near, are not compared one by one: the index
    /// finds fewer.
    private static let (most, mostLarge) = (16, 3)

    private let cap: Cap
    /// Of the index.
    private let revision: Int
    /// nil for more than are compared.
    private let items: [Item]?

    private init(of index: AreaIndex, around centre: EarthCentred, steps: inout Int) {
        (cap, revision) = (Cap(centre: centre, radius: Self.reach), index.revision)
        let whole = [Cap(centre: centre, radius: .infinity)]
        let items = index.near(cap, atMost: 8 * Self.most, steps: &steps)?.flatMap { area in
            (index[area.number]?.caps ?? whole).map { Item(number: area.number, ball: $0, hasBorder: area.hasBorder) }
        }
        self.items = items.flatMap { items in
            let large = items.count { $0.hasBorder && $0.ball.radius > Self.reach }
            return items.count <= Self.most && large <= Self.mostLarge ? items : nil
        }
    }

    /// The numbers of all areas that come into a cap, or of those whose border does, and of some others, in ascending order.
    ///
    /// What is known is put in place of what is not of this index or does not reach so far.
    ///
    /// - Returns: nil if the index has to be asked for just these.
    /// - Complexity: O(1) where it reaches so far; else O(levels + cells near).
    static func numbers(
        in cap: Cap, ofBorders: Bool, of index: AreaIndex, keeping kept: inout NearAreas?, steps: inout Int
    ) -> [UInt32]? {
        // Who asks for borders looks farther, so that the way that comes next is known before the writer judges it.
        let reached = Cap(centre: cap.centre, radius: ofBorders ? 2 * cap.radius : cap.radius)
        if let kept, kept.holds(reached, of: index) {
            return kept.numbers(in: cap, ofBorders: ofBorders, steps: &steps)
        }
        guard cap.radius < reach / 2 else { return nil }
        let near = NearAreas(of: index, around: cap.centre, steps: &steps)
        kept = near
        return near.numbers(in: cap, ofBorders: ofBorders, steps: &steps)
    }

    private func holds(_ other: Cap, of index: AreaIndex) -> Bool {
        revision == index.revision && cap.centre.chord(to: other.centre) + other.radius <= cap.radius
    }

    private func numbers(in cap: Cap, ofBorders: Bool, steps: inout Int) -> [UInt32]? {
        guard let items else { return nil }
        steps += 1 + items.count / 4
        var numbers: [UInt32] = []
        for item in items where item.hasBorder || !ofBorders {
            let isNear = item.ball.centre.chord(to: cap.centre) <= item.ball.radius + cap.radius + 0.01
            if isNear, numbers.last != item.number { numbers.append(item.number) }
        }
        return numbers
    }
}
