internal import DequeModule
internal import GRDB
internal import Synchronization

/// Gathers work for the single writer and makes durable in one commit all that gathered while the last one ran.
///
/// A commit costs one `fsync`, whether it holds one item or a thousand; that is why many clients together are served
/// faster than one after the other.
public final class GroupCommit<Item: Sendable>: Sendable {
    /// Runs one item in the open transaction.
    public typealias Perform = @Sendable (Item, Transaction) throws -> Void
    /// Tells that a group was made durable, or was not.
    public typealias Settle = @Sendable ([Item], StorageError?) -> Void

    private struct Queue {
        var waiting: Deque<Item> = []
        var weight = 0
        var isDraining = false
        var tally = Tally()
    }

    /// What was made durable.
    public struct Tally: Sendable {
        /// Groups, each of which cost one `fsync`.
        public var commits = 0
        /// What the groups held.
        public var items = 0
    }

    private let store: Store
    private let heaviestGroup: Int
    private let weight: @Sendable (Item) -> Int
    private let perform: Perform
    private let undo: @Sendable () -> Void
    private let settle: Settle
    private let queue = Mutex(Queue())

    /// - Parameters:
    ///   - store: where the groups are committed.
    ///   - heaviestGroup: how much one commit may hold, unless a single item weighs more.
    ///   - weight: how much work an item is, at least 1.
    ///   - perform: called for each item of a group, in the order of arrival; whatever it throws undoes the whole group,
    ///     whose items are then tried one by one.
    ///   - undo: called after a group failed, before anything else is performed.
    ///   - settle: called once for each group, or part of one, before the next is begun.
    public init(
        store: Store, heaviestGroup: Int, weight: @escaping @Sendable (Item) -> Int, perform: @escaping Perform,
        undo: @escaping @Sendable () -> Void,
        settle: @escaping Settle
    ) {
        self.store = store
        self.heaviestGroup = heaviestGroup
        self.weight = weight
        self.perform = perform
        self.undo = undo
        self.settle = settle
    }

    /// Hands in an item; `settle` will tell what became of it.
    public func submit(_ item: Item) {
        let starts = queue.withLock { queue in
            queue.waiting.append(item)
            queue.weight += weight(item)
            defer { queue.isDraining = true }
            return !queue.isDraining
        }
        if starts { store.schedule { [self] connection in drain(connection) } }
    }

    /// How much waits to be committed.
    public var waitingWeight: Int { queue.withLock { $0.weight } }

    /// What was made durable until now.
    public var tally: Tally { queue.withLock { $0.tally } }

    /// Commits one group and queues up again behind whatever else the writer has to do.
    private func drain(_ connection: WriterConnection) {
        guard let group = nextGroup() else { return }
        if let error = commit(group, connection) {
            if group.count > 1, !error.isOfTheMachine {
                for item in group { settle([item], commit([item], connection)) }
            } else {
                settle(group, error)
            }
        } else {
            settle(group, nil)
        }
        store.schedule { [self] connection in drain(connection) }
    }

    private func nextGroup() -> [Item]? {
        queue.withLock { queue in
            guard !queue.waiting.isEmpty else {
                queue.isDraining = false
                return nil
            }
            var group: [Item] = []
            var load = 0
            while let next = queue.waiting.first, group.isEmpty || load + weight(next) <= heaviestGroup {
                load += weight(next)
                group.append(queue.waiting.removeFirst())
            }
            queue.weight -= load
            return group
        }
    }

    private func commit(_ group: [Item], _ connection: WriterConnection) -> StorageError? {
        do throws(StorageError) {
            try store.commit(on: connection) { transaction in
                for item in group { try perform(item, transaction) }
            }
            queue.withLock { queue in
                queue.tally.commits += 1
                queue.tally.items += group.count
            }
            return nil
        } catch {
            undo()
            return error
        }
    }
}
