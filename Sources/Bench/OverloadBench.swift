internal import ArgumentParser
internal import AsyncHTTPClient
internal import Foundation
internal import Laws
internal import NIOCore
internal import NIOHTTP1

/// `tools/bench overload`: measures the service under more load than it can handle.
struct OverloadBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "overload", abstract: "Measure how the service fares at several times what it can do.",
        discussion: """
            A process of its own sends a mixture of searches, counts and positions: first as many as are answered, over 64 \
            connections; then for --seconds at a fixed rate of --times as many, over --connections; then again as many as are \
            answered, for the first two seconds and for five more. A request for which no connection is free when it is due is \
            not sent. Meanwhile /livez, /readyz and /metrics are asked ten times a second, each time over a new connection. \
            With --program another build is measured, such as one of before a change.
            """)

    @Option(help: "For how long more is asked than can be answered.") var seconds = 120
    @Option(help: "How many times as much is asked.") var times = 3.0
    @Option(help: "Over how many connections.") var connections = 600
    @Option(help: "How many places there are.") var places = 20_000
    @Option(help: "How many people send positions.") var people = 5000
    @Option(help: "The service, if not that of this build.") var program: String?

    private static let widths = [16, 12, 12, 12, 12, 12, 10, 10, 10]

    func run() async throws {
        let program = program.map { URL(fileURLWithPath: $0) } ?? RunningService.executable
        print("overload of \(program.path) on \(Machine.description)")
        try await withTemporaryFolder { folder in
            let data = folder.appending(path: "data")
            for (kind, rows) in [("people", peopleRows), ("places", placeRows)] {
                let file = folder.appending(path: "\(kind).ndjson")
                try rows.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
                _ = try RunningService.run("import", kind, file.path, "--data", data.path, program: program)
            }
            let service = try RunningService(
                data: data, program: program, environment: ["CERCA_LIMITS_ADDRESS_CONNECTIONS": "0"])
            guard let port = URL(string: service.base)?.port else { throw MeasurementError("no port") }
            let load = try Helper(["overload-load", "\(port)", "--people", "\(people)"])
            try load.waitUntilReady()
            row(
                "phase", "due/s", "sent/s", "good/s", "shed/s", "p50 ms", "p99 ms", "max ms", "MB",
                widths: Self.widths)
            func phase(_ name: String, _ rate: Double, _ connections: Int, _ seconds: Int) throws -> OverloadResult {
                try load.tell("\(rate) \(connections) \(seconds)\n")
                guard let result = OverloadResult(line: load.hear()) else { throw MeasurementError("no result") }
                tell(name, result, service.anonymousMemory)
                return result
            }
            _ = try phase("warm", 0, 64, 5)
            let best = try phase("best", 0, 64, 15)
            let probes = Task { try await watch(service.base, service: service) }
            let over = try phase("\(short(times, 0)) times", best.rate * times, connections, seconds)
            probes.cancel()
            _ = try phase("first 2 s after", 0, 64, 2)
            let after = try phase("then", 0, 64, 5)
            print(
                "goodput \(percent(over, best)) of the best, \(percent(after, best)) afterwards; "
                    + "\(over.other) other answers, \(over.cut) connections cut")
            print(try await probes.value)
            try load.end()
            try service.stop()
        }
    }

    private func percent(_ result: OverloadResult, _ best: OverloadResult) -> String {
        "\(short(100 * result.rate / best.rate, 0)) %"
    }

    private func tell(_ name: String, _ result: OverloadResult, _ memory: Int) {
        func rate(_ count: Int) -> String { short(Double(count) / result.seconds, 0) }
        row(
            name, rate(result.due), rate(result.due - result.unsent), rate(result.good), rate(result.shed),
            short(result.p50, 1), short(result.p99, 1), short(result.longest, 1), "\(memory >> 20)", widths: Self.widths
        )
        fflush(nil)
    }

    /// Requests health and metrics until canceled, and returns a summary of the latencies.
    private func watch(_ base: String, service: RunningService) async throws -> String {
        let paths = ["/livez", "/readyz", "/metrics"]
        var times = Array(repeating: Latency(), count: paths.count)
        var failed = 0
        var memory: [Int] = []
        while !Task.isCancelled {
            for (index, path) in paths.enumerated() {
                let start = ContinuousClock.now
                let status = try? await HTTPClient.shared.send(
                    .GET, base + path, headers: [("connection", "close")], patience: .seconds(10)
                ).response.status.code
                // The last request may have been canceled.
                guard !Task.isCancelled else { break }
                times[index].record(.now - start)
                if status != 200 { failed += 1 }
            }
            memory.append(service.anonymousMemory)
            try? await Task.sleep(for: .milliseconds(100))
        }
        let told = zip(paths, times).map { path, time in
            "\(path) p50 \(time.milliseconds(50, digits: 1)) ms, p99 \(time.milliseconds(99, digits: 1)) ms, max \(time.milliseconds(100, digits: 1)) ms (\(time.count))"
        }
        let third = memory.count / 3
        return told.joined(separator: "; ")
            + "; \(failed) failed; memory at a third \((memory.dropFirst(third).first ?? 0) >> 20) MB, at the end \((memory.last ?? 0) >> 20) MB"
    }

    private var peopleRows: [String] { (0..<people).map { #"{"id":"p\#($0)","name":"P"}"# } }

    private var placeRows: [String] {
        var dice = Dice(seed: 2)
        return (0..<places).map { number in
            let (lat, lon) = (short(38 + 3 * dice.number(0..<1), 5), short(-2 + 2 * dice.number(0..<1), 5))
            return
                #"{"id":"s\#(number)","kind":"store","name":"S","lat":\#(lat),"lon":\#(lon),"category":"c\#(number % 20)","tags":["\#(number % 500 == 0 ? "rare" : "usual")"]}"#
        }
    }
}
