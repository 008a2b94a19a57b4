internal import Foundation
internal import Histogram

/// The result of a run, as `--report` writes it.
struct Report: Encodable, Sendable {
    var seed: UInt64
    var people: Int
    var from, to: String
    /// Whether the run was stopped early.
    var interrupted: Bool
    var duration_s: Double
    /// The requested and the achieved rate in requests per second.
    var rate_asked: Double?
    var rate: Double
    var movements: [String: Int]
    var friendships: Int
    var most_friends: Int
    var stores: Int
    /// The number of fixes that phones took, sent, and suppressed because of the hint.
    var fixes, sent, saved_by_hint: Int
    /// The number of suppressed fixes that would have been stored.
    var lost_by_hint: Int
    /// The number of fences, of expected entries and exits, and of fixes whose fence events were delayed by the lower
    /// bound of hints.
    var fences, passings, late_by_floor: Int
    var requests: [String: Int]
    var verdicts: [String: Int]
    /// Measured from the due time of each request.
    var latency_ms: [String: Latency]
    var failures: Int
    var failures_shown: [String]
    var checks: [String: Check]
    var wrong: Int
    var faults: [String]
    /// The errors of stored tracks; nil if histories were not read.
    var in_time, as_geometry: TrackError.Summary?
    /// A hash of everything sent, equal for equal seeds, times and rules.
    var digest: String

    struct Latency: Encodable, Sendable {
        var p50, p90, p99, p99_9, max: Double
    }

    struct Check: Encodable, Sendable {
        var checked, skipped, wrong: Int
    }

    init(
        _ plan: CrowdPlan, _ figures: Tally.Figures, _ members: [Member], took duration: Duration, rate: Double?,
        _ errors: Accounts.Errors?
    ) {
        (seed, people) = (plan.choice.seed, plan.people.count)
        from = plan.choice.start.rfc3339
        to = (plan.choice.end ?? figures.time ?? plan.choice.start).rfc3339
        interrupted = errors == nil
        duration_s = ((duration / .seconds(1)) * 100).rounded() / 100
        rate_asked = rate
        requests = Dictionary(uniqueKeysWithValues: figures.requests.map { ($0.key.rawValue, $0.value) })
        let answered = figures.answered - figures.requests[.histories, default: 0]
        self.rate = (Double(answered) / max(0.001, duration / .seconds(1))).rounded()
        movements = Dictionary(plan.kinds.map { ($0.rawValue, 1) }, uniquingKeysWith: +)
        friendships = plan.friendships.count
        most_friends = plan.friendships.friends.map(\.count).max() ?? 0
        stores = plan.shops.stores.count
        fixes = members.reduce(0) { $0 + $1.fixes }
        saved_by_hint = members.reduce(0) { $0 + $1.kept }
        lost_by_hint = members.count { $0.wronglyKept != nil }
        (fences, passings) = (plan.fences.fences.count, members.reduce(0) { $0 + $1.fences.passings.count })
        late_by_floor = members.reduce(0) { $0 + $1.keptByFloor }
        verdicts = figures.verdicts
        sent = figures.verdicts.values.reduce(0, +)
        latency_ms = Dictionary(
            uniqueKeysWithValues: figures.latencies.map { ($0.key.rawValue, Self.latency($0.value)) })
        latency_ms["all"] = Self.latency(figures.all)
        (failures, failures_shown) = (figures.failures, figures.reported)
        checks = Dictionary(
            uniqueKeysWithValues: Tally.Check.allCases.map { check in
                (
                    check.rawValue,
                    Check(
                        checked: figures.checked[check, default: 0], skipped: figures.skipped[check, default: 0],
                        wrong: figures.wrong[check, default: 0])
                )
            })
        wrong = figures.mistakes + lost_by_hint
        faults = figures.faults + members.lazy.compactMap(\.keptFault).prefix(20)
        (in_time, as_geometry) = (errors?.inTime.summary, errors?.asGeometry.summary)
        var digest = Digest()
        for member in members { digest.add(member.digest) }
        self.digest = digest.hex
    }

    /// Whether all responses arrived and were correct.
    var isClean: Bool { wrong == 0 && failures == 0 }

    private static func latency(_ histogram: Histogram<UInt64>) -> Latency {
        func milliseconds(_ percentile: Double) -> Double {
            (Double(histogram.valueAtPercentile(percentile)) / 10).rounded() / 100
        }
        return Latency(
            p50: milliseconds(50), p90: milliseconds(90), p99: milliseconds(99), p99_9: milliseconds(99.9),
            max: milliseconds(100))
    }

    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(self).write(to: URL(fileURLWithPath: path))
    }
}

extension Report {
    var text: String {
        var lines = [
            "\(people) people from \(from) to \(to)\(interrupted ? ", interrupted," : "") in \(duration_s) s",
            "\(fixes) fixes; phones sent \(sent), and the hint saved \(saved_by_hint) (\(share(saved_by_hint)))",
        ]
        if fences > 0 {
            lines.append(
                "\(fences) fences, \(passings) entries and exits; \(late_by_floor) fixes near a border waited for the hint's floor"
            )
        }
        for (verdict, count) in verdicts.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            lines.append("  \(verdict): \(count)")
        }
        let asked = rate_asked.map { " of \(Int($0)) asked for" } ?? ""
        lines.append(
            "\(requests.values.reduce(0, +)) requests, \(Int(rate)) a second\(asked); latency in ms from the scheduled times:"
        )
        for (kind, latency) in latency_ms.sorted(by: { $0.key < $1.key }) {
            lines.append(
                "  \(kind): p50 \(latency.p50), p90 \(latency.p90), p99 \(latency.p99), p99.9 \(latency.p99_9), max \(latency.max)"
            )
        }
        lines.append("answers checked:")
        for (name, check) in checks.sorted(by: { $0.key < $1.key }) where check.checked + check.skipped > 0 {
            let skipped = check.skipped > 0 ? ", \(check.skipped) skipped because of concurrent changes" : ""
            lines.append("  \(name): \(check.checked)\(skipped), wrong \(check.wrong)")
        }
        for (name, error) in [("the last stored position", in_time), ("the stored line", as_geometry)] {
            guard let error else { continue }
            lines.append(
                "true positions from \(name): mean \(error.mean_m) m, median \(error.p50_m) m, p95 \(error.p95_m) m, max \(error.max_m) m"
            )
        }
        if failures > 0 { lines += ["\(failures) requests failed:"] + failures_shown.map { "  \($0)" } }
        if wrong > 0 { lines += ["\(wrong) answers are wrong:"] + faults.map { "  \($0)" } }
        lines.append("digest of what was sent: \(digest)")
        return lines.joined(separator: "\n")
    }

    private func share(_ count: Int) -> String {
        fixes == 0 ? "0 %" : String(format: "%.1f %%", Double(count) / Double(fixes) * 100)
    }
}

extension Member {
    fileprivate var keptFault: String? {
        wronglyKept.map { "hints: person \(number) withheld \($0), which would have been stored or reported" }
    }
}
