internal import Synchronization

/// Work that is done in one go, while others wait: in one reading of the picture, or in one turn of the writer.
///
/// It is counted in steps, which do not depend on how busy or how fast a machine is. A step is about 100 ns on a slow
/// machine: looking at an entity that a filter refuses, or at ten edges of a polygon. Whoever walks over something
/// counts how much of it, once for a stretch rather than for each item.
///
/// What is counted belongs to whoever wants to know: to the ``Tally`` of a request, so that its caller pays for it, to the
/// ``Gauge`` that tests attach, or to who stops at a number of steps.
package enum Effort {
    /// Steps of one reading: 5 ms.
    package static let reading = 50_000
    /// Steps after which a part of a search ends: what was begun then may take as many again.
    package static let part = 20_000
    /// Steps of one turn of the writer: 10 ms.
    package static let turn = 100_000

    /// Counts steps into what is going on.
    ///
    /// - Complexity: O(1).
    package static func count(_ steps: Int) { Tally.current?.add(steps, to: .both) }

    /// Counts steps for bytes that come in pieces: as many, however the bytes are cut.
    ///
    /// - Parameters:
    ///   - bytes: the piece, by its place in the whole.
    ///   - size: the bytes of a step.
    /// - Complexity: O(1).
    package static func count(bytes: Range<Int>, ofStep size: Int) {
        count(bytes.upperBound / size - bytes.lowerBound / size)
    }

    /// Charges the caller for steps that are not counted as work here.
    ///
    /// - Complexity: O(1).
    package static func charge(_ steps: Int) { Tally.current?.add(steps, to: .charge) }

    /// Does work that the caller is not charged for: how much it is depends on data that the caller is not shown.
    ///
    /// What a caller is charged shows in the limits left. So the caller pays a price that follows from their own data and from
    /// what they are shown (``charge(_:)``). The budgets of readings and turns count all of the work.
    ///
    /// - Returns: What `body` returns.
    package static func uncharged<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let tally = Tally.uncharged() else { return try body() }
        return try tally.measure(body)
    }

    /// Does such work that waits for something.
    ///
    /// - Returns: What `body` returns.
    package static func unchargedTask<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        guard let tally = Tally.uncharged() else { return try await body() }
        return try await Tally.$current.withValue(tally, operation: body)
    }

    /// Counts what `body` does.
    ///
    /// - Returns: What `body` returns, and how many steps that took.
    package static func measure<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> (result: Result, steps: Int) {
        let tally = Tally(within: Tally.current)
        return (try tally.measure(body), tally.total)
    }
}

/// The steps of something that is counted as a whole: a request, a reading, a turn.
package final class Tally: Sendable {
    /// What steps are: work that others wait for, a charge to the caller, or both.
    enum Kind: Sendable {
        case both, work, charge
    }

    /// What is counted into now.
    @TaskLocal package static var current: Tally?

    private let steps = Atomic<Int>(0)
    /// That of which this one is a part.
    private let whole: Tally?
    /// Whether it counts what a caller is charged, rather than work.
    private let isBill: Bool
    /// Whether what is counted into it is not charged.
    private let isUncharged: Bool

    private init(within whole: Tally?, isBill: Bool, isUncharged: Bool) {
        (self.whole, self.isBill, self.isUncharged) = (whole, isBill, isUncharged)
    }

    /// One that has counted nothing yet; what it will count is a part of another.
    package convenience init(within whole: Tally? = nil) { self.init(within: whole, isBill: false, isUncharged: false) }

    /// One that will count what a caller is charged.
    package static func bill() -> Tally { Tally(within: nil, isBill: true, isUncharged: false) }

    /// One for work that is part of what is going on and is not charged; nil where nothing is counted.
    package static func uncharged() -> Tally? {
        current.map { Tally(within: $0, isBill: false, isUncharged: true) }
    }

    func add(_ count: Int, to kind: Kind) {
        if kind != (isBill ? .work : .charge) { steps.add(count, ordering: .relaxed) }
        whole?.add(count, to: isUncharged && kind == .both ? .work : kind)
    }

    func measure<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        let result = Self.$current.withValue(self) { () -> Swift.Result<Result, Failure> in
            do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// The steps until now.
    package var total: Int { steps.load(ordering: .relaxed) }
}

/// Remembers the longest of what was done in one go.
package final class Gauge: Sendable {
    /// What is done while others wait.
    package enum Kind: Sendable {
        /// A reading of the picture, for which a commit waits.
        case reading
        /// A turn of the writer, for which all other writes wait.
        case turn
        /// What the caller of a request is charged.
        case bill
    }

    private let reading = Atomic<Int>(0)
    private let turn = Atomic<Int>(0)
    private let bill = Atomic<Int>(0)

    /// One that has measured nothing yet.
    package init() {}

    /// The steps of the longest since the gauge was last set back; 0 for none.
    package func longest(_ kind: Kind) -> Int {
        switch kind {
        case .reading: reading.load(ordering: .relaxed)
        case .turn: turn.load(ordering: .relaxed)
        case .bill: bill.load(ordering: .relaxed)
        }
    }

    /// Forgets what was measured.
    package func setBack() {
        reading.store(0, ordering: .relaxed)
        turn.store(0, ordering: .relaxed)
        bill.store(0, ordering: .relaxed)
    }

    /// Notes the steps of something.
    ///
    /// Writes only what is longer, which is seldom: so those who read at the same time do not wait for each other.
    package func note(_ steps: Int, _ kind: Kind) {
        guard steps > longest(kind) else { return }
        switch kind {
        case .reading: reading.max(steps, ordering: .relaxed)
        case .turn: turn.max(steps, ordering: .relaxed)
        case .bill: bill.max(steps, ordering: .relaxed)
        }
    }

    /// Counts what `body` does.
    ///
    /// - Returns: What `body` returns.
    package func measure<Result, Failure: Error>(
        _ kind: Kind, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let tally = Tally(within: Tally.current)
        defer { note(tally.total, kind) }
        return try tally.measure(body)
    }
}
