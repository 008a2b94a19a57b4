/// A cache of the areas near a place, for searches around a device that moves a little at a time.
///
/// It holds the result of one index search. So it may be kept, shared or dropped without affecting any answer.
public final class NearAreas: Sendable {
    /// An area and a ball that holds all or part of it.
    private struct Item: Sendable {
        let number: UInt32
        let ball: Cap
        /// Whether the area's border may be near.
        let hasBorder: Bool
    }

    /// The radius within which the cache is complete, in meters.
    private static let reach = 3_000.0
    /// The maximum number of areas, and of areas larger than the reach, that are compared one by one; beyond these the
    /// index is more selective.
    private static let (most, mostLarge) = (16, 3)

    private let cap: Cap
    /// The revision of the index.
    private let revision: Int
    /// nil if there are too many to compare.
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

    /// The numbers of the areas that intersect a cap, or whose border does, and possibly others, in ascending order.
    ///
    /// A cache that belongs to another revision of the index or does not reach far enough is replaced.
    ///
    /// - Returns: nil if the index must be searched for this cap.
    /// - Complexity: O(1) if the cache reaches far enough; else O(levels + cells near).
    static func numbers(
        in cap: Cap, ofBorders: Bool, of index: AreaIndex, keeping kept: inout NearAreas?, steps: inout Int
    ) -> [UInt32]? {
        about(cap, of: index, keeping: &kept, steps: &steps)?.numbers(in: cap, ofBorders: ofBorders, steps: &steps)
    }

    /// The chord length from the center of a cap, in meters, free of areas; negative if none is known.
    ///
    /// - Complexity: the cost of ``numbers(in:ofBorders:of:keeping:steps:)``.
    static func clearance(
        about cap: Cap, of index: AreaIndex, keeping kept: inout NearAreas?, steps: inout Int
    ) -> Double {
        about(cap, of: index, keeping: &kept, steps: &steps)?.clearance(of: cap.centre, steps: &steps) ?? -1
    }

    /// The existing cache if it holds a cap, else a new cache around the cap's center.
    ///
    /// - Returns: nil if the cap is too large.
    private static func about(
        _ cap: Cap, of index: AreaIndex, keeping kept: inout NearAreas?, steps: inout Int
    ) -> NearAreas? {
        // A wider cap, so that the cache also serves the next movement.
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
