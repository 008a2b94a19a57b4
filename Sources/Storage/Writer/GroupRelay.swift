internal import Synchronization

/// Gathers work as ``GroupCommit`` does, with the same turns, and hands each group on instead of committing it.
public final class GroupRelay<Item: Sendable, Party: Hashable & Sendable>: Sendable {
    /// Turns and groups are those of a commit.
    public typealias Bounds = GroupCommit<Item, Party>.Bounds

    private let bounds: Bounds
    private let weight: @Sendable (Item) -> Int
    private let relay: @Sendable ([Item]) async -> Void
    private let queue = Mutex(GroupCommit<Item, Party>.Queue())

    /// - Parameters:
    ///   - bounds: how much is handed on before others have their turn.
    ///   - weight: how much work an item is, at least 1.
    ///   - relay: called with one group after the other; what comes while it runs is the next.
    public init(
        bounds: Bounds, weight: @escaping @Sendable (Item) -> Int, relay: @escaping @Sendable ([Item]) async -> Void
    ) {
        (self.bounds, self.weight, self.relay) = (bounds, weight, relay)
    }

    /// Hands in items of a party, as ``GroupCommit/submit(_:of:goingOn:)`` does.
    ///
    /// - Returns: whether they were taken on, all of them.
    public func submit(_ items: [Item], of party: Party, goingOn: Bool = false) -> Bool {
        let starts = queue.withLock {
            $0.submit(items, of: party, goingOn: goingOn, within: bounds, weighing: weight)
        }
        if starts == true { Task { await drain() } }
        return starts != nil
    }

    /// How much waits, in the weight of items.
    public var backlog: Int { queue.withLock { $0.weight } }

    private func drain() async {
        while let group = queue.withLock({ $0.group(within: bounds) }) { await relay(group) }
    }
}

extension GroupCommit.Queue {
    /// What waits and has room in one group; nil if nothing waits.
    fileprivate mutating func group(within bounds: GroupCommit<Item, Party>.Bounds) -> [Item]? {
        guard let first = first(within: bounds) else { return nil }
        var (group, load) = ([first.item], first.weight)
        while let next = next(atMost: bounds.heaviest - load, within: bounds) {
            load += next.weight
            group.append(next.item)
        }
        return group
    }
}
