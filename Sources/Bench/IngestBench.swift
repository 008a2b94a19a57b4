internal import ArgumentParser
internal import AsyncHTTPClient
internal import Foundation
internal import Geo
internal import Histogram
internal import Laws
internal import NIOCore
internal import NIOHTTP1

/// `tools/bench ingest`: durable pings over HTTP.
struct IngestBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ingest", abstract: "Measure how many pings a second are stored durably over HTTP.",
        discussion: """
            Every ping is storable: each is of another one of many people, and the fix times are back-dated and go on by \
            130 s from one ping of a person to the next, which is 600 m on.
            """)

    @Option(help: "How many clients send at the same time, one request after the other.") var clients = 16
    @Option(help: "How many pings a request has.") var batch = 100
    @Option(help: "For how long.") var seconds = 10
    @Option(help: "How many people the pings are of.") var people = 20_000
    @Option(help: "Where the data is for the time of the measurement.") var folder: String?

    func run() async throws {
        try await withTemporaryFolder { temporary in
            let folder = folder.map { URL(fileURLWithPath: $0) } ?? temporary
            print(
                "ingest on \(Machine.description); the disk syncs \(Int(try Machine.syncsPerSecond(in: folder))) times a second"
            )
            let data = folder.appending(path: "bench-data")
            let names = folder.appending(path: "people.csv")
            try Data("id\n\((0..<people).map { "p\($0)" }.joined(separator: "\n"))\n".utf8).write(to: names)
            _ = try RunningService.load("people", names, into: data)
            let service = try RunningService(data: data)
            let result = try await send(to: service)
            try service.stop()
            report(
                result,
                try FileManager.default.attributesOfItem(atPath: data.appending(path: "cerca.sqlite").path)[.size]
                    as? Int ?? 0)
            try FileManager.default.removeItem(at: data)
        }
    }

    private struct Result {
        var stored = 0
        var requests = 0
        var elapsed = Duration.zero
        var latency = Histogram<UInt64>(numberOfSignificantValueDigits: .three)
    }

    private func send(to service: RunningService) async throws -> Result {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(seconds)
        let start = clock.now
        var result = try await withThrowingTaskGroup(of: Result.self) { group in
            for client in 0..<clients {
                group.addTask {
                    var result = Result()
                    var fleet = Fleet(client: client, of: clients, people: people)
                    while clock.now < end {
                        let body = fleet.batch(batch)
                        let begun = clock.now
                        let reply = try await post(body, service.base)
                        result.latency.record(UInt64((clock.now - begun).seconds * 1e6))
                        guard reply.hasPrefix("{\"stored\":\(batch),") else {
                            throw MeasurementError("not all were stored: \(reply.prefix(200))")
                        }
                        result.stored += batch
                        result.requests += 1
                    }
                    return result
                }
            }
            return try await group.reduce(into: Result()) { sum, one in
                sum.stored += one.stored
                sum.requests += one.requests
                for count in one.latency.recordedValues() { sum.latency.record(count.value, count: count.count) }
            }
        }
        result.elapsed = clock.now - start
        return result
    }

    private func post(_ body: String, _ base: String) async throws -> String {
        var request = HTTPClientRequest(url: base + "/v1/pings")
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/json")
        request.body = .bytes(ByteBuffer(string: body))
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
        return String(buffer: try await response.body.collect(upTo: 1 << 22))
    }

    private func report(_ result: Result, _ bytes: Int) {
        let rate = Double(result.stored) / result.elapsed.seconds
        func milliseconds(_ percentile: Double) -> String {
            short(Double(result.latency.valueAtPercentile(percentile)) / 1000)
        }
        print(
            """
            \(clients) clients, batches of \(batch): \(Int(rate)) stored pings a second, \(Int(Double(result.requests) / result.elapsed.seconds)) requests a second
            latency of a request: p50 \(milliseconds(50)) ms, p99 \(milliseconds(99)) ms, max \(milliseconds(100)) ms
            \(result.stored) pings, \(bytes / max(1, result.stored)) bytes of file for each, people included
            """)
    }
}

/// The people of one client, who walk on and on.
private struct Fleet {
    private static let epoch = 1_500_000_000
    private let own: [Int]
    private var steps: [Int]
    private var next = 0

    init(client: Int, of clients: Int, people: Int) {
        own = Array(stride(from: client, to: people, by: clients))
        steps = Array(repeating: 0, count: own.count)
    }

    mutating func batch(_ count: Int) -> String {
        var pings: [String] = []
        for _ in 0..<count {
            let step = steps[next]
            steps[next] += 1
            let latitude = 40 + Double(own[next] % 100) * 0.1 + Double(step % 1000) * 0.005_4
            pings.append(
                #"{"person":"p\#(own[next])","device":"bench","t":\#(Self.epoch + step * 130),"lat":\#(short(latitude, 6)),"lon":\#(Double(own[next] / 100 % 3000) * 0.1 - 150),"accuracy_m":12}"#
            )
            next = (next + 1) % own.count
        }
        return "[" + pings.joined(separator: ",") + "]"
    }
}
