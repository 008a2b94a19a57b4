import Discovery
import Foundation
import Geo
import Laws
import Model
import Storage
import Synchronization
import TestSupport
import Testing

/// Nodes that follow the same log.
@Suite(.timeLimit(.minutes(60))) struct FollowTests {
    private static let people = 12

    private func settle(_ one: TestEngine) async throws {
        let all = (0..<Self.people).map { number in
            person("p\(number)") {
                $0.throttle.interval = .seconds(number % 3 * 100)
                $0.sharing.alerts = .asked
            }
        }
        try await one.perform(PutPeople(all.map { Write($0) }))
        for number in 1..<Self.people {
            try await one.perform(MakeFriends(id("p0"), id("p\(number)")))
        }
        var near = Fence(id: id("near"), .person(id("p0"), metres: 2000), watching: .people([id("p1"), id("p2")]))
        near.owner = nil
        try await one.perform(PutFence(Write(near)))
        var quiet = Fence(id: id("quiet"), .anywhere, watching: .people([id("p3")]))
        (quiet.passages, quiet.silence) = ([.silent], .seconds(600))
        try await one.perform(PutFence(Write(quiet)))
        try await one.perform(PutFence(Write(Fence(id: id("f"), .circle(valencia, metres: 800), watching: .everybody))))
    }

    /// Performs walks, stops, wrong positions, and deletions, which leave state in memory that no table has.
    private func live(_ one: TestEngine, _ random: inout SeededGenerator, round: Int) async throws {
        let start = morning + .seconds(round * 600)
        for step in 0..<6 {
            let reports = (0..<8).map { _ in
                let number = random.integer(0...Self.people - 1)
                let isWrong = random.integer(0...9) == 0
                let metres = isWrong ? 2_000_000.0 : Double(random.integer(0...30)) * 60
                return ping(Double(step * 90 + random.integer(0...80) + round * 600), east(metres), of: "p\(number)")
            }
            try await one.perform(Record(reports), at: start + .seconds(step * 90 + 90))
        }
        if round % 4 == 1 {
            let gone = "gone\(round)"
            try await one.add(person(gone))
            try await one.perform(DeletePerson(id(gone)), by: .person(id(gone)), at: start + .seconds(590))
        }
        if round % 3 == 2 {
            let name = "p\(random.integer(0...Self.people - 1))"
            _ = try await one.engine.erase(
                of: id(name), in: start..<start + .seconds(200), where: nil, by: .service,
                received: start + .seconds(599))
        }
        if round % 2 == 1 { try await one.engine.compact() }
    }

    /// The rows of people's volatile state that are written for the next start.
    private func passing(_ one: TestEngine) throws -> [String] {
        var rows: [String] = []
        try one.store.forEachVolatileState { rows.append("\($0): \($1)") }
        return rows
    }

    /// Other nodes' entries may come from servers that are cut off and do not know that they are behind.
    @Test("Only a node's own entries show the age of its answers") func ownLag() async throws {
        try await withFolder { folder in
            let log = ListedLog()
            let (a, b) = (folder.appending(path: "a"), folder.appending(path: "b"))
            try TestEngine(folder: a).store.close()
            try FileManager.default.copyItem(at: a, to: b)
            let (first, second) = (try openFollower(a, log), try openFollower(b, log))
            try await following(log, first, second) { try await first.add(person("ana")) }
            #expect(try #require(first.engine.logProgress?.lag) < .seconds(3600))
            #expect(second.engine.logProgress?.number == log.count && second.engine.logProgress?.lag == nil)
            try await following(log, first, second) { try await second.engine.heartbeat() }
            let lag = try #require(second.engine.logProgress?.lag)
            try await following(log, first, second) { try await first.add(person("luis")) }
            #expect(try #require(second.engine.logProgress?.lag) > lag)
            log.fails.store(true, ordering: .relaxed)
            await #expect(throws: StorageError.unanswered) { try await second.engine.heartbeat() }
            #expect(try #require(second.engine.logProgress?.lag) > lag)
            for one in [first, second] { try one.store.close() }
        }
    }

    @Test("A restarted node continues exactly like the others") func restart() async throws {
        try await withFolder { folder in
            let log = ListedLog()
            let (a, b) = (folder.appending(path: "a"), folder.appending(path: "b"))
            try TestEngine(folder: a).store.close()
            try FileManager.default.copyItem(at: a, to: b)
            let first = try openFollower(a, log)
            var second = try openFollower(b, log, longestLogRow: 64)
            var random = SeededGenerator(seed: 5)
            try await following(log, first, second) { try await settle(first) }
            for round in 0..<12 {
                try await following(log, first, second) {
                    try await live(round % 2 == 0 ? first : second, &random, round: round)
                }
                #expect(difference(accounts(second), accounts(first)) == [], "round \(round)")
                #expect(try difference(passing(second), passing(first)) == [], "round \(round)")
                if round % 3 == 1 {
                    // The files as a crash leaves them, including unsynced data.
                    let copy = folder.appending(path: "b\(round)")
                    try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
                    for suffix in ["", "-wal"] {
                        let name = Store.fileName + suffix
                        try FileManager.default.copyItem(
                            at: second.folder.appending(path: name), to: copy.appending(path: name))
                    }
                    try second.store.close()
                    second = try openFollower(copy, log, longestLogRow: 64)
                    #expect(second.engine.logProgress?.number == log.count)
                }
            }
            let reported = try await first.store.events(after: 0, atMost: 10_000)
            #expect(try await second.store.events(after: 0, atMost: 10_000) == reported)
            #expect(reported.count > 20)
            try await first.engine.close()
            try await second.engine.close()
        }
    }

    @Test("A copy has all followed entries and leaves no file behind") func snapshot() async throws {
        try await withFolder { folder in
            func copies(in folder: URL) throws -> [String] {
                try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("copy-") }
            }
            let log = ListedLog()
            let (a, b) = (folder.appending(path: "a"), folder.appending(path: "b"))
            let first = try openFollower(a, log)
            try await following(log, first) { try await settle(first) }
            let copy = try first.engine.copy()
            #expect(try copies(in: a) == [])
            try FileManager.default.createDirectory(at: b, withIntermediateDirectories: true)
            try copy.readToEnd()?.write(to: b.appending(path: Store.fileName))
            try Data([1]).write(to: b.appending(path: "copy-killed.sqlite.partial"))
            let second = try openFollower(b, log)
            #expect(second.engine.logProgress?.number == log.count)
            #expect(difference(accounts(second), accounts(first)) == [])
            #expect(try copies(in: b) == [], "what a kill left of another")
            for one in [first, second] { try one.store.close() }
        }
    }

    @Test("Concurrent writers to each node receive the actual results") func concurrentWriters() async throws {
        try await withFolder { folder in
            let log = ListedLog(longest: 4_000)
            let (a, b) = (folder.appending(path: "a"), folder.appending(path: "b"))
            try TestEngine(folder: a).store.close()
            try FileManager.default.copyItem(at: a, to: b)
            let nodes = [try openFollower(a, log), try openFollower(b, log)]
            let made = Words()
            try await following(log, nodes[0], nodes[1]) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<40 {
                        group.addTask {
                            let id: PersonID = id("p\(number % 20)")
                            do {
                                let written = try await nodes[number % 3 % 2].perform(
                                    PutPerson(Write(Person(id: id), if: .isAbsent)))
                                made.all.withLock { $0.append("\(id) \(written.revision)") }
                            } catch Refusal.conditionFailed {}
                        }
                    }
                    try await group.waitForAll()
                }
            }
            #expect(made.all.withLock { Set($0.map { $0.prefix { $0 != " " } }).count } == 20, "each was made once")
            #expect(made.all.withLock(\.count) == 20)
            #expect(log.count > 1, "it does not fit into one message")
            #expect(difference(accounts(nodes[1]), accounts(nodes[0])) == [])
            for node in nodes { try node.store.close() }
        }
    }

    @Test("A write under an earlier lease is refused") func earlierLease() async throws {
        try await withFolder { folder in
            let log = ListedLog()
            let one = try openFollower(folder, log)
            try await following(log, one) {
                func end(_ lease: UInt64) async throws {
                    one.engine.hold(lease, until: .now + .seconds(3600))
                    _ = try await one.engine.step(DeletePerson(id("nobody")), by: .service, at: morning)
                }
                await #expect(throws: Refusal.self) { try await end(8) }
                #expect(one.engine.keepsAll)
                await #expect(throws: StorageError.self) { try await end(7) }
                try await one.add(person("anybody"))
                await #expect(throws: Refusal.self) { try await end(9) }
                one.engine.hold(nil, until: nil)
                #expect(!one.engine.keepsAll)
            }
            try one.store.close()
        }
    }

    @Test("A folder continues with its own log only") func foreignLog() async throws {
        try await withFolder { folder in
            let log = ListedLog()
            let one = try openFollower(folder, log)
            try await following(log, one) { try await one.add(person("ana")) }
            try one.store.close()
            #expect(throws: StorageError.self) { try openFollower(folder, ListedLog("other")).store.close() }
            #expect(throws: StorageError.self) { try openFollower(folder, nil).store.close() }
            let again = try openFollower(folder, log)
            #expect(again.engine.read { $0.counts.people } == 1)
            try again.store.close()
        }
    }

    @Test("Reported inactivity is not reported again after a restart") func inactivity() async throws {
        try await withFolder { folder in
            let log = ListedLog()
            let one = try openFollower(folder, log)
            try await following(log, one) {
                try await settle(one)
                _ = try await one.send(ping(0, valencia, of: "p3"))
                try await one.engine.fireTimedFences(at: morning + .seconds(90_000))
            }
            try one.store.close()
            let again = try openFollower(folder, log)
            try await following(log, again) { try await again.engine.fireTimedFences(at: morning + .seconds(99_000)) }
            let reported = try await again.store.events(after: 0, atMost: 100).filter {
                $0.payload.type == .fenceSilent
            }
            #expect(reported.count == 1)
            try again.store.close()
        }
    }
}
