internal import Synchronization

/// A budget for work that makes others wait: one read of the live state, or one turn of the writer.
///
/// Work is counted in steps, which do not depend on the load or speed of a machine. A step is about 100 ns on a slow
/// machine: checking an entity that a filter rejects, or ten edges of a polygon. Code that iterates over data counts
/// the work once for each batch rather than for each item.
///
/// Steps are added to the ``WorkCounter`` of a request, which charges the caller, and to the ``WorkMonitor`` that tests attach.
/// Code that stops at a number of steps counts them itself.
package enum WorkBudget {
    /// The budget of one read, in steps: 5 ms.
    package static let stepsPerRead = 50_000
    /// Steps after which a part of a search ends; work that was started before may take the same number again.
    package static let stepsPerChunk = 20_000
    /// The budget of one turn of the writer, in steps: 10 ms.
    package static let stepsPerTurn = 100_000

    /// Adds steps to the current counter.
    ///
    /// - Complexity: O(1).
    package static func count(_ steps: Int) { WorkCounter.current?.add(steps, to: .both) }

    /// Counts steps for bytes that arrive in pieces; the total does not depend on how the bytes are divided.
    ///
    /// - Parameters:
    ///   - bytes: the range of the piece within the whole.
    ///   - size: bytes per step.
    /// - Complexity: O(1).
    package static func count(bytes: Range<Int>, ofStep size: Int) {
        count(bytes.upperBound / size - bytes.lowerBound / size)
    }

    /// Charges the caller for steps that are not counted as work here.
    ///
    /// - Complexity: O(1).
    package static func charge(_ steps: Int) { WorkCounter.current?.add(steps, to: .charge) }

    /// Performs work without charging the caller, because its amount depends on data hidden from the caller.
    ///
    /// The charge is visible in the remaining rate limit. So the caller pays a price that follows from their own data
    /// and from the visible result (``charge(_:)``). The budgets of reads and turns still count all of the work.
    ///
    /// - Returns: the result of `body`.
    package static func uncharged<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let counter = WorkCounter.uncharged() else { return try body() }
        return try counter.measure(body)
    }

    /// Performs asynchronous work without charging the caller.
    ///
    /// - Returns: the result of `body`.
    package static func unchargedTask<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        guard let counter = WorkCounter.uncharged() else { return try await body() }
        return try await WorkCounter.$current.withValue(counter, operation: body)
    }

    /// Measures the steps of `body`.
    ///
    /// - Returns: the result of `body` and the number of steps it took.
    package static func measure<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> (result: Result, steps: Int) {
        let counter = WorkCounter(within: WorkCounter.current)
        return (try counter.measure(body), counter.total)
    }
}

/// A counter of the steps of one unit: a request, a read, a turn.
package final class WorkCounter: Sendable {
    /// The kinds of steps: work that makes others wait, a charge to the caller, or both.
    enum Kind: Sendable {
        case both, work, charge
    }

    /// The counter of the current task.
    @TaskLocal package static var current: WorkCounter?

    private let steps = Atomic<Int>(0)
    /// The enclosing counter, which counts these steps too.
    private let whole: WorkCounter?
    /// Whether this counter counts charges to the caller rather than work.
    private let countsCharges: Bool
    /// Whether steps added here are not charged.
    private let isUncharged: Bool

    private init(within whole: WorkCounter?, countsCharges: Bool, isUncharged: Bool) {
        (self.whole, self.countsCharges, self.isUncharged) = (whole, countsCharges, isUncharged)
    }

    /// Creates a counter of zero steps; its steps also count in the enclosing counter.
    package convenience init(within whole: WorkCounter? = nil) {
        self.init(within: whole, countsCharges: false, isUncharged: false)
    }

    /// Creates a counter of charges to a caller.
    package static func charging() -> WorkCounter { WorkCounter(within: nil, countsCharges: true, isUncharged: false) }

    /// Creates a counter for uncharged work within the current one; nil if nothing is being counted.
    package static func uncharged() -> WorkCounter? {
        current.map { WorkCounter(within: $0, countsCharges: false, isUncharged: true) }
    }

    func add(_ count: Int, to kind: Kind) {
        if kind != (countsCharges ? .work : .charge) { steps.add(count, ordering: .relaxed) }
        whole?.add(count, to: isUncharged && kind == .both ? .work : kind)
    }

    func measure<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        let result = Self.$current.withValue(self) { () -> Swift.Result<Result, Failure> in
            do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// The number of steps so far.
    package var total: Int { steps.load(ordering: .relaxed) }
}

/// Records the maximum number of steps of each kind of work.
package final class WorkMonitor: Sendable {
    /// The kind of work measured.
    package enum Kind: Sendable {
        /// A read of the live state, for which a commit waits.
        case reading
        /// A turn of the writer, for which all other writes wait.
        case turn
        /// The charge to the caller of a request.
        case charge
    }

    private let reading = Atomic<Int>(0)
    private let turn = Atomic<Int>(0)
    private let charge = Atomic<Int>(0)

    /// Creates a work monitor without measurements.
    package init() {}

    /// The maximum number of steps since the last reset; 0 if there is none.
    package func longest(_ kind: Kind) -> Int {
        switch kind {
        case .reading: reading.load(ordering: .relaxed)
        case .turn: turn.load(ordering: .relaxed)
        case .charge: charge.load(ordering: .relaxed)
        }
    }

    /// Resets all maxima.
    package func reset() {
        reading.store(0, ordering: .relaxed)
        turn.store(0, ordering: .relaxed)
        charge.store(0, ordering: .relaxed)
    }

    /// Records the steps of one unit of work.
    ///
    /// Only a new maximum is written, which is rare, so concurrent readers do not contend.
    package func note(_ steps: Int, _ kind: Kind) {
        guard steps > longest(kind) else { return }
        switch kind {
        case .reading: reading.max(steps, ordering: .relaxed)
        case .turn: turn.max(steps, ordering: .relaxed)
        case .charge: charge.max(steps, ordering: .relaxed)
        }
    }

    /// Measures the steps of `body` and records them.
    ///
    /// - Returns: the result of `body`.
    package func measure<Result, Failure: Error>(
        _ kind: Kind, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let counter = WorkCounter(within: WorkCounter.current)
        defer { note(counter.total, kind) }
        return try counter.measure(body)
    }
}
