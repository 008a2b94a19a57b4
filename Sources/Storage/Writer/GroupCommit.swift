internal import CoreMetrics
internal import DequeModule
internal import GRDB
internal import Meters
public import Model
internal import Synchronization

/// Group commit with fair queueing: items that arrive during a commit are committed together by the next one.
///
/// A commit costs one `fsync`, whether it holds one item or a thousand. Many concurrent clients are therefore served
/// faster than one after the other. Tenants take turns: a tenant with a thousand items delays others by no more than
/// one of its turns.
public final class GroupCommit<Item: Sendable, Tenant: Hashable & Sendable>: Sendable {
    /// Performs one item in the open transaction.
    public typealias Perform = @Sendable (Item, Transaction) throws -> Void
    /// Reports that a group was made durable, or failed.
    public typealias Completion = @Sendable ([Item], StorageError?) -> Void

    /// The limits of turns and commits.
    public struct Bounds: Sendable {
        /// The weight that a tenant may process in a turn, unless a single item weighs more.
        public var turn: @Sendable (Tenant) -> Int
        /// Whether a tenant is latency-sensitive: a commit that holds its items ends before any tenant's second turn.
        ///
        /// Such a tenant waits for at most one turn of each of the others.
        public var isLatencySensitive: @Sendable (Tenant) -> Bool
        /// Whether to admit more items of a tenant, given the waiting weight of the tenant and of all.
        public var admits: @Sendable (_ tenant: Tenant, _ own: Int, _ all: Int) -> Bool
        /// The maximum weight of a commit, unless a single item weighs more.
        public var maxWeight: Int
        /// The maximum duration of a commit, after which it takes no further items, while other tenants wait.
        public var maxDuration: Duration
        /// The maximum duration of a commit while no other tenant waits.
        public var maxDurationAlone: Duration

        /// Creates limits; by default no tenant is latency-sensitive and all items are admitted.
        public init(
            maxWeight: Int, maxDuration: Duration = .milliseconds(10), maxDurationAlone: Duration = .milliseconds(50),
            turn: @escaping @Sendable (Tenant) -> Int,
            isLatencySensitive: @escaping @Sendable (Tenant) -> Bool = { _ in false },
            admits: @escaping @Sendable (_ tenant: Tenant, _ own: Int, _ all: Int) -> Bool = { _, _, _ in true }
        ) {
            self.turn = turn
            self.isLatencySensitive = isLatencySensitive
            self.admits = admits
            self.maxWeight = maxWeight
            self.maxDuration = maxDuration
            self.maxDurationAlone = maxDurationAlone
        }
    }

    /// The totals of durable work.
    public struct Tally: Sendable {
        /// Commits, each of which cost one `fsync`.
        public var commits = 0
        /// Items in these commits.
        public var items = 0
    }

    private let store: Store
    private let bounds: Bounds
    private let weight: @Sendable (Item) -> Int
    private let perform: Perform
    private let rollback: @Sendable () -> Void
    private let complete: Completion
    private let queue = Mutex(Queue())

    /// - Parameters:
    ///   - store: the store that commits the groups.
    ///   - bounds: the limits of turns and commits.
    ///   - weight: the amount of work of an item, at least 1.
    ///   - perform: called for each item of a group, in order of arrival for each tenant; an error rolls back the whole
    ///     group, whose items are then retried one by one.
    ///   - rollback: called after a group failed, before anything else is performed.
    ///   - complete: called once for each group, or part of one, before the next begins.
    public init(
        store: Store, bounds: Bounds, weight: @escaping @Sendable (Item) -> Int, perform: @escaping Perform,
        rollback: @escaping @Sendable () -> Void,
        complete: @escaping Completion
    ) {
        self.store = store
        self.bounds = bounds
        self.weight = weight
        self.perform = perform
        self.rollback = rollback
        self.complete = complete
    }

    /// Enqueues items of a tenant, which are performed in this order; `complete` reports the outcome of each.
    ///
    /// Items that continue earlier work are always admitted.
    ///
    /// - Returns: whether all were admitted; false if ``Bounds/admits`` refuses because too much waits already.
    @discardableResult
    public func submit(_ items: [Item], of tenant: Tenant, isContinuation: Bool = false) -> Bool {
        let starts = queue.withLock {
            $0.submit(items, of: tenant, isContinuation: isContinuation, within: bounds, weighing: weight)
        }
        if starts == true { store.schedule { [self] connection in drain(connection) } }
        return starts != nil
    }

    /// The weight of all waiting items.
    public var backlog: Int { queue.withLock { $0.weight } }

    /// The totals so far.
    public var tally: Tally { queue.withLock { $0.tally } }

