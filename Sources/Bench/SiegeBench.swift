internal import ArgumentParser
internal import AsyncHTTPClient
internal import Foundation
internal import Histogram
internal import NIOCore
internal import NIOHTTP1
internal import Synchronization

/// `tools/bench siege`: what two ordinary persons can do to all others.
struct SiegeBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "siege", abstract: "Measure how others are served while two persons do their worst.",
        discussion: """
            A service with keys and its usual limits; two persons with tokens of their own do their worst in each of several \
            ways in turn, for --seconds each. Meanwhile the phone of somebody else sends a position that can be stored 20 \
            times a second, and somebody searches five times a second, each time over a new connection. Printed is how long \
            these took, what the two were answered (by status, 0 for no answer), and the most memory of the service. With \
            --program another build of the service is measured, such as one of before a change.
            """)

    @Option(help: "For how long each way is gone.") var seconds = 60
    @Option(help: "How many places there are.") var places = 20_000
    @Option(help: "How many positions a person has who is deleted.") var positions = 100_000
    @Option(help: "The service that is besieged, if not that of this build.") var program: String?
    @Option(help: "Only the ways of these names.") var only: [String] = []

    func validate() throws {
        let unknown = only.filter { name in !SiegeWay.all.contains { way in way.name == name } }
        guard unknown.isEmpty else {
            throw ValidationError("--only: known are \(SiegeWay.all.map { $0.name }.joined(separator: ", "))")
        }
    }

    func run() async throws {
        try await withTemporaryFolder { folder in
            let program = program.map { URL(fileURLWithPath: $0) } ?? RunningService.executable
            print("siege of \(program.path) on \(Machine.description)")
            let keys = folder.appending(path: "keys.json").path
            let environment = ["CERCA_KEY_FILE": keys]
            _ = try RunningService.run("token", "--new-key", keys, program: program)
            func caller(_ name: String, _ scope: String) throws -> (name: String, token: String) {
                let said = try RunningService.run(
                    "token", "--sub", name, "--scope", scope, program: program, environment: environment)
                return (name, said.trimmingCharacters(in: .whitespacesAndNewlines))
            }
            let service = try RunningService(
                data: folder.appending(path: "data"), program: program, environment: environment)
            let town = SiegeTown(places: places, positions: positions)
            let backend = Besieger(try caller("backend", "service"), service.base)
            try await town.fill(by: backend)
            let people = try ["one", "two"].map { Besieger(try caller($0, "person"), service.base) }
            let others = try ["walker", "seeker"].map { Besieger(try caller($0, "person"), service.base) }
            let leavers = try ["leaver0", "leaver1"].map { Besieger(try caller($0, "person"), service.base) }
            row("way", "pings p50 ms", "p99 ms", "max ms", "search p99 ms", "memory MB", "answers", widths: Self.widths)
            for way in SiegeWay.all where only.isEmpty || only.contains(way.name) {
                let siege = Siege(way: way, service: service, walker: others[0], seeker: others[1], seconds: seconds)
                let result = try await siege.run(by: way.name == "deletion" ? leavers : people, backend)
                row(
                    way.name, result.pings.milliseconds(50), result.pings.milliseconds(99),
                    result.pings.milliseconds(100), result.searches.milliseconds(99), "\(result.memory >> 20)",
                    result.answers, widths: Self.widths)
                // Who reads it from a pipe wants to see how far it is.
                fflush(nil)
            }
            for besieger in people + others + leavers + [backend] { try await besieger.close() }
            try service.stop()
        }
    }

    private static let widths = [12, 12, 10, 10, 14, 10, 40]
}

/// Latencies of requests that were due at fixed times.
struct SiegeLatency {
    private var times = Histogram<UInt64>(numberOfSignificantValueDigits: .three)

    mutating func record(_ time: Duration) { times.record(UInt64(max(0, time.seconds * 1e6))) }

    func milliseconds(_ percentile: Double) -> String {
        short(Double(times.valueAtPercentile(percentile)) / 1000, 1)
    }
}

/// One way of the two persons, and how others fare meanwhile.
struct Siege {
    let way: SiegeWay
    let service: RunningService
    let walker: Besieger
    let seeker: Besieger
    let seconds: Int

    struct Result {
        var pings = SiegeLatency()
        var searches = SiegeLatency()
        var memory = 0
        var answers = ""
    }

    private enum Sample {
        case ping(Duration)
        case search(Duration)
        case memory(Int)
    }

