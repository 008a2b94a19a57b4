internal import CoreMetrics
internal import DequeModule
internal import GRDB
internal import Meters
public import Model
internal import Synchronization

/// Gathers work for the single writer and makes durable in one commit what gathered while the last one ran.
///
/// A commit costs one `fsync`, whether it holds one item or a thousand; that is why many clients together are served
/// faster than one after the other. Who hands in work takes turns with all others who do: somebody with a thousand items makes
/// nobody wait for more than one turn of theirs.
public final class GroupCommit<Item: Sendable, Party: Hashable & Sendable>: Sendable {
    /// Runs one item in the open transaction.
    public typealias Perform = @Sendable (Item, Transaction) throws -> Void
    /// Tells that a group was made durable, or was not.
    public typealias Settle = @Sendable ([Item], StorageError?) -> Void

    /// How much is done before others have their turn.
    public struct Bounds: Sendable {
        /// How much a party does before it is the next one's turn, unless a single item weighs more.
        public var turn: @Sendable (Party) -> Int
        /// Whether a commit that holds anything of a party ends before anybody's second turn in it: those of whom it is true wait
        /// for no more than a turn of each of the others.
        public var isHurried: @Sendable (Party) -> Bool
        /// Whether more of a party is taken on when so much of the party, and so much of all, waits already.
        public var takes: @Sendable (_ party: Party, _ own: Int, _ all: Int) -> Bool
        /// How much one commit may hold, unless a single item weighs more.
        public var heaviest: Int
        /// A commit that has taken so long takes no further item in, while other parties wait.
        public var longest: Duration
        /// The same while none does: it ends soon after one comes.
        public var longestAlone: Duration

        /// Turns of so much work, in commits of so much; all is taken on unless something else is said.
        public init(
            heaviest: Int, longest: Duration = .milliseconds(10), longestAlone: Duration = .milliseconds(50),
            turn: @escaping @Sendable (Party) -> Int,
            isHurried: @escaping @Sendable (Party) -> Bool = { _ in false },
            takes: @escaping @Sendable (_ party: Party, _ own: Int, _ all: Int) -> Bool = { _, _, _ in true }
        ) {
            self.turn = turn
            self.isHurried = isHurried
            self.takes = takes
            self.heaviest = heaviest
            self.longest = longest
            self.longestAlone = longestAlone
        }
    }

    /// What was made durable.
    public struct Tally: Sendable {
        /// Groups, each of which cost one `fsync`.
        public var commits = 0
        /// What the groups held.
        public var items = 0
    }

    private let store: Store
    private let bounds: Bounds
    private let weight: @Sendable (Item) -> Int
    private let perform: Perform
    private let undo: @Sendable () -> Void
    private let settle: Settle
    private let queue = Mutex(Queue())

    /// - Parameters:
    ///   - store: where the groups are committed.
    ///   - bounds: how much is done before others have their turn.
    ///   - weight: how much work an item is, at least 1.
    ///   - perform: called for each item of a group, those of one party in the order of arrival; whatever it throws undoes the
    ///     whole group, whose items are then tried one by one.
    ///   - undo: called after a group failed, before anything else is performed.
    ///   - settle: called once for each group, or part of one, before the next is begun.
    public init(
        store: Store, bounds: Bounds, weight: @escaping @Sendable (Item) -> Int, perform: @escaping Perform,
        undo: @escaping @Sendable () -> Void,
        settle: @escaping Settle
    ) {
        self.store = store
        self.bounds = bounds
        self.weight = weight
        self.perform = perform
        self.undo = undo
        self.settle = settle
    }

    /// Hands in items of a party, which are performed in this order; `settle` will tell what became of each.
    ///
    /// What goes on with something that was begun is always taken on.
    ///
    /// - Returns: whether they were taken on, all of them; not when too much waits already, as ``Bounds/takes`` says.
    @discardableResult
    public func submit(_ items: [Item], of party: Party, goingOn: Bool = false) -> Bool {
        let starts = queue.withLock {
            $0.submit(items, of: party, goingOn: goingOn, within: bounds, weighing: weight)
        }
        if starts == true { store.schedule { [self] connection in drain(connection) } }
        return starts != nil
    }

    /// How much waits to be performed, in the weight of items.
    public var backlog: Int { queue.withLock { $0.weight } }

    /// What was made durable until now.
    public var tally: Tally { queue.withLock { $0.tally } }

