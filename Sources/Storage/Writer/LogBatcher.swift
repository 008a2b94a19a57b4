internal import Synchronization

/// A batcher with the fair queueing of ``GroupCommit``, which forwards each group instead of committing it.
public final class LogBatcher<Item: Sendable, Tenant: Hashable & Sendable>: Sendable {
    /// The limits of turns and groups.
    public typealias Bounds = GroupCommit<Item, Tenant>.Bounds

    private let bounds: Bounds
    private let weight: @Sendable (Item) -> Int
    private let relay: @Sendable ([Item]) async -> Void
    private let queue = Mutex(GroupCommit<Item, Tenant>.Queue())

    /// - Parameters:
    ///   - bounds: the limits of turns and groups.
    ///   - weight: the amount of work of an item, at least 1.
    ///   - relay: called with one group at a time; items that arrive while it runs form the next group.
    public init(
        bounds: Bounds, weight: @escaping @Sendable (Item) -> Int, relay: @escaping @Sendable ([Item]) async -> Void
    ) {
        (self.bounds, self.weight, self.relay) = (bounds, weight, relay)
    }

    /// Enqueues items of a tenant, like ``GroupCommit/submit(_:of:isContinuation:)``.
    ///
    /// - Returns: whether all were admitted.
    public func submit(_ items: [Item], of tenant: Tenant, isContinuation: Bool = false) -> Bool {
        let starts = queue.withLock {
            $0.submit(items, of: tenant, isContinuation: isContinuation, within: bounds, weighing: weight)
        }
        if starts == true { Task { await drain() } }
        return starts != nil
    }

    /// The weight of all waiting items.
    public var backlog: Int { queue.withLock { $0.weight } }

    private func drain() async {
        while let group = queue.withLock({ $0.group(within: bounds) }) { await relay(group) }
    }
}

extension GroupCommit.Queue {
    /// The waiting items that fit in one group; nil if none wait.
    fileprivate mutating func group(within bounds: GroupCommit<Item, Tenant>.Bounds) -> [Item]? {
        guard let first = first(within: bounds) else { return nil }
        var (group, load) = ([first.item], first.weight)
        while let next = next(atMost: bounds.maxWeight - load, within: bounds) {
            load += next.weight
            group.append(next.item)
        }
        return group
    }
}
