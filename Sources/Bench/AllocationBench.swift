internal import Algorithms
internal import ArgumentParser
internal import AsyncHTTPClient
internal import Foundation
internal import NIOHTTP1

/// `tools/bench allocations`: counts the memory allocations per request.
struct AllocationBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "allocations", abstract: "Count the allocations of each request, which do not jitter as times do.",
        discussion: """
            Compares with what is written in tools/bench-allocations.csv, and fails where a request needs a tenth more. Each figure
            is the least of five stretches: folding and retention ask for memory too, at times of their own.
            """)

    @Option(help: "How many places and people there are.") var places = 3_000
    @Option(help: "How many requests of each kind are counted.") var requests = 300
    @Option(help: "The program that is measured.") var program: String?
    @Flag(help: "Write what is counted instead of comparing it.") var write = false

    /// The library built beside this program, which counts allocations in a file.
    private static let counter = RunningService.executable.deletingLastPathComponent().appending(
        path: "libAllocationCount.so")
    private static let stretches = 5
    private static let baseline = URL(fileURLWithPath: "tools/bench-allocations.csv")

    func run() async throws {
        let former = try Self.read()
        var counted: [(name: String, count: Int)] = []
        try await withTemporaryFolder { folder in
            let town = try WireTown(places: places, people: places, seed: 1)
            let data = folder.appending(path: "data")
            try town.load(into: data)
            let count = folder.appending(path: "count")
            try Data(count: MemoryLayout<UInt64>.size).write(to: count)
            let service = try RunningService(
                data: data, program: program.map { URL(fileURLWithPath: $0) } ?? RunningService.executable,
                environment: ["LD_PRELOAD": Self.counter.path, "CERCA_ALLOCATION_COUNT": count.path])
            var fleet = Fleet(client: 0, of: 1, people: places, firstStep: 0)
            var kinds = town.all.map { ($0.name, $0.lines) }
            kinds.insert(("/livez", Array(repeating: WireTown.livez, count: requests)), at: 0)
            for batch in [1, 100] {
                let lines = (0..<requests * 2).map { _ in "POST /v1/pings \(fleet.batch(batch))" }
                kinds.append((batch == 1 ? "a ping" : "a batch of \(batch) pings", lines))
            }
            try await HTTPClient.withHTTPClient(configuration: .init(connections: 1)) { http in
                for (name, lines) in kinds {
                    // Warms up one-time allocations, such as those per connection.
                    try await send(lines.prefix(requests), http, service)
                    let each = try await fewest(lines.suffix(requests), http, service, count)
                    counted.append((name, each))
                    print("\(name): \(each)\(former[name].map { ", \($0) before" } ?? "")")
                }
            }
            try service.stop()
        }
        if write {
            let lines = counted.map { "\($0.name),\($0.count)\n" }
            try Data(lines.joined().utf8).write(to: Self.baseline)
        } else if let worse = counted.first(where: { $0.count * 10 > (former[$0.name] ?? .max / 11) * 11 }) {
            throw MeasurementError("\(worse.name) needs more than a tenth more than it did")
        }
    }

    /// The allocations per request, in the chunk of requests with the fewest.
    private func fewest(
        _ lines: ArraySlice<String>, _ http: HTTPClient, _ service: RunningService, _ count: URL
    ) async throws -> Int {
        var fewest = Int.max
        for stretch in lines.evenlyChunked(in: Self.stretches) {
            let before = try Self.allocations(count)
            try await send(stretch, http, service)
            fewest = min(fewest, (try Self.allocations(count) - before) / stretch.count)
        }
        return fewest
    }

    private func send(_ lines: ArraySlice<String>, _ http: HTTPClient, _ service: RunningService) async throws {
        for line in lines {
            let words = line.split(separator: " ", maxSplits: 2).map(String.init)
            if words.count == 3 {
                try await http.post(service.base + words[1], words[2])
            } else {
                let response = try await http.send(.GET, service.base + words[1]).response
                guard response.status == .ok else { throw MeasurementError("\(line): \(response.status)") }
            }
        }
    }

    private static func allocations(_ file: URL) throws -> Int {
        try Data(contentsOf: file).withUnsafeBytes { $0.load(as: Int.self) }
    }

    private static func read() throws -> [String: Int] {
        let lines = try String(contentsOf: baseline, encoding: .utf8).split(separator: "\n")
        let rows = lines.map { $0.split(separator: ",") }
        // A name may contain commas.
        return Dictionary(
            uniqueKeysWithValues: rows.compactMap { row in
                row.last.flatMap { Int($0) }.map { (row.dropLast().joined(separator: ","), $0) }
            })
    }
}
