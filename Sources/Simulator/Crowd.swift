internal import Foundation
internal import Histogram

/// All walkers together: sends what they report, several at the same time, and tells what became of it.
struct Crowd {
    let service: ServiceClient
    /// Requests a second at most; 0 for no limit.
    let rate: Double
    let clients: Int

    func run(_ walkers: [Walker]) async throws {
        try await service.make(walkers.map(\.id))
        let clock = ContinuousClock()
        let tally = Tally(people: walkers.count)
        let pace = Pace(rate: rate, start: clock.now)
        let start = clock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in 0..<min(clients, walkers.count) {
                group.addTask {
                    for index in stride(from: client, to: walkers.count, by: clients) {
                        try await walk(walkers[index], tally, pace)
                    }
                }
            }
            let display = Task { await tally.show() }
            defer { display.cancel() }
            try await group.waitForAll()
        }
        await tally.report(after: clock.now - start)
    }

    private func walk(_ walker: Walker, _ tally: Tally, _ pace: Pace) async throws {
        var walker = walker
        let clock = ContinuousClock()
        while let report = walker.report() {
            let due = try await pace.wait()
            do {
                let answer = try await service.send(report)
                // From when it was due: a request that had to wait for its turn has waited as its phone has.
                await tally.count(answer.verdict, took: clock.now - due)
                walker.follow(answer.hint)
            } catch let failure as ServiceClient.Failure { await tally.count(failure) }
        }
        await tally.finish(walker)
    }
}

/// Lets so many requests a second begin.
actor Pace {
    private let interval: Duration?
    private var next: ContinuousClock.Instant

    init(rate: Double, start: ContinuousClock.Instant) {
        interval = rate > 0 ? .nanoseconds(Int64(1e9 / rate)) : nil
        next = start
    }

    /// Waits for a turn.
    ///
    /// - Returns: when the request is due, which may be past.
    func wait() async throws -> ContinuousClock.Instant {
        guard let interval else { return .now }
        let due = next
        next = next.advanced(by: interval)
        try await Task.sleep(until: due)
        return due
    }
}

/// What became of the reports.
actor Tally {
    private let people: Int
    private var finished = 0
    private var kept = 0
    private var verdicts: [String: Int] = [:]
    private var failures = 0
    private var lastFailure: String?
    /// Microseconds.
    private var latency = Histogram<UInt64>(numberOfSignificantValueDigits: .three)

    init(people: Int) { self.people = people }

    private var sent: Int { verdicts.values.reduce(0, +) + failures }

    func count(_ verdict: String, took time: Duration) {
        verdicts[verdict, default: 0] += 1
        let (seconds, attoseconds) = time.components
        latency.record(UInt64(max(0, seconds * 1_000_000 + attoseconds / 1_000_000_000_000)))
    }

    func count(_ failure: ServiceClient.Failure) {
        failures += 1
        lastFailure = "\(failure)"
    }

    func finish(_ walker: Walker) {
        finished += 1
        kept += walker.kept
    }

    /// Shows the progress on a terminal twice a second until it is cancelled; nothing when nobody looks.
    func show() async {
        guard isatty(STDERR_FILENO) == 1 else { return }
        while (try? await Task.sleep(for: .milliseconds(500))) != nil {
            let line = "\(finished) of \(people) people arrived, \(sent) sent, \(verdicts["stored"] ?? 0) stored"
            FileHandle.standardError.write(Data("\r\u{1B}[K\(line)".utf8))
        }
        FileHandle.standardError.write(Data("\r\u{1B}[K".utf8))
    }

    func report(after time: Duration) {
        func milliseconds(_ percentile: Double) -> String {
            String(format: "%.1f", Double(latency.valueAtPercentile(percentile)) / 1000)
        }
        let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) * 1e-18
        print(
            "\(people) people in \(String(format: "%.1f", seconds)) s: \(sent + kept) fixes, of which the phones kept \(kept) and sent \(sent)"
        )
        for (verdict, count) in verdicts.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            print("  \(verdict): \(count)")
        }
        if failures > 0 { print("  failed: \(failures), the last with \(lastFailure ?? "")") }
        print(
            "latency: p50 \(milliseconds(50)) ms, p99 \(milliseconds(99)) ms, max \(milliseconds(100)) ms; \(Int(Double(sent) / seconds)) requests a second"
        )
    }
}
