package import CoreMetrics
internal import Synchronization

/// The values of a metric for one set of labels.
protocol Series: AnyObject, Sendable {
    /// Whether nothing has been counted.
    var isEmpty: Bool { get }
    /// Writes its lines; `labels` is the text between braces.
    func write(_ name: String, _ labels: String, to text: inout String)
}

extension String {
    /// Appends a line for a value with labels.
    fileprivate mutating func add(_ name: String, _ labels: String, _ value: some CustomStringConvertible) {
        self += labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
    }
}

final class Count: Series, CounterHandler {
    private let count = Atomic<Int64>(0)

    func increment(by amount: Int64) { count.add(amount, ordering: .relaxed) }
    func reset() { count.store(0, ordering: .relaxed) }

    var value: Int64 { count.load(ordering: .relaxed) }
    var isEmpty: Bool { value == 0 }

    func write(_ name: String, _ labels: String, to text: inout String) { text.add(name, labels, value) }
}

final class Level: Series, MeterHandler {
    private let bits = Atomic<UInt64>(0)

    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }

    func increment(by amount: Double) {
        var old = bits.load(ordering: .relaxed)
        while true {
            let new = (Double(bitPattern: old) + amount).bitPattern
            let swap = bits.weakCompareExchange(expected: old, desired: new, ordering: .relaxed)
            if swap.exchanged { return }
            old = swap.original
        }
    }

    func decrement(by amount: Double) { increment(by: -amount) }

    var isEmpty: Bool { false }

    func write(_ name: String, _ labels: String, to text: inout String) {
        let value = Double(bitPattern: bits.load(ordering: .relaxed))
        if let whole = Int64(exactly: value) { text.add(name, labels, whole) } else { text.add(name, labels, value) }
    }
}

final class Histogram: Series, TimerHandler, RecorderHandler {
    /// The bounds in the recorded unit, such as nanoseconds; the scale converts them to the reported unit, such as
    /// seconds.
    private let bounds: [Int64]
    private let reported: [Double]
    private let scale: Double
    /// A count for each bound, and one for values above all bounds.
    private let counts: [Count]
    private let sum = Count()

    init(bounds: [Double], scale: Double) {
        reported = bounds
        self.bounds = bounds.map { Int64($0 * scale) }
        self.scale = scale
        counts = (0...bounds.count).map { _ in Count() }
    }

    func recordNanoseconds(_ duration: Int64) { record(duration) }
    func record(_ value: Double) { record(Int64(value)) }

    func record(_ value: Int64) {
        counts[bounds.firstIndex { value <= $0 } ?? bounds.count].increment(by: 1)
        sum.increment(by: value)
    }

    var isEmpty: Bool { counts.allSatisfy(\.isEmpty) }

    /// The total is the sum of the buckets, so that the two agree during concurrent recordings.
    func write(_ name: String, _ labels: String, to text: inout String) {
        let comma = labels.isEmpty ? "" : ","
        var total: Int64 = 0
        for (count, bound) in zip(counts, reported.map { "\($0)" } + ["+Inf"]) {
            total += count.value
            text.add("\(name)_bucket", "\(labels)\(comma)le=\"\(bound)\"", total)
        }
        text.add("\(name)_sum", labels, Double(sum.value) / scale)
        text.add("\(name)_count", labels, total)
    }
}

extension CoreMetrics.Timer {
    /// Records a duration.
    package func record(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        recordNanoseconds(seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000)
    }
}
