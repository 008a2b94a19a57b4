internal import AsyncHTTPClient
internal import Foundation
internal import Geo
internal import Laws
internal import NIOCore
internal import NIOHTTP1

/// Clients that send pings to a running service, all of which can be stored.
struct PingLoad {
    let base: String
    let people: Int
    /// The number of positions that each person has sent before.
    let firstStep: Int

    struct Result {
        var stored = 0
        var elapsed = Duration.zero
        /// The latency of requests.
        var latency = Latency()
        /// The state of the clients, to continue from.
        fileprivate(set) var fleets: [Fleet] = []
        /// When responses arrived, in microseconds since the start.
        fileprivate var answered: [UInt64] = []

        var rate: Double { Double(stored) / elapsed.seconds }

        /// The longest period without any response.
        var longestPause: Duration {
            let times = answered.sorted()
            return .microseconds(zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? 0)
        }

        fileprivate mutating func record(_ count: Int, asked: Duration, answered now: Duration) {
            stored += count
            latency.record(now - asked)
            answered.append(UInt64(now.seconds * 1e6))
        }

        fileprivate mutating func add(_ other: Result) {
            stored += other.stored
            answered += other.answered
            latency.add(other.latency)
            fleets += other.fleets
        }
    }

    /// Closed loop: each client sends its next batch after the previous response; `fleets` continues earlier clients.
    func saturate(clients: Int, batch: Int, seconds: Int, before fleets: [Fleet]? = nil) async throws -> Result {
        let fleets =
            fleets ?? (0..<clients).map { Fleet(client: $0, of: clients, people: people, firstStep: firstStep) }
        return try await HTTPClient.withHTTPClient(configuration: .init(connections: clients)) { http in
            let clock = ContinuousClock()
            let start = clock.now
            let end = start + .seconds(seconds)
            var result = try await withThrowingTaskGroup(of: Result.self) { group in
                for fleet in fleets {
                    group.addTask {
                        var (result, fleet) = (Result(), fleet)
                        while clock.now < end {
                            let body = fleet.batch(batch)
                            let asked = clock.now - start
                            try await http.store(body, count: batch, at: base)
                            result.record(batch, asked: asked, answered: clock.now - start)
                        }
                        result.fleets = [fleet]
                        return result
                    }
                }
                return try await group.reduce(into: Result()) { $0.add($1) }
            }
            result.elapsed = clock.now - start
            return result
        }
    }

    /// A place within about 2 km of a person's path.
    func place(nearWayOf person: Int, _ random: inout SeededGenerator) throws -> Coordinate {
        let way = Fleet.start(of: person)
        return try Coordinate(
            latitude: way.latitude + Double.random(in: 0...Fleet.longest, using: &random),
            longitude: way.longitude + Double.random(in: -0.025...0.025, using: &random))
    }

    /// Creates numbered fences with a number of concurrent clients.
    func put(_ fences: [String], clients: Int) async throws {
        try await HTTPClient.withHTTPClient(configuration: .init(connections: clients)) { http in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for client in 0..<clients {
                    group.addTask {
                        for number in stride(from: client, to: fences.count, by: clients) {
                            let (response, body) = try await http.send(
                                .PUT, "\(base)/v1/fences/f\(number)", headers: [("content-type", "application/json")],
                                ByteBuffer(string: fences[number]))
                            guard response.status == .created else {
                                throw MeasurementError("no fence was made: \(body)")
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    /// Open loop: sends single pings at a fixed rate, regardless of responses.
    ///
    /// Latency counts from the due time of a ping, so that a stall affects all pings that were due during it.
    func pace(rate: Double, seconds: Int) async throws -> Result {
        try await HTTPClient.withHTTPClient(configuration: .init(connections: 256)) { http in
            let clock = ContinuousClock()
            let start = clock.now
            var fleet = Fleet(client: 0, of: 1, people: people, firstStep: firstStep)
            var result = try await withThrowingTaskGroup(of: (due: Duration, answered: Duration).self) { group in
                for number in 0..<Int(rate * Double(seconds)) {
                    let due = Duration.seconds(Double(number) / rate)
                    let body = fleet.batch(1)
                    if start + due > clock.now { try await clock.sleep(until: start + due) }
                    group.addTask {
                        try await http.store(body, count: 1, at: base)
                        return (due, clock.now - start)
                    }
                }
                return try await group.reduce(into: Result()) { $0.record(1, asked: $1.due, answered: $1.answered) }
            }
            result.elapsed = clock.now - start
            return result
        }
    }
}

/// The people of one client, who move 600 m and 130 s per position.
struct Fleet {
    /// Later than the positions that people have at the start of a measurement.
    private static let epoch = 1_767_398_400
    /// The number of steps north before a person starts again, and their size in degrees.
    private static let (steps, step) = (1_000, 0.005_4)
    /// The length of a path to the north, in degrees.
    static var longest: Double { Double(steps) * step }
    private let own: [Int]
    private var taken: [Int]
    private var next = 0

    init(client: Int, of clients: Int, people: Int, firstStep: Int) {
        own = Array(stride(from: client, to: people, by: clients))
        taken = Array(repeating: firstStep, count: own.count)
    }

    static func start(of person: Int) -> (latitude: Double, longitude: Double) {
        (40 + Double(person % 100) * 0.1, Double(person / 100 % 3000) * 0.1 - 150)
    }

    mutating func batch(_ count: Int) -> String {
        var pings: [String] = []
        for _ in 0..<count {
            let step = taken[next]
            taken[next] += 1
            let start = Self.start(of: own[next])
            let latitude = start.latitude + Double(step % Self.steps) * Self.step
            pings.append(
                #"{"person":"p\#(own[next])","device":"bench","t":\#(Self.epoch + step * 130),"lat":\#(short(latitude, 6)),"lon":\#(start.longitude),"accuracy_m":12}"#
            )
            next = (next + 1) % own.count
        }
        return "[" + pings.joined(separator: ",") + "]"
    }
}