    /// Commits one group, then requeues behind other work of the writer.
    private func drain(_ connection: WriterConnection) {
        guard let first = queue.withLock({ $0.first(within: bounds) }) else { return }
        var group = [first.item]
        if let error = commit(&group, load: first.weight, connection) {
            if error == .locked {
                // The other waiting items would fail too, after waiting as long for the lock.
                while let next = next(bounds.maxWeight - group.count, beginning: true) { group.append(next.item) }
                complete(group, error)
            } else if group.count > 1, !error.isEnvironmental {
                for item in group {
                    var alone = [item]
                    let error = commit(&alone, load: bounds.maxWeight, connection)
                    complete(alone, error)
                }
            } else {
                complete(group, error)
            }
        } else {
            complete(group, nil)
        }
        store.schedule { [self] connection in drain(connection) }
    }

    private var isAlone: Bool { queue.withLock { $0.isAlone } }

    /// The next item, if it fits; `beginning` starts a new round first.
    private func next(_ room: Int, beginning: Bool = false) -> (item: Item, weight: Int)? {
        queue.withLock { queue in
            if beginning { queue.beginRound() }
            return queue.next(atMost: room, within: bounds)
        }
    }

    /// Commits a group together with waiting items that fit.
    private func commit(_ group: inout [Item], load: Int, _ connection: WriterConnection) -> StorageError? {
        let clock = ContinuousClock()
        let start = clock.now
        do throws(StorageError) {
            try store.commit(on: connection) { transaction in
                for item in group { try perform(item, transaction) }
                var load = load
                while clock.now - start < (isAlone ? bounds.maxDurationAlone : bounds.maxDuration),
                    let next = next(bounds.maxWeight - load)
                {
                    load += next.weight
                    group.append(next.item)
                    try perform(next.item, transaction)
                }
            }
            let count = group.count
            store.writerMeters.seconds.record(clock.now - start)
            store.writerMeters.items.record(count)
            queue.withLock { queue in
                queue.tally.commits += 1
                queue.tally.items += count
            }
            return nil
        } catch {
            store.writerMeters.failures.increment()
            rollback()
            return error
        }
    }
}

extension GroupCommit {
    /// The waiting items, with a queue for each tenant, and the order of turns.
    struct Queue {
        private var waiting: [Tenant: TenantQueue] = [:]
        /// The waiting tenants, next one first.
        private var turns: Deque<Tenant> = []
        /// The weight that the first tenant has processed in its turn.
        private var done = 0
        /// The tenants that had a turn in this commit, and whether any is latency-sensitive.
        private var served: Set<Tenant> = []
        private var isLatencySensitive = false
        private(set) var weight = 0
        private var isDraining = false
        var tally = Tally()

        /// The waiting items of a tenant, next one first.
        private struct TenantQueue {
            private(set) var items: Deque<(item: Item, weight: Int)> = []
            private(set) var weight = 0

            mutating func append(_ item: Item, _ some: Int) {
                items.append((item, some))
                weight += some
            }

            mutating func removeFirst() { weight -= items.removeFirst().weight }
        }

        /// Enqueues items of a tenant, unless too much waits already.
        ///
        /// - Returns: whether the caller must start draining the queue; nil if the items were refused.
        mutating func submit(
            _ items: [Item], of tenant: Tenant, isContinuation: Bool, within bounds: Bounds,
            weighing weight: (Item) -> Int
        ) -> Bool? {
            guard isContinuation || bounds.admits(tenant, self.weight(of: tenant), self.weight) else { return nil }
            for item in items { append(item, weighing: weight(item), of: tenant) }
            defer { isDraining = true }
            return !isDraining
        }

        // Not specialized for tenant types of other modules, so dictionary lookups are expensive.
        private mutating func append(_ item: Item, weighing some: Int, of tenant: Tenant) {
            if waiting.index(forKey: tenant) == nil { turns.append(tenant) }
            waiting[tenant, default: TenantQueue()].append(item, some)
            weight += some
        }

        /// Whether at most one tenant waits.
        var isAlone: Bool { turns.count < 2 }

        private func weight(of tenant: Tenant) -> Int { waiting[tenant]?.weight ?? 0 }

        /// The first item of a commit, whatever its weight; nil ends draining.
        mutating func first(within bounds: Bounds) -> (item: Item, weight: Int)? {
            beginRound()
            let first = next(atMost: .max, within: bounds)
            if first == nil { isDraining = false }
            return first
        }

        mutating func beginRound() { (served, isLatencySensitive) = ([], false) }

        /// The next item of a commit, unless it weighs more or the commit ends with the round.
        mutating func next(atMost room: Int, within bounds: Bounds) -> (item: Item, weight: Int)? {
            guard let tenant = turns.first, let place = waiting.index(forKey: tenant),
                let first = waiting.values[place].items.first, first.weight <= room,
                !served.contains(tenant) || !(isLatencySensitive || bounds.isLatencySensitive(tenant))
            else { return nil }
            isLatencySensitive = isLatencySensitive || bounds.isLatencySensitive(tenant)
            waiting.values[place].removeFirst()
            let isEmpty = waiting.values[place].items.isEmpty
            if isEmpty { waiting.remove(at: place) }
            weight -= first.weight
            done += first.weight
            if isEmpty || done >= bounds.turn(tenant) {
                turns.removeFirst()
                if !isEmpty { turns.append(tenant) }
                served.insert(tenant)
                done = 0
            }
            return first
        }
    }
}
