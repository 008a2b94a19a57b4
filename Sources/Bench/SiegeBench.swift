internal import ArgumentParser
internal import Foundation

/// `tools/bench siege`: measures how two ordinary users can impair the service for all others.
struct SiegeBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "siege", abstract: "Measure the service to others while two people attack it.",
        discussion: """
            In a service with keys and the default limits, two people with valid tokens attack in several \
            patterns in turn, for --seconds each. At the same time another person's phone sends a storable position 20 \
            times per second, and a third person searches five times per second, each time over a new connection. The output is the \
            latencies of these, the steps of the writer's longest turn since the start, the answers to the attackers (by status, 0 for none), and the service's cores and maximum memory. The attackers \
            are a separate process, with the capacity that the service and the others leave. With --program \
            another build of the service is measured, such as one before a change.
            """)

    @Option(help: "The duration of each attack pattern, in seconds.") var seconds = 60
    @Option(help: "The number of places.") var places = 20_000
    @Option(help: "The number of positions of a deleted person.") var positions = 100_000
    @Option(help: "The service to attack, by default this build.") var program: String?
    @Option(help: "Only the attack patterns with these names.") var only: [String] = []

    func validate() throws {
        let unknown = only.filter { name in !SiegeWay.all.contains { way in way.name == name } }
        guard unknown.isEmpty else {
            throw ValidationError("--only: known are \(SiegeWay.all.map { $0.name }.joined(separator: ", "))")
        }
    }

    func run() async throws {
        try await withTemporaryFolder { folder in
            let program = program.map { URL(fileURLWithPath: $0) } ?? RunningService.executable
            print("attack on \(program.path), on \(Machine.description)")
            let keys = folder.appending(path: "keys.json").path
            let environment = ["CERCA_KEY_FILE": keys]
            _ = try RunningService.run("token", "--new-key", keys, program: program)
            func caller(_ name: String, _ scope: String) throws -> SiegeCaller {
                let said = try RunningService.run(
                    "token", "--sub", name, "--scope", scope, program: program, environment: environment)
                return SiegeCaller(name: name, token: said.trimmingCharacters(in: .whitespacesAndNewlines))
            }
            let service = try RunningService(
                data: folder.appending(path: "data"), program: program, environment: environment)
            let town = SiegeTown(places: places, positions: positions)
            let helper = try caller("backend", "service")
            let backend = AttackClient(helper, service.base)
            try await town.fill(by: backend)
            let people = try ["one", "two"].map { try caller($0, "person") }
            let leavers = try ["leaver0", "leaver1"].map { try caller($0, "person") }
            let others = try ["walker", "seeker"].map { AttackClient(try caller($0, "person"), service.base) }
            row(
                "way", "pings p50 ms", "p99 ms", "max ms", "turn steps", "search p99 ms", "memory MB", "cores",
                "answers", widths: Self.widths)
            for way in SiegeWay.all where only.isEmpty || only.contains(way.name) {
                let siege = Siege(way: way, service: service, walker: others[0], seeker: others[1], seconds: seconds)
                let result = try await siege.run(by: [helper] + (way.name == "deletion" ? leavers : people))
                row(
                    way.name, result.pings.milliseconds(50), result.pings.milliseconds(99),
                    result.pings.milliseconds(100), try await backend.longestTurn(),
                    result.searches.milliseconds(99), "\(result.memory >> 20)", short(result.load), result.answers,
                    widths: Self.widths)
                // Shows the progress when the output is a pipe.
                fflush(nil)
            }
            for client in others + [backend] { try await client.close() }
            try service.stop()
        }
    }

    private static let widths = [12, 12, 10, 10, 12, 14, 10, 6, 40]
}

/// One attack pattern, with the service as seen by others during it.
struct Siege {
    let way: SiegeWay
    let service: RunningService
    let walker: AttackClient
    let seeker: AttackClient
    let seconds: Int

    struct Result {
        /// Latencies of requests with fixed due times.
        var pings = Latency()
        var searches = Latency()
        var memory = 0
        /// The number of cores that the service used.
        var load = 0.0
        var answers = ""
    }

    private enum Sample {
        case ping(Duration)
        case search(Duration)
        case memory(Int)
    }

    /// Runs for the configured time, and then waits for requests in progress, at most 30 s.
    func run(by callers: [SiegeCaller]) async throws -> Result {
        // The attack has the lowest priority, as if it ran on another machine.
        let attack = try Helper(
            ["siege-attack", "--way", way.name, service.base], behind: ["nice", "-n", "19"],
            writing: callers.map { "\($0.line)\n" }.joined())
        try attack.waitUntilReady()
        let used = service.processorTime
        var result = try await watch()
        result.load = (service.processorTime - used) / Double(seconds)
        result.answers = try attack.end()
        return result
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
