internal import AsyncHTTPClient
internal import Foundation
internal import Histogram
internal import NIOCore
internal import NIOHTTP1

/// Clients that send pings to a running service, each of which can be stored.
struct PingLoad {
    let base: String
    let people: Int
    /// How many positions each person has already sent.
    let firstStep: Int

    /// What became of a load.
    struct Result {
        var stored = 0
        var elapsed = Duration.zero
        /// Of requests, in microseconds.
        var latency = Histogram<UInt64>(numberOfSignificantValueDigits: .three)
        /// When answers came, in microseconds since the start.
        fileprivate var answered: [UInt64] = []

        var rate: Double { Double(stored) / elapsed.seconds }

        /// The longest time in which nobody got an answer.
        var longestPause: Duration {
            let times = answered.sorted()
            return .microseconds(zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? 0)
        }

        func milliseconds(_ percentile: Double) -> String {
            short(Double(latency.valueAtPercentile(percentile)) / 1000)
        }

        fileprivate mutating func record(_ count: Int, asked: Duration, answered now: Duration) {
            stored += count
            latency.record(UInt64(max(0, (now - asked).seconds) * 1e6))
            answered.append(UInt64(now.seconds * 1e6))
        }

        fileprivate mutating func add(_ other: Result) {
            stored += other.stored
            answered += other.answered
            for count in other.latency.recordedValues() { latency.record(count.value, count: count.count) }
        }
    }

    /// Closed loop: each client sends its next batch when the last was answered.
    func saturate(clients: Int, batch: Int, seconds: Int) async throws -> Result {
        try await withClient(connections: clients) { http in
            let clock = ContinuousClock()
            let start = clock.now
            let end = start + .seconds(seconds)
            var result = try await withThrowingTaskGroup(of: Result.self) { group in
                for client in 0..<clients {
                    group.addTask {
                        var result = Result()
                        var fleet = Fleet(client: client, of: clients, people: people, firstStep: firstStep)
                        while clock.now < end {
                            let body = fleet.batch(batch)
                            let asked = clock.now - start
                            try await post(body, batch, http)
                            result.record(batch, asked: asked, answered: clock.now - start)
                        }
                        return result
                    }
                }
                return try await group.reduce(into: Result()) { $0.add($1) }
            }
            result.elapsed = clock.now - start
            return result
        }
    }

    /// Open loop: single pings at a fixed rate, whether the earlier ones were answered or not.
    ///
    /// Latency counts from the moment a ping was due, so that a stall is felt by all who came meanwhile.
    func pace(rate: Double, seconds: Int) async throws -> Result {
        try await withClient(connections: 256) { http in
            let clock = ContinuousClock()
            let start = clock.now
            var fleet = Fleet(client: 0, of: 1, people: people, firstStep: firstStep)
            var result = try await withThrowingTaskGroup(of: (due: Duration, answered: Duration).self) { group in
                for number in 0..<Int(rate * Double(seconds)) {
                    let due = Duration.seconds(Double(number) / rate)
                    let body = fleet.batch(1)
                    if start + due > clock.now { try await clock.sleep(until: start + due) }
                    group.addTask {
                        try await post(body, 1, http)
                        return (due, clock.now - start)
                    }
                }
                return try await group.reduce(into: Result()) { $0.record(1, asked: $1.due, answered: $1.answered) }
            }
            result.elapsed = clock.now - start
            return result
        }
    }

    private func withClient<Outcome>(
        connections: Int, _ body: (HTTPClient) async throws -> Outcome
    ) async throws -> Outcome {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
        let http = HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
        do {
            let outcome = try await body(http)
            try await http.shutdown()
            return outcome
        } catch {
            try? await http.shutdown()
            throw error
        }
    }

    private func post(_ body: String, _ count: Int, _ http: HTTPClient) async throws {
        var request = HTTPClientRequest(url: base + "/v1/pings")
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/json")
        request.body = .bytes(ByteBuffer(string: body))
        let response = try await http.execute(request, timeout: .seconds(30))
        let reply = String(buffer: try await response.body.collect(upTo: 1 << 22))
        guard reply.hasPrefix("{\"stored\":\(count),") else {
            throw MeasurementError("not all were stored: \(reply.prefix(200))")
        }
    }
}

/// The people of one client, who walk on and on: 600 m and 130 s from one position to the next.
private struct Fleet {
    private static let epoch = 1_500_000_000
    private let own: [Int]
    private var steps: [Int]
    private var next = 0

    init(client: Int, of clients: Int, people: Int, firstStep: Int) {
        own = Array(stride(from: client, to: people, by: clients))
        steps = Array(repeating: firstStep, count: own.count)
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
