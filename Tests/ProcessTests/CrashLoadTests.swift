import Foundation
import Geo
import Laws
import Model
import Storage
import Synchronization
import Testing

/// Number of kills; `tools/crash --times` sets another.
private let kills =
    ProcessInfo.processInfo.environment["CERCA_CRASH_TIMES"].flatMap(Int.init) ?? RandomCases.count(8, all: 20)

/// The most important promise: an acknowledged ping is stored exactly once, whatever happens to the process.
@Suite(.serialized, .timeLimit(.minutes(60 + kills))) struct CrashLoadTests {
    private static let (people, clients) = (40, 8)
    /// Number of acknowledged pings before the last kill, so that each person has some and passed some fences.
    private static let enough = 3000

    /// The pings that a client sent.
    private struct Sent: Sendable {
        /// The stored pings that were acknowledged.
        var acknowledged: Set<Key> = []
        /// The pings of each request.
        var requests: [[Key]] = []
    }

    private struct Key: Hashable, Sendable {
        var person: Int
        var milliseconds: Int64
    }

    /// The worst results of all comparisons of stored with sent pings.
    private struct Tally: CustomStringConvertible {
        var lost = 0
        var doubled = 0
        var unsent = 0
        var halves = 0

        var description: String {
            "\(lost) acknowledged lost, \(doubled) doubled, \(unsent) never sent, \(halves) requests half there"
        }

        mutating func keepWorst(of other: Tally) {
            lost = max(lost, other.lost)
            doubled = max(doubled, other.doubled)
            unsent = max(unsent, other.unsent)
            halves = max(halves, other.halves)
        }
    }

    /// A reader that follows through all runs and a webhook receive every event.
    @Test("No acknowledged ping is lost, and none is stored that was not sent") func acknowledgedPings() async throws {
        try await withDiskFolder { folder in
            let receiver = try await Receiver(folder)
            defer { receiver.stop() }
            let environment = Self.backups.merging(receiver.allow) { $1 }
            let data = folder.appending(path: "data")
            var all = Sent()
            var time: Int64 = 1_600_000_000_000
            var random = SeededGenerator(seed: 11)
            var worst = Tally()
            let follower = CrashFollower(folder)
            for round in 0..<kills {
                let service = try await Service(data: data, environment: environment)
                if round == 0 {
                    try await settle(service, receiver)
                    // From then on there is a backup, however early the kills are.
                    try await service.logs("wrote and verified a backup")
                }
                try follower.start(service)
                // Mostly early, sometimes late enough to hit pings on their way from the log to the table.
                let life = round % 5 == 4 ? random.integer(1950...2300) : random.integer(20...400)
                let counter = Counter(round == kills - 1 ? Self.enough - all.acknowledged.count : 0)
                let killing = Task {
                    defer { service.kill() }
                    try await Task.sleep(for: .milliseconds(life))
                    try await wait(until: { counter.isDone }, { "few pings are acknowledged" })
                }
                let (sent, end) = try await load(service, from: time, counter)
                counter.end()
                time = end
                try await killing.value
                try follower.finish()
                all.acknowledged.formUnion(sent.acknowledged)
                all.requests += sent.requests
                worst.keepWorst(of: try await check(all, data, "after kill \(round)").tally)
            }
            #expect(all.acknowledged.count > 5 * kills, "there was something to lose")
            let (newest, tally) = try await check(all, data, "at the end")
            worst.keepWorst(of: tally)
            print("\(kills) kills, \(all.acknowledged.count) pings acknowledged: \(worst)")
            try await checkBackups(all, folder)
            try await finish(data, newest, follower, receiver)
        }
    }

    /// Runs the service a last time, until it has sent all remaining events.
    private func finish(
        _ data: URL, _ newest: [StoredPing], _ follower: CrashFollower, _ receiver: Receiver
    ) async throws {
        let kept = try await CrashFollower.kept(data)
        let service = try await Service(data: data, environment: receiver.allow)
        try await compare(service, newest)
        try follower.start(service)
        try await follower.reach(kept.last?.number ?? 0)
        let delivered = try await receiver.messages("all") {
            Set($0.compactMap(\.body.id)).isSuperset(of: kept.map(\.number))
        }
        #expect(service.stop() == 0)
        try follower.finish()
        try await follower.check(kept, delivered, data, people: Self.people)
    }

    private func settle(_ service: Service, _ receiver: Receiver) async throws {
        try await makePeople(service)
        try await CrashFollower.makeFences(service, clients: Self.clients)
        try await receiver.take("all", "ok", service, #","types":["fence.enter","fence.exit"]"#)
    }

    private func makePeople(_ service: Service) async throws {
        let rows = (0..<Self.people).map { #"{"id":"p\#($0)","throttle":{"distance_m":0,"interval_s":0}}"# }
        let reply = try await service.send(
            "POST /v1/imports/people", rows.joined(separator: "\n"), type: "application/x-ndjson")
        #expect(reply.status == 200)
    }

    /// Counts down the pings that must be acknowledged before a kill.
    private final class Counter: Sendable {
        private let left: Atomic<Int>
        init(_ count: Int) { left = Atomic(count) }
        var isDone: Bool { left.load(ordering: .relaxed) <= 0 }
        func count(_ some: Int) { left.subtract(some, ordering: .relaxed) }
        /// Ends the wait because all clients have stopped.
        func end() { left.store(0, ordering: .relaxed) }
    }

    /// Runs eight clients that send batches as fast as they are answered until the service is gone.
    private func load(
        _ service: Service, from start: Int64, _ counter: Counter
    ) async throws -> (Sent, Int64) {
        try await withThrowingTaskGroup(of: (Sent, Int64).self) { group in
            for client in 0..<Self.clients {
                group.addTask {
                    var sent = Sent()
                    var random = SeededGenerator(seed: UInt64(start) &+ UInt64(client))
                    var time = start
                    while true {
                        // Each client has five people of its own, whose every ping must be stored.
                        let person = client * 5 + random.integer(0...4)
                        let count = random.integer(1...12)
                        let keys = (0..<count).map { Key(person: person, milliseconds: time + Int64($0) * 1000) }
                        time += Int64(count) * 1000
                        let pings = keys.map { key in
                            #"{"person":"p\#(person)","t":\#(key.milliseconds),"lat":\#(Self.latitude(key)),"lon":\#(client + 1)}"#
                        }
                        sent.requests.append(keys)
                        guard
                            let reply = try? await service.send("POST /v1/pings", "[\(pings.joined(separator: ","))]"),
                            reply.status == 200
                        else { return (sent, time) }
                        guard reply.body.hasPrefix(#"{"stored":\#(count),"#) else {
                            Issue.record("not stored: \(reply.body.prefix(300))")
                            return (sent, time)
                        }
                        sent.acknowledged.formUnion(keys)
                        counter.count(count)
                    }
                }
            }
            return try await group.reduce(into: (Sent(), start)) { sum, one in
                sum.0.acknowledged.formUnion(one.0.acknowledged)
                sum.0.requests += one.0.requests
                sum.1 = max(sum.1, one.1)
            }
        }
    }

    /// Moves eleven meters north or south each second.
    private static func latitude(_ key: Key) -> Double { Double(abs(key.milliseconds / 1000 % 50 - 25)) / 10_000 }

    /// Compares stored with sent pings.
    ///
    /// - Returns: the newest ping of each person, and the discrepancies.
    private func check(
        _ sent: Sent, _ data: URL, _ when: Comment
    ) async throws -> (newest: [StoredPing], tally: Tally) {
        let store = try Store(folder: data)
        var stored: [Key] = []
        var newest: [StoredPing] = []
        for person in 0..<PersonNumber(Self.people) {
            var walk = store.pings(of: person...person)
            var last: StoredPing?
            while let page = try await walk.next() {
                last = page.last?.ping
                stored += page.map { Key(person: Int(person), milliseconds: $0.ping.time.milliseconds) }
            }
            newest += [last].compactMap(\.self)
        }
        try store.close()
        let present = Set(stored)
        let tally = Tally(
            lost: sent.acknowledged.subtracting(present).count, doubled: stored.count - present.count,
            unsent: present.subtracting(sent.requests.joined()).count,
            halves: sent.requests.count { request in
                let there = request.count { present.contains($0) }
                return there > 0 && there < request.count
            })
        #expect("\(tally)" == "\(Tally())", when)
        return (newest, tally)
    }

    private static let backups = ["CERCA_BACKUP_EVERY": "1s", "CERCA_BACKUP_KEEP": "3"]

    /// Checks that each named backup is sound and has nothing that was not sent, even if kills interrupted backups.
    private func checkBackups(_ sent: Sent, _ folder: URL) async throws {
        let backups = BackupFolder.backups(in: folder.appending(path: "data/backups"))
        // A kill after a backup was named and before the oldest was deleted leaves one more.
        #expect((1...4).contains(backups.count))
        for backup in backups {
            let restored = folder.appending(path: backup.time.rfc3339)
            #expect(try Program.run("restore", backup.file.path, "--data", restored.path).code == 0)
            let store = try Store(folder: restored)
            var stored: Set<Key> = []
            for person in 0..<PersonNumber(Self.people) {
                var walk = store.pings(of: person...person)
                while let page = try await walk.next() {
                    stored.formUnion(page.map { Key(person: Int(person), milliseconds: $0.ping.time.milliseconds) })
                }
            }
            try store.close()
            #expect(stored.subtracting(sent.requests.joined()).isEmpty)
        }
    }

    /// Compares the live positions after a start with the database.
    private func compare(_ service: Service, _ newest: [StoredPing]) async throws {
        #expect(newest.count == Self.people)
        for ping in newest {
            let reply = try await service.send("GET /v1/people/p\(ping.person)/position")
            let numbers = reply.body.matches(of: #/"(?:lat|lon)":([0-9.]+)/#).compactMap { Double($0.1) }
            #expect(numbers == [ping.place.latitude, ping.place.longitude], "\(reply.body)")
        }
    }
}
