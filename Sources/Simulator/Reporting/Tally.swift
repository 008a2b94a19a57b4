internal import CercaClient
internal import Histogram
internal import Synchronization

/// Counts requests and the results of checks.
final class Tally: Sendable {
    enum Check: String, CaseIterable, Sendable {
        case verdicts, hints, friends, stores, strangers, likes, histories, fences
    }

    /// Maximum number of reported faults, and of reported failures.
    private static let mostReported = 20

    struct Figures: Sendable {
        var requests: [Request.Kind: Int] = [:]
        var verdicts: [String: Int] = [:]
        var checked: [Check: Int] = [:]
        /// Checks skipped because a precondition changed during the request.
        var skipped: [Check: Int] = [:]
        var wrong: [Check: Int] = [:]
        var faults: [String] = []
        var failures = 0
        var reported: [String] = []
        /// Microseconds.
        var latencies: [Request.Kind: Histogram<UInt64>] = [:]
        var all = Histogram<UInt64>(numberOfSignificantValueDigits: .three)
        /// The simulated time that the crowd has reached.
        var time: SimulatedTime?

        var answered: Int { requests.values.reduce(0, +) }
        var mistakes: Int { wrong.values.reduce(0, +) }
    }

    private let figures = Mutex(Figures())

    var now: Figures { figures.withLock { $0 } }

    func answered(_ kind: Request.Kind, after time: Duration) {
        let (seconds, attoseconds) = time.components
        let microseconds = UInt64(max(0, seconds * 1_000_000 + attoseconds / 1_000_000_000_000))
        figures.withLock { figures in
            figures.requests[kind, default: 0] += 1
            figures.latencies[kind, default: Histogram(numberOfSignificantValueDigits: .three)].record(microseconds)
            // Histories are read as fast as possible after the crowd has finished.
            if kind != .histories { figures.all.record(microseconds) }
        }
    }

    func judged(_ verdicts: [String]) {
        figures.withLock { figures in for verdict in verdicts { figures.verdicts[verdict, default: 0] += 1 } }
    }

    /// Counts a check and its fault, if any.
    func check(_ check: Check, _ fault: String?, _ message: Message) {
        figures.withLock { figures in
            figures.checked[check, default: 0] += 1
            guard let fault else { return }
            figures.wrong[check, default: 0] += 1
            let text = "\(check.rawValue): \(message.method) \(message.path) \(message.body ?? ""): \(fault)"
            if figures.faults.count < Self.mostReported { figures.faults.append(text) }
        }
    }

    func skip(_ check: Check) { figures.withLock { $0.skipped[check, default: 0] += 1 } }

    func fail(_ failure: any Error) {
        figures.withLock { figures in
            figures.failures += 1
            if figures.reported.count < Self.mostReported { figures.reported.append("\(failure)") }
        }
    }

    func move(to time: SimulatedTime) { figures.withLock { $0.time = max($0.time ?? time, time) } }
}
