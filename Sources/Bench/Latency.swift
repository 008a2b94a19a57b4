internal import Histogram

/// A histogram of durations.
struct Latency: Sendable {
    /// Nanoseconds.
    private var times = Histogram<UInt64>(numberOfSignificantValueDigits: .three)

    var count: Int { Int(times.totalCount) }

    mutating func record(_ time: Duration) { times.record(UInt64(max(0, time.seconds * 1e9))) }

    /// Measures and records the duration of `body`.
    mutating func measure<Result>(_ body: () throws -> Result) rethrows -> Result {
        let start = ContinuousClock.now
        let result = try body()
        record(.now - start)
        return result
    }

    mutating func add(_ other: Latency) { times.add(other.times) }

    /// A percentile in milliseconds.
    func milliseconds(_ percentile: Double, digits: Int = 3) -> String {
        short(Double(times.valueAtPercentile(percentile)) / 1e6, digits)
    }

    /// A percentile in microseconds.
    func microseconds(_ percentile: Double) -> String { short(Double(times.valueAtPercentile(percentile)) / 1e3, 1) }
}
