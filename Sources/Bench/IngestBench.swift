internal import ArgumentParser
internal import Foundation
internal import Laws

/// `tools/bench ingest`: measures durable pings over HTTP.
struct IngestBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ingest", abstract: "Measure the rate of pings stored durably over HTTP.",
        discussion: """
            First at the maximum rate, then single pings at half of their maximum rate. Every ping is \
            storable: people take turns, and the fix times are in the past and advance by 130 s from one \
            ping of a person to the next, which is 600 m farther. PostgreSQL with PostGIS inserts the same batches in the same \
            run, if it is installed. With fences, batches are sent alternately to a service without fences and to another one, \
            where the fences watch all people, or one person each, within 2 km of a person's track.
            """)

    @Option(help: "The number of clients that send batches concurrently, one request after the other.") var clients = 16
    @Option(help: "The number of pings in a request.") var batch = 100
    @Option(help: "The number of clients that send single pings.") var singles = 64
    @Option(help: "The duration of each part, in seconds.") var seconds = 10
    @Option(help: "The number of people of the pings.") var people = 20_000
    @Option(help: "The number of fences in the second of two services that batches are sent to.") var fences = 0
    @Flag(help: "Each fence watches only one person whose track is near it.") var each = false
    @Option(help: "The number of rounds of the two services.") var rounds = 8
    @Option(help: "The folder of the data during the measurement.") var folder: String?

    func run() async throws {
        try await withFolder(folder) { folder in
            print("ingest on \(Machine.description)")
            let syncs = try Machine.syncsPerSecond(in: folder)
            let data = folder.appending(path: "bench-data")
            let names = folder.appending(path: "people.csv")
            try Data("id\n\((0..<people).map { "p\($0)" }.joined(separator: "\n"))\n".utf8).write(to: names)
            _ = try RunningService.load("people", names, into: data)
            let empty = size(data)

            _ = try await part("\(clients) clients, batches of \(batch)", mark: 50_000, data, 0) { load in
                try await load.saturate(clients: clients, batch: batch, seconds: seconds)
            }
            try baseline(clients, batch)
            if fences > 0 { try await compare(names, in: folder) }
            let single = try await part("\(singles) clients, single pings", mark: min(5000, 15 * syncs), data, 5_000) {
                try await $0.saturate(clients: singles, batch: 1, seconds: seconds)
            }
            try baseline(singles, 1)
            let paced = try await part("single pings at half of that rate", mark: nil, data, 10_000) { load in
                try await load.pace(rate: single.rate / 2, seconds: seconds)
            }
            print("  p99 \(paced.latency.milliseconds(99)) ms (mark: under 50 ms)")
            try finish(data, empty)
        }
    }

    /// Sends batches alternately to two services, one of which has fences.
    ///
    /// Alternating exposes both to the same other load of the machine. Each rests before the other's turn.
    private func compare(_ names: URL, in folder: URL) async throws {
        let (plain, fenced) = (folder.appending(path: "plain"), folder.appending(path: "fenced"))
        for data in [plain, fenced] { _ = try RunningService.load("people", names, into: data) }
        try await fence(fenced)
        let services = [try RunningService(data: plain), try RunningService(data: fenced)]
        var (turns, fleets): ([[Turn]], [[Fleet]?]) = ([[], []], [nil, nil])
        for _ in 0..<rounds {
            for (number, service) in services.enumerated() {
                let load = PingLoad(base: service.base, people: people, firstStep: 0)
                let before = service.processorTime
                let result = try await load.saturate(
                    clients: clients, batch: batch, seconds: max(1, seconds / 4), before: fleets[number])
                fleets[number] = result.fleets
                try await service.rest()
                let processor = service.processorTime - before
                turns[number].append(Turn(rate: result.rate, cost: processor / Double(max(1, result.stored))))
            }
        }
        for service in services { _ = try service.stop() }
        let shares = zip(turns[0], turns[1]).map { $1.rate / $0.rate }.sorted()
        func mean(_ value: KeyPath<Turn, Double>, _ factor: Double, _ digits: Int) -> String {
            turns.map { short($0.reduce(0) { $0 + $1[keyPath: value] } / Double(rounds) * factor, digits) }
                .joined(separator: " and ")
        }
        print(
            """
            alternately without and with \(fences) fences: \(mean(\.rate, 1, 0)) stored pings a second, each of which costs \
            \(mean(\.cost, 1e6, 1)) µs of a core; with them \(short(shares[rounds / 2], 2)) of without in the median of \
            \(rounds) rounds (mark: 0.8), \(short(shares[0], 2)) to \(short(shares[rounds - 1], 2))
            """)
    }

    /// The measurement of one turn of a service.
    private struct Turn {
        /// Stored pings per second.
        let rate: Double
        /// CPU time per ping, in seconds.
        let cost: Double
    }

    /// Loads fences, and prints how long that took.
    private func fence(_ data: URL) async throws {
        let service = try RunningService(data: data)
        let load = PingLoad(base: service.base, people: people, firstStep: 0)
        var random = SeededGenerator(seed: 1)
        let fences = try (0..<fences).map { _ in
            let person = Int.random(in: 0..<people, using: &random)
            let shape = FenceShape(around: try load.place(nearWayOf: person, &random), &random)
            return shape.json(watching: each ? "p\(person)" : nil)
        }
        let taken = try await ContinuousClock().measure { try await load.put(fences, clients: clients) }
        print("\(fences.count) fences were loaded in \(short(taken.seconds, 1)) s, each by a request")
        _ = try service.stop()
    }

    /// Runs one part against a separate service on the same data.
    private func part(
        _ name: String, mark: Double?, _ data: URL, _ firstStep: Int, _ send: (PingLoad) async throws -> PingLoad.Result
    ) async throws -> PingLoad.Result {
        let syncs = try Machine.syncsPerSecond(in: data)
        let service = try RunningService(data: data)
        let writeAheadLog = WriteAheadLog(of: data)
        let result = try await send(PingLoad(base: service.base, people: people, firstStep: firstStep))
        let peak = await writeAheadLog.peak
        let said = try service.stop()
        let group = said.firstMatch(of: #/after (\d+) commits of (\d+) commands/#).flatMap { match in
            Int(match.1).flatMap { commits in Int(match.2).map { Double($0) / Double(max(1, commits)) } }
        }
        guard let group else { throw MeasurementError("the service did not report its commits: \(said)") }
        let marked = mark.map { " (mark: \(Int($0)))" } ?? ""
        print(
            """
            \(name): \(Int(result.rate)) stored pings a second\(marked)
              latency of a request: p50 \(result.latency.milliseconds(50)) ms, p99 \(result.latency.milliseconds(99)) ms, max \(result.latency.milliseconds(100)) ms
              longest time without any answer \(short(result.longestPause.seconds * 1000, 0)) ms, \(short(group, 1)) requests a commit, write-ahead log at most \(peak >> 20) MB
              just before, the disk synced \(Int(syncs)) times a second
            """)
        return result
    }

    private func baseline(_ clients: Int, _ batch: Int) throws {
        let rate = try PostGISBaseline(clients: clients, batch: batch, seconds: seconds, people: people)?.rate
        print(
            "  PostgreSQL with PostGIS, INSERT without HTTP: \(rate.map { "\($0) rows a second" } ?? "not installed, skipped")"
        )
    }

    private func finish(_ data: URL, _ empty: Int) throws {
        let said = try RunningService.run("check", "--data", data.path)
        guard let count = said.firstMatch(of: #/(\d+) pings,/#).flatMap({ Int($0.1) }) else {
            throw MeasurementError("cerca check did not count the pings: \(said)")
        }
        print(
            "\(count) rows, \((size(data) - empty) / max(1, count)) bytes of file for each; cerca check finds no fault"
        )
        try FileManager.default.removeItem(at: data)
    }

    private func size(_ data: URL) -> Int { Machine.size(of: data.appending(path: "cerca.sqlite")) }
}

/// Monitors the size of a running service's write-ahead log.
private final class WriteAheadLog: Sendable {
    private let watching: Task<Int, Never>

    init(of data: URL) {
        let log = data.appending(path: "cerca.sqlite-wal")
        watching = Task.detached {
            var peak = 0
            while !Task.isCancelled {
                peak = max(peak, Machine.size(of: log))
                try? await Task.sleep(for: .milliseconds(20))
            }
            return peak
        }
    }

    /// The maximum size so far, in bytes; ends the monitoring.
    var peak: Int {
        get async {
            watching.cancel()
            return await watching.value
        }
    }
}
