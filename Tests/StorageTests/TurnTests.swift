import Dispatch
import Model
import Storage
import Synchronization
import TestSupport
import Testing

/// Fairness of the writer: a tenant with much to write delays the others by at most one turn.
@Suite(.timeLimit(.minutes(60))) struct TurnTests {
    private struct Item: Hashable, Sendable {
        var tenant: String
        var number: Int
        var weight = 1
    }

    /// Returns the items in the order and groups of their commits; they are submitted while the writer is blocked.
    private func settled(
        _ turn: Int, maxWeight: Int, maxDuration: Duration = .seconds(600), maxDurationAlone: Duration = .seconds(600),
        isLatencySensitive: @escaping @Sendable (String) -> Bool = { _ in false },
        _ submissions: [(tenant: String, items: [Item])]
    ) async throws -> [[Item]] {
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            let groups = Mutex<[[Item]]>([])
            let (isHeld, goes) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let all = submissions.reduce(0) { $0 + $1.items.count }
            let result = await withCheckedContinuation { continuation in
                let commits = GroupCommit<Item, String>(
                    store: store,
                    bounds: .init(
                        maxWeight: maxWeight, maxDuration: maxDuration, maxDurationAlone: maxDurationAlone,
                        turn: { _ in turn },
                        isLatencySensitive: isLatencySensitive),
                    weight: \.weight,
                    perform: { item, _ in
                        guard item.tenant == "first" else { return }
                        isHeld.signal()
                        goes.wait()
                    },
                    rollback: {},
                    complete: { items, error in
                        guard error == nil, items.first?.tenant != "first" else { return }
                        let settled = groups.withLock { groups in
                            groups.append(items)
                            return groups
                        }
                        if settled.joined().count == all { continuation.resume(returning: settled) }
                    })
                commits.submit([Item(tenant: "first", number: 0, weight: maxWeight)], of: "first")
                isHeld.wait()
                for (tenant, items) in submissions { commits.submit(items, of: tenant) }
                goes.signal()
            }
            try store.close()
            return result
        }
    }

    private func items(_ tenant: String, _ count: Int, weight: Int = 1) -> [Item] {
        (0..<count).map { Item(tenant: tenant, number: $0, weight: weight) }
    }

    @Test("A tenant with one item waits for one turn of a tenant with a thousand") func oneItem() async throws {
        let waiting = [("ana", items("ana", 1000)), ("luis", items("luis", 1))]
        let order = try await settled(10, maxWeight: 10_000, waiting)
        let all = Array(order.joined())
        #expect(all.count == 1001)
        #expect(all.firstIndex { $0.tenant == "luis" } == 10)
        #expect(all.filter { $0.tenant == "ana" }.map(\.number) == Array(0..<1000), "each in their own order")
    }

    @Test("Tenants take turns until their queues are empty") func roundRobin() async throws {
        let submissions = [
            ("ana", items("ana", 5, weight: 4)), ("luis", items("luis", 6)), ("bea", items("bea", 2, weight: 2)),
            ("luis", items("luis", 2)),
        ]
        let order = try await settled(4, maxWeight: 1000, submissions).joined().map { $0.tenant }
        #expect(
            order == [
                "ana", "luis", "luis", "luis", "luis", "bea", "bea", "ana", "luis", "luis", "luis", "luis", "ana",
                "ana",
                "ana",
            ])
    }

    @Test("A commit ends before a second turn if a latency-sensitive tenant waits")
    func latencySensitive() async throws {
        let waiting = [("ana", items("ana", 5)), ("service", items("service", 5)), ("luis", items("luis", 1))]
        let groups = try await settled(2, maxWeight: 1000, isLatencySensitive: { $0 != "service" }, waiting)
        #expect(
            groups.map { $0.map(\.tenant) } == [
                ["ana", "ana", "service", "service", "luis"], ["ana", "ana", "service", "service"],
                ["ana", "service"],
            ])
        let alone = try await settled(
            2, maxWeight: 1000, isLatencySensitive: { $0 != "service" }, [("service", items("service", 5))])
        #expect(alone.map(\.count) == [5], "services go on")
    }

    @Test("An item larger than a turn is a turn") func oversized() async throws {
        let waiting = [("ana", items("ana", 2, weight: 90)), ("luis", items("luis", 1))]
        let order = try await settled(4, maxWeight: 1000, waiting)
        #expect(order.joined().map { $0.tenant } == ["ana", "luis", "ana"])
    }

    @Test("A commit does not exceed its maximum cost") func commitSize() async throws {
        let waiting = [("ana", items("ana", 8, weight: 3)), ("luis", items("luis", 2))]
        let groups = try await settled(3, maxWeight: 10, waiting)
        #expect(groups.map { $0.map(\.weight).reduce(0, +) } == [8, 9, 9])
        #expect(groups.first?.map(\.tenant) == ["ana", "luis", "luis", "ana"])
    }

    @Test("A commit takes no more items after its maximum duration") func commitDuration() async throws {
        let waiting = [("ana", items("ana", 3)), ("luis", items("luis", 2))]
        let groups = try await settled(100, maxWeight: 1000, maxDuration: .zero, maxDurationAlone: .zero, waiting)
        #expect(groups.map(\.count) == [1, 1, 1, 1, 1])
    }

    @Test("A commit may take longer while no other tenant waits") func durationAlone() async throws {
        let waiting = [("ana", items("ana", 3)), ("luis", items("luis", 4))]
        let groups = try await settled(100, maxWeight: 1000, maxDuration: .zero, waiting)
        #expect(groups.map(\.count) == [1, 1, 5], "from ana's last one on luis is alone")
    }

    @Test("A tenant with too many waiting items is refused until they are done") func backlog() async throws {
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            let (isHeld, goes) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let (settled, settles) = AsyncStream<Int>.makeStream()
            let commits = GroupCommit<Item, String>(
                store: store,
                bounds: .init(
                    maxWeight: 1000, turn: { _ in 4 }, admits: { _, own, all in own == 0 || own <= 10 && all <= 22 }),
                weight: \.weight,
                perform: { item, _ in
                    guard ["first", "eva"].contains(item.tenant) else { return }
                    isHeld.signal()
                    goes.wait()
                },
                rollback: {},
                complete: { items, _ in settles.yield(items.count) })
            func handIn() {
                commits.submit([Item(tenant: "first", number: 0)], of: "first")
                isHeld.wait()
                #expect(commits.submit(items("ana", 12), of: "ana"))
                #expect(!commits.submit(items("ana", 1), of: "ana"), "much of her own waits")
                #expect(commits.submit(items("ana", 1), of: "ana", isContinuation: true), "what was begun")
                #expect(commits.submit(items("luis", 2, weight: 4), of: "luis"))
                #expect(commits.submit(items("luis", 2), of: "luis"))
                #expect(!commits.submit(items("luis", 1), of: "luis"), "much of all waits, and some of it is his")
                #expect(commits.submit(items("eva", 1), of: "eva"))
                goes.signal()
                isHeld.wait()
                #expect(commits.submit(items("ana", 1), of: "ana"), "some of hers is done")
                goes.signal()
            }
            for _ in 0..<2 {
                handIn()
                var left = 20
                for await count in settled {
                    left -= count
                    if left == 0 { break }
                }
            }
            try store.close()
        }
    }

    @Test("A locked file fails the items of all waiting tenants") func lockedFile() async throws {
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            let performed = Mutex(0)
            let (isHeld, goes) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let (failed, fails) = AsyncStream<Int>.makeStream()
            let commits = GroupCommit<Item, String>(
                store: store,
                bounds: .init(maxWeight: 1000, maxDuration: .zero, turn: { _ in 4 }, isLatencySensitive: { _ in true }),
                weight: \.weight,
                perform: { item, _ in
                    let isFirst = performed.withLock { count in
                        count += 1
                        return count == 1
                    }
                    if isFirst {
                        isHeld.signal()
                        goes.wait()
                    }
                    throw StorageError.locked
                },
                rollback: {},
                complete: { items, error in
                    #expect(error == .locked)
                    fails.yield(items.count)
                })
            func handIn() {
                commits.submit(items("ana", 1), of: "ana")
                isHeld.wait()
                commits.submit(items("ana", 20), of: "ana")
                commits.submit(items("luis", 10), of: "luis")
                goes.signal()
            }
            handIn()
            var left = 31
            for await count in failed {
                left -= count
                if left == 0 { break }
            }
            #expect(performed.withLock(\.self) == 1, "only the first waits for the lock")
            try store.close()
        }
    }
}
