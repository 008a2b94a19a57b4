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
    package static func count(_ steps: Int) { Tally.current?.add(steps) }

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
    /// What is counted into now.
    @TaskLocal package static var current: Tally?

    private let steps = Atomic<Int>(0)
    /// That of which this one is a part.
    private let whole: Tally?

    /// One that has counted nothing yet; what it will count is a part of another.
    package init(within whole: Tally? = nil) { self.whole = whole }

    func add(_ count: Int) {
        steps.add(count, ordering: .relaxed)
        whole?.add(count)
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
    }

    private let reading = Atomic<Int>(0)
    private let turn = Atomic<Int>(0)

    /// One that has measured nothing yet.
    package init() {}

    /// The steps of the longest since the gauge was last set back; 0 for none.
    package func longest(_ kind: Kind) -> Int {
        switch kind {
        case .reading: reading.load(ordering: .relaxed)
        case .turn: turn.load(ordering: .relaxed)
        }
    }

    /// Forgets what was measured.
    package func setBack() {
        reading.store(0, ordering: .relaxed)
        turn.store(0, ordering: .relaxed)
    }

    /// Writes only what is longer, which is seldom: so those who read at the same time do not wait for each other.
    private func note(_ steps: Int, _ kind: Kind) {
        guard steps > longest(kind) else { return }
        switch kind {
        case .reading: reading.max(steps, ordering: .relaxed)
        case .turn: turn.max(steps, ordering: .relaxed)
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
