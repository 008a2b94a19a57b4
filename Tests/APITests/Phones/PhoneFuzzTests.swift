import API
import Foundation
import Laws
import Model
import Storage
import Synchronization
import Testing

/// Damaged requests of phones, after which the service continues, and never reports that it failed.
@Suite(.serialized, .timeLimit(.minutes(60))) struct PhoneFuzzTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let seed = environment["CERCA_FUZZ_SEED"].flatMap(UInt64.init) ?? 0
    /// The seeds of the requests per protocol; `tools/fuzz` sets their number and the first one.
    private static let seeds: [UInt64] =
        environment["CERCA_FUZZ_TIMES"].flatMap(UInt64.init).map { Array(seed..<seed + $0) }
        ?? RandomCases.seeds(seed..<seed + 10_000)
    private static let times = seeds.count
    private static let connections = 8
    /// The maximum growth of the process in a long run, in bytes.
    private static let growth = 256 << 20

    /// The results of all connections.
    private final class Book: Sendable {
        let tally = Mutex(Tally())
    }

    private struct Tally: Sendable {
        var statuses: [Int: Int] = [:]
        var slowest = Duration.zero
        /// The first failures.
        var faults: [String] = []

        mutating func fault(_ text: String) { if faults.count < 10 { faults.append(text) } }
    }

    private static let rows = [
        "owntracks": OwnTracksRows.all, "osmand": OsmAndRows.all, "overland": OverlandRows.all,
        "gpslogger": GPSLoggerRows.all,
    ]

    @Test("Damaged requests never cause an internal error", arguments: rows.keys.sorted())
    func damagedRequests(name: String) async throws {
        try await withServer {
            $0.rates.person.perSecond = 0
            $0.rates.address.perSecond = 0
        } _: { server in
            let token = try await server.phone(of: "ana", named: "Ana")
            // Otherwise only a few positions would be stored.
            try await server.send("PATCH /v1/people/ana", #"{"throttle":{"distance_m":0,"interval_s":0}}"#)
            let mutator = Mutator(Self.rows[name] ?? [], token: token)
            let book = Book()
            // A tenth of the requests allocates what is needed anyway.
            await run(0..<Self.times / 10, mutator, server, book)
            let before = Self.memory
            await run(Self.times / 10..<Self.times, mutator, server, book)
            let grown = Self.memory - before
            let tally = book.tally.withLock { $0 }
            #expect(tally.faults == [], "\(name)")
            #expect(tally.statuses[200, default: 0] > Self.times * 9 / 10 && tally.statuses[401, default: 0] > 0)
            // Other tests run in the same process, unless this is a separate run.
            if Self.environment["CERCA_FUZZ_TIMES"] != nil { #expect(grown < Self.growth, "grew by \(grown) bytes") }
            let statuses = tally.statuses.sorted { $0.key < $1.key }.map { "\($0.value) of status \($0.key)" }
            print(
                "\(name): \(Self.times) spoilt requests: \(statuses.joined(separator: ", ")), slowest \(tally.slowest.milliseconds) ms, memory \(grown >> 20) MB more"
            )
            try await expectSound(server, name)
        }
    }

    /// Expects that everything stored can be read, written, and checked without faults.
    private func expectSound(_ server: TestServer, _ name: String) async throws {
        #expect(try await server.send("GET /v1/people/ana/history?limit=10000").status == 200)
        #expect(try await !server.stored(of: "ana").isEmpty, "\(name): something was stored")
        while try await server.store.compact() != nil {}
        let file = try DatabaseFile(server.folder.appending(path: Store.fileName))
        #expect(try file.integrity { _, _ in }.faults == [], "\(name)")
    }

    private func run(_ range: Range<Int>, _ mutator: Mutator, _ server: TestServer, _ book: Book) async {
        await withTaskGroup(of: Void.self) { group in
            for first in 0..<Self.connections {
                let steps = stride(from: range.lowerBound + first, to: range.upperBound, by: Self.connections)
                group.addTask {
                    // A separate thread, because a wait for an answer must not block a thread of the service.
                    await withCheckedContinuation { continuation in
                        Thread.detachNewThread {
                            Self.run(steps, mutator, server, book)
                            continuation.resume()
                        }
                    }
                }
            }
        }
    }

    private static func run(_ steps: StrideTo<Int>, _ mutator: Mutator, _ server: TestServer, _ book: Book) {
        var connection: Wire?
        for seed in steps.lazy.map({ seeds[$0] }) {
            let mutant = mutator.mutant(seed: seed)
            do {
                let wire = try connection ?? Wire(server)
                let start = ContinuousClock.now
                let reply = try ask(mutant, wire)
                let time = ContinuousClock.now - start
                let mayGoOn = mutant.isWhole && reply.status == 200
                connection = mayGoOn ? wire : nil
                if !mayGoOn { wire.close() }
                book.tally.withLock { tally in
                    tally.statuses[reply.status, default: 0] += 1
                    tally.slowest = max(tally.slowest, time)
                    guard !isRight(reply.status, mutant) else { return }
                    let text = String(decoding: mutant.bytes.prefix(2000), as: UTF8.self)
                    tally.fault("seed \(seed): \(reply.text)\n\(text)")
                }
            } catch {
                connection?.close()
                connection = nil
                book.tally.withLock { $0.fault("seed \(seed): \(error)") }
            }
        }
        connection?.close()
    }

    /// Sends a request on a connection that cannot be used again if the request is incomplete.
    private static func ask(_ mutant: Mutator.Mutant, _ wire: Wire) throws -> TestServer.Reply {
        try wire.send(mutant.bytes)
        if !mutant.isWhole { wire.endSending() }
        return try wire.receive()
    }

    /// Any answer except an acknowledgement is right for an incomplete request, or none.
    private static func isRight(_ status: Int, _ mutant: Mutator.Mutant) -> Bool {
        switch (mutant.isWhole, mutant.isProven) {
        case (true, true): status == 200
        case (true, false): status == 401 || status == 200
        case (false, _): [0, 400, 401].contains(status)
        }
    }

    /// Resident memory, in bytes.
    private static var memory: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        return (status.firstMatch(of: #/VmRSS:\s*(\d+) kB/#).flatMap { Int($0.1) } ?? 0) << 10
    }
}
