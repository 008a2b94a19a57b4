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
        var (items, large): ([Item], Int) = ([], 0)
        let near = index.near(cap, atMost: 8 * Self.most, steps: &steps)
        for area in near ?? [] {
            index.forEachBall(of: area.number) { ball in
                items.append(Item(number: area.number, ball: ball, hasBorder: area.hasBorder))
                if area.hasBorder, ball.radius > Self.reach { large += 1 }
            }
        }
        self.items = near == nil || items.count > Self.most || large > Self.mostLarge ? nil : items
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
        about(cap, of: index, keeping: &kept, steps: &steps)?.numbers(in: cap, ofBorders: ofBorders, steps: &steps)
    }

    /// The length of a chord from the middle of a cap, in metres, within which no area is; negative where none is known.
    ///
    /// - Complexity: that of ``numbers(in:ofBorders:of:keeping:steps:)``.
    static func clearance(
        about cap: Cap, of index: AreaIndex, keeping kept: inout NearAreas?, steps: inout Int
    ) -> Double {
        about(cap, of: index, keeping: &kept, steps: &steps)?.clearance(of: cap.centre, steps: &steps) ?? -1
    }

    /// What is known already if it reaches over a cap; else what the index tells about its middle.
    ///
    /// - Returns: nil if the cap is too large.
    private static func about(
        _ cap: Cap, of index: AreaIndex, keeping kept: inout NearAreas?, steps: inout Int
    ) -> NearAreas? {
        // Farther, so that the way that comes next is known, too.
        let reached = Cap(centre: cap.centre, radius: 2 * cap.radius)
        if let kept, kept.revision == index.revision, kept.cap.holds(reached) { return kept }
        guard reached.radius < reach else { return nil }
        let near = NearAreas(of: index, around: cap.centre, steps: &steps)
        kept = near
        return near
    }

    private func clearance(of centre: EarthCentred, steps: inout Int) -> Double? {
        guard let items else { return nil }
        steps += 1 + items.count / 4
        let known = cap.radius - cap.centre.chord(to: centre)
        return items.reduce(known) { min($0, $1.ball.clearance(of: centre)) }
    }

    private func numbers(in cap: Cap, ofBorders: Bool, steps: inout Int) -> [UInt32]? {
        guard let items else { return nil }
        steps += 1 + items.count / 4
        var numbers: [UInt32] = []
        for item in items where item.hasBorder || !ofBorders {
            let isNear = item.ball.clearance(of: cap.centre) <= cap.radius
            if isNear, numbers.last != item.number { numbers.append(item.number) }
        }
        return numbers
    }
}