    /// Commits one group and queues up again behind whatever else the writer has to do.
    private func drain(_ connection: WriterConnection) {
        guard let first = queue.withLock({ $0.first(within: bounds) }) else { return }
        var group = [first.item]
        if let error = commit(&group, load: first.weight, connection) {
            if error == .locked {
                // What else waits would fare no better, and would wait for the lock as long again.
                while let next = next(bounds.heaviest - group.count, beginning: true) { group.append(next.item) }
                settle(group, error)
            } else if group.count > 1, !error.isOfTheMachine {
                for item in group {
                    var alone = [item]
                    let error = commit(&alone, load: bounds.heaviest, connection)
                    settle(alone, error)
                }
            } else {
                settle(group, error)
            }
        } else {
            settle(group, nil)
        }
        store.schedule { [self] connection in drain(connection) }
    }

    /// Whether the items that wait are of one party.
    private var isAlone: Bool { queue.withLock { $0.isAlone } }

    /// The next item, if it weighs no more; that of another round, too, if a commit begins with it.
    private func next(_ room: Int, beginning: Bool = false) -> (item: Item, weight: Int)? {
        queue.withLock { queue in
            if beginning { queue.beginRound() }
            return queue.next(atMost: room, within: bounds)
        }
    }

    /// Commits a group together with what else waits and has room in it.
    private func commit(_ group: inout [Item], load: Int, _ connection: WriterConnection) -> StorageError? {
        let clock = ContinuousClock()
        let start = clock.now
        do throws(StorageError) {
            try store.commit(on: connection) { transaction in
                for item in group { try perform(item, transaction) }
                var load = load
                while clock.now - start < (isAlone ? bounds.longestAlone : bounds.longest),
                    let next = next(bounds.heaviest - load)
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
            undo()
            return error
        }
    }
}

extension GroupCommit {
    /// What waits, a queue for each party, and whose turn it is.
    struct Queue {
        private var waiting: [Party: Line] = [:]
        /// The parties who wait, the next one first.
        private var turns: Deque<Party> = []
        /// How much the first of them has done of its turn.
        private var done = 0
        /// Who had a turn in this commit, and whether it is hurried.
        private var served: Set<Party> = []
        private var isHurried = false
        private(set) var weight = 0
        private var isDraining = false
        var tally = Tally()

        /// What waits of a party, the next one first.
        private struct Line {
            private(set) var items: Deque<(item: Item, weight: Int)> = []
            private(set) var weight = 0

            mutating func append(_ item: Item, _ some: Int) {
                items.append((item, some))
                weight += some
            }

            mutating func removeFirst() { weight -= items.removeFirst().weight }
        }

        /// Adds what a party hands in, unless too much waits already.
        ///
        /// - Returns: whether somebody has to begin to drain it; nil if it was not taken on.
        mutating func submit(
            _ items: [Item], of party: Party, goingOn: Bool, within bounds: Bounds, weighing weight: (Item) -> Int
        ) -> Bool? {
            guard goingOn || bounds.takes(party, self.weight(of: party), self.weight) else { return nil }
            for item in items { append(item, weighing: weight(item), of: party) }
            defer { isDraining = true }
            return !isDraining
        }

        // This is not specialized for parties of other modules, so each look into the dictionary is dear.
        private mutating func append(_ item: Item, weighing some: Int, of party: Party) {
            if waiting.index(forKey: party) == nil { turns.append(party) }
            waiting[party, default: Line()].append(item, some)
            weight += some
        }

        /// Whether no more than one party waits.
        var isAlone: Bool { turns.count < 2 }

        private func weight(of party: Party) -> Int { waiting[party]?.weight ?? 0 }

        /// The first item of a commit, whatever it weighs; with none nobody is draining any more.
        mutating func first(within bounds: Bounds) -> (item: Item, weight: Int)? {
            beginRound()
            let first = next(atMost: .max, within: bounds)
            if first == nil { isDraining = false }
            return first
        }

        mutating func beginRound() { (served, isHurried) = ([], false) }

        /// The next item of a commit, unless it weighs more or the commit ends with the round.
        mutating func next(atMost room: Int, within bounds: Bounds) -> (item: Item, weight: Int)? {
            guard let party = turns.first, let place = waiting.index(forKey: party),
                let first = waiting.values[place].items.first, first.weight <= room,
                !served.contains(party) || !(isHurried || bounds.isHurried(party))
            else { return nil }
            isHurried = isHurried || bounds.isHurried(party)
            waiting.values[place].removeFirst()
            let isEmpty = waiting.values[place].items.isEmpty
            if isEmpty { waiting.remove(at: place) }
            weight -= first.weight
            done += first.weight
            if isEmpty || done >= bounds.turn(party) {
                turns.removeFirst()
                if !isEmpty { turns.append(party) }
                served.insert(party)
                done = 0
            }
            return first
        }
    }
}
