internal import Histogram

/// How long something took each time.
struct Latency: Sendable {
    /// In nanoseconds.
    private var times = Histogram<UInt64>(numberOfSignificantValueDigits: .three)

    var count: Int { Int(times.totalCount) }

    mutating func record(_ time: Duration) { times.record(UInt64(max(0, time.seconds * 1e9))) }

    /// Does something and records how long it took.
    mutating func measure<Result>(_ body: () throws -> Result) rethrows -> Result {
        let start = ContinuousClock.now
        let result = try body()
        record(.now - start)
        return result
    }

    mutating func add(_ other: Latency) { times.add(other.times) }

    /// The time that so many percent took no longer than.
    func milliseconds(_ percentile: Double, digits: Int = 3) -> String {
        short(Double(times.valueAtPercentile(percentile)) / 1e6, digits)
    }

    /// The same in millionths of a second.
    func microseconds(_ percentile: Double) -> String { short(Double(times.valueAtPercentile(percentile)) / 1e3, 1) }
}
