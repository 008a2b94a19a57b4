internal import Foundation
internal import Histogram

struct Display: Sendable {
    let tally: Tally
    let plan: CrowdPlan

    private static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Shows the progress until canceled, twice per second in place on a terminal, or as a line every ten seconds.
    func show() async {
        let isTerminal = Self.isTerminal
        var (height, before, last) = (0, tally.now, ContinuousClock.now)
        while (try? await Task.sleep(for: isTerminal ? .milliseconds(500) : .seconds(10))) != nil {
            let (now, time) = (tally.now, ContinuousClock.now)
            let rate = Double(now.answered - before.answered) / (last.duration(to: time) / .seconds(1))
            let lines = isTerminal ? block(now, rate) : [line(now, rate)]
            let up = height > 0 ? "\u{1B}[\(height)A" : ""
            let text = lines.map { isTerminal ? "\u{1B}[K\($0)\n" : "\($0)\n" }.joined()
            FileHandle.standardError.write(Data((up + text).utf8))
            (height, before, last) = (isTerminal ? lines.count : 0, now, time)
        }
    }

    private func line(_ now: Tally.Figures, _ rate: Double) -> String {
        "\(clock(now)): \(now.answered) answered, \(Int(rate)) a second, \(now.verdicts["stored"] ?? 0) stored, "
            + "p50 \(milliseconds(now, 50)) ms, p99 \(milliseconds(now, 99)) ms, "
            + "\(now.failures) failed, \(now.mistakes) wrong"
    }

    private func block(_ now: Tally.Figures, _ rate: Double) -> [String] {
        let verdicts = now.verdicts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let checked = Tally.Check.allCases.compactMap { check in
            now.checked[check].map { "\(check.rawValue) \($0)" }
        }
        return [
            "\(plan.people.count) people, \(clock(now))",
            "  requests   \(now.answered), \(Int(rate)) a second",
            "  verdicts   \(verdicts.map { "\($0.key) \($0.value)" }.joined(separator: ", "))",
            "  latency    p50 \(milliseconds(now, 50)), p90 \(milliseconds(now, 90)), "
                + "p99 \(milliseconds(now, 99)), max \(milliseconds(now, 100)) ms",
            "  checked    \(checked.joined(separator: ", "))",
            "  errors     \(now.failures) failed, \(now.mistakes) wrong\((now.faults + now.reported).last.map { ": \($0.prefix(100))" } ?? "")",
        ]
    }

    private func milliseconds(_ now: Tally.Figures, _ percentile: Double) -> String {
        String(format: "%.1f", Double(now.all.valueAtPercentile(percentile)) / 1000)
    }

    private func clock(_ now: Tally.Figures) -> String {
        guard let time = now.time else { return "beginning" }
        let text = time.rfc3339
        guard let end = plan.choice.end else { return text }
        return "\(text), \(Int((time - plan.choice.start) / (end - plan.choice.start) * 100)) %"
    }
}

extension SimulatedTime {
    /// The time in RFC 3339 to the second.
    var rfc3339: String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000).formatted(.iso8601)
    }
}
