internal import Glibc
internal import Synchronization

/// A left-right lock: two copies of a value, one read wait-free by any number of threads, one prepared by a single
/// writer.
///
/// The writer changes the draft, publishes it with one store, waits until the old copy has no readers and applies the
/// changes to that copy. A read costs two atomic additions on a cache line that its processor mostly has for itself.
///
/// Source: P. Ramalhete and A. Correia, "Left-Right: A Concurrency Control Technique with Wait-Free Population
/// Oblivious Reads", 2015, https://hal.science/hal-01207881.
public final class LeftRight<Value: ~Copyable & Sendable>: @unchecked Sendable {  // the protocol keeps the copies apart
    /// A counter of readers, padded to two cache lines (neighboring lines are fetched in pairs).
    private struct Counter: ~Copyable {
        let readers = Atomic<Int>(0)
        private let padding = InlineArray<15, Int>(repeating: 0)
    }

    private static var stripes: Int { 64 }

    /// The counter of this thread, rarely shared with another: a hash of the thread's address.
    private static var stripe: Int { Int((UInt(pthread_self()) &* 0x9e37_79b9_7f4a_7c15) >> 58) }

    private let copies: UnsafeMutablePointer<Value>
    private let counters: UnsafeMutablePointer<Counter>
    /// The index of the copy that is read.
    private let published = Atomic<Int>(0)
    /// The set of counters that arriving readers use.
    private let epoch = Atomic<Int>(0)
    private let writer = Mutex(())

    /// - Parameters:
    ///   - value: the initial value.
    ///   - twin: an equal value; the two share no mutable state.
    public init(_ value: consuming Value, twin: consuming Value) {
        copies = .allocate(capacity: 2)
        copies.initialize(to: value)
        (copies + 1).initialize(to: twin)
        counters = .allocate(capacity: 2 * Self.stripes)
        for stripe in 0..<2 * Self.stripes { (counters + stripe).initialize(to: Counter()) }
    }

    deinit {
        copies.deinitialize(count: 2)
        copies.deallocate()
        counters.deinitialize(count: 2 * Self.stripes)
        counters.deallocate()
    }

    /// Reads the published copy, which does not change during the call.
    ///
    /// - Returns: the result of `body`.
    public func read<Result: ~Copyable, Failure: Error>(
        _ body: (borrowing Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let counter = counters + epoch.load(ordering: .sequentiallyConsistent) * Self.stripes + Self.stripe
        counter.pointee.readers.add(1, ordering: .sequentiallyConsistent)
        defer { counter.pointee.readers.subtract(1, ordering: .releasing) }
        return try body(copies[published.load(ordering: .sequentiallyConsistent)])
    }

    /// Changes the draft.
    ///
    /// The changes are invisible until ``publish(catchUp:)``.
    ///
    /// - Returns: the result of `body`.
    public func draft<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try writer.withLock { _ throws(Failure) in
            try body(&copies[1 - published.load(ordering: .relaxed)])
        }
    }

    /// Publishes the draft to readers, then applies the same changes to the other copy.
    ///
    /// - Parameter catchUp: applies the changes made to the draft since it was last published.
    /// - Returns: how long it waited for readers.
    @discardableResult
    public func publish(catchUp: (inout Value) -> Void) -> Duration { publish(onWait: {}, catchUp: catchUp) }

    /// Publishes the draft; for tests, `onWait` is called before each wait for readers.
    ///
    /// The tests have a model of these steps and of the steps of ``read(_:)``, with equal names and order.
    @discardableResult
    package func publish(onWait: () -> Void, catchUp: (inout Value) -> Void) -> Duration {
        writer.withLock { _ in
            let old = published.load(ordering: .relaxed)
            let start = ContinuousClock.now
            published.store(1 - old, ordering: .sequentiallyConsistent)
            let before = epoch.load(ordering: .relaxed)
            // Late readers, which took the epoch before last for the current one when the writer was last here.
            waitForReaders(1 - before, onWait)
            epoch.store(1 - before, ordering: .sequentiallyConsistent)
            waitForReaders(before, onWait)
            let waited = .now - start
            catchUp(&copies[old])
            return waited
        }
    }

    /// Discards the draft and replaces it by a copy of the published value.
    public func discardDraft(copy: (borrowing Value) -> Value) {
        writer.withLock { _ in
            let current = published.load(ordering: .relaxed)
            copies[1 - current] = copy(copies[current])
        }
    }

    private func waitForReaders(_ set: Int, _ onWait: () -> Void) {
        var turns = 0
        for stripe in 0..<Self.stripes {
            while (counters + set * Self.stripes + stripe).pointee.readers.load(ordering: .sequentiallyConsistent) != 0
            {
                if turns == 0 { onWait() }
                turns += 1
                if turns > 100 { sched_yield() }
            }
        }
    }
}