    /// Goes on for the time that was asked for; what is under way then is waited for, 30 s at most.
    func run(by persons: [Besieger], _ backend: Besieger) async throws -> Result {
        for person in persons {
            person.forgetAnswers()
            try await way.prepare(person)
        }
        let attack = Task {
            await withTaskGroup(of: Void.self) { group in
                for person in persons {
                    for client in 0..<way.clients {
                        group.addTask { await repeating { await way.attack(person, client) } }
                    }
                }
                if let meanwhile = way.meanwhile { group.addTask { await repeating { await meanwhile(backend) } } }
            }
        }
        defer { attack.cancel() }
        var result = try await watch()
        attack.cancel()
        await attack.value
        for person in persons { await way.end(person) }
        result.answers = persons.map(\.told).joined(separator: " | ")
        return result
    }

    /// Again and again, and not without a pause, until it is cancelled.
    private func repeating(_ body: () async -> Void) async {
        while !Task.isCancelled {
            await body()
            try? await Task.sleep(for: .milliseconds(5))
        }
    }

    private func watch() async throws -> Result {
        let clock = ContinuousClock()
        let start = clock.now
        return try await withThrowingTaskGroup(of: Sample.self) { group in
            for number in 0..<20 * seconds {
                let due = start + .milliseconds(50 * number)
                group.addTask {
                    try await clock.sleep(until: due)
                    await walker.walk()
                    return .ping(clock.now - due)
                }
                if number.isMultiple(of: 4) {
                    group.addTask {
                        try await clock.sleep(until: due)
                        await seeker.search()
                        return .search(clock.now - due)
                    }
                }
                if number.isMultiple(of: 10) {
                    group.addTask {
                        try await clock.sleep(until: due)
                        return .memory(service.memory)
                    }
                }
            }
            var result = Result()
            for try await sample in group {
                switch sample {
                case .ping(let time): result.pings.record(time)
                case .search(let time): result.searches.record(time)
                case .memory(let bytes): result.memory = max(result.memory, bytes)
                }
            }
            return result
        }
    }
}

/// Somebody with a token, and what they were answered.
final class Besieger: Sendable {
    let name: String
    let token: String
    let base: String
    private let http: HTTPClient
    private let answers = Mutex<[Int: Int]>([:])
    private let steps = Atomic(0)
    /// Connections that are held open.
    let sockets = Mutex<[SiegeSocket]>([])

    init(_ caller: (name: String, token: String), _ base: String) {
        (name, token) = caller
        self.base = base
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
        http = HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
    }

    func close() async throws { try await http.shutdown() }

    /// A number that is another one each time.
    func next() -> Int { steps.add(1, ordering: .relaxed).newValue }

    func forgetAnswers() { answers.withLock { $0 = [:] } }

    /// How often which status came.
    var told: String {
        answers.withLock { $0.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" } }.joined(separator: ", ")
    }

    /// Sends a request and waits for the answer, 30 s at most.
    @discardableResult
    func send(
        _ line: String, _ body: String? = nil, type: String = "application/json", keepingAlive: Bool = true
    ) async -> (status: Int, body: String) {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        var request = HTTPClientRequest(url: base + words[1])
        request.method = HTTPMethod(rawValue: words[0])
        request.headers.add(name: "authorization", value: "Bearer \(token)")
        if !keepingAlive { request.headers.add(name: "connection", value: "close") }
        if let body {
            request.headers.add(name: "content-type", value: type)
            request.body = .bytes(ByteBuffer(string: body))
        }
        do {
            let response = try await http.execute(request, timeout: .seconds(30))
            let said = String(buffer: try await response.body.collect(upTo: 256 << 20))
            answers.withLock { $0[Int(response.status.code), default: 0] += 1 }
            return (Int(response.status.code), said)
        } catch {
            if !Task.isCancelled { answers.withLock { $0[0, default: 0] += 1 } }
            return (0, "\(error)")
        }
    }

    /// Sends a position that can be stored: 600 m and 130 s from the one before.
    fileprivate func walk() async {
        let step = next()
        await send(
            "POST /v1/pings",
            #"{"person":"\#(name)","t":\#(1_500_000_000 + step * 130),"lat":\#(short(Double(step % 10_000) * 0.005_4, 6)),"lon":2}"#
        )
    }

    fileprivate func search() async {
        await send("GET /v1/places/nearest?lat=39.47&lon=-0.376&limit=10&fields=id,distance_m", keepingAlive: false)
    }
}
