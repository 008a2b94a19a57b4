internal import DequeModule
package import NIOCore
internal import Synchronization

/// Runs the tasks of a connection on the thread of its event loop: a request is answered where it was read, without a hop to another thread.
///
/// What takes long has threads of its own (`Aside`), for nobody else on the loop is answered meanwhile.
package final class LoopExecutor: TaskExecutor {
    /// That of the connection whose request is answered.
    @TaskLocal static var current: LoopExecutor?

    private let jobs: LoopJobs
    /// Whether the connection's tasks go before those of others: until it is known what it asks for, and while that is vital.
    private let isUrgent = Atomic(true)
    /// When the head of its request was read, in nanoseconds of the machine's uptime.
    private let arrival = Atomic(UInt64(0))

    /// Runs tasks of one connection, in turn with those of others.
    package init(_ jobs: LoopJobs) { self.jobs = jobs }

    /// Takes note that the connection's next request was read.
    package func begin(isVital: Bool) {
        isUrgent.store(isVital, ordering: .relaxed)
        arrival.store(NIODeadline.now().uptimeNanoseconds, ordering: .relaxed)
    }

    /// Whether more requests wait for the loop than are answered in time.
    var isCrowded: Bool { jobs.isCrowded }

    /// Whether the request may be answered at once: while little else waits, and what is vital always.
    var mayBegin: Bool { isUrgent.load(ordering: .relaxed) || jobs.mayBegin }

    /// The time since the head of the request was read; zero before the first.
    var waited: Duration {
        let since = NIODeadline.uptimeNanoseconds(arrival.load(ordering: .relaxed))
        return since.uptimeNanoseconds == 0 ? .zero : .nanoseconds((NIODeadline.now() - since).nanoseconds)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        jobs.add(UnownedJob(job), of: self, isUrgent: isUrgent.load(ordering: .relaxed))
    }
}

/// What the connections of an event loop have to do.
///
/// A loop looks at its sockets only when it has nothing to do. So it does this for a while only, lest what is vital waits unread.
package final class LoopJobs: Sendable {
    private typealias Job = (job: UnownedJob, executor: LoopExecutor, since: NIODeadline, number: UInt64)

    private struct State {
        var urgent: Deque<Job> = []
        var usual: Deque<Job> = []
        /// How many jobs were ever added.
        var count: UInt64 = 0
        /// Whether the loop will come to them.
        var isScheduled = false
        /// Since when requests are answered as soon as they are read; nil since the loop looked at its sockets.
        var begun: NIODeadline?

        mutating func next(through last: UInt64) -> Job? {
            if let first = urgent.first, first.number <= last { return urgent.popFirst() }
            if let first = usual.first, first.number <= last { return usual.popFirst() }
            return nil
        }
    }

    /// How long jobs are done until sockets are looked at.
    private static let slice = TimeAmount.milliseconds(2)
    /// What is scheduled for now is done before sockets are looked at.
    private static let glance = TimeAmount.microseconds(20)

    private let loop: any EventLoop
    private let most: Int
    private let patience: TimeAmount
    private let state = Mutex(State())

    /// Nothing to do yet on a loop, for which so many jobs may wait, and the first of them for so long.
    package init(_ loop: any EventLoop, most: Int, patience: Duration) {
        self.loop = loop
        self.most = most
        self.patience = TimeAmount(patience)
    }

    /// Whether as many wait as may, or the first for longer than it may.
    package var isCrowded: Bool {
        let (count, first) = state.withLock { ($0.usual.count, $0.usual.first?.since) }
        return count >= most || first.map { NIODeadline.now() - $0 > patience } ?? false
    }

    /// Whether a request may be answered before the loop reads the next one: for no longer than a slice, and not before jobs.
    var mayBegin: Bool {
        let now = NIODeadline.now()
        let (may, isFirst) = state.withLock { state in
            guard state.urgent.isEmpty, state.usual.isEmpty else { return (false, false) }
            guard let begun = state.begun else {
                state.begun = now
                return (true, true)
            }
            return (now - begun < Self.slice, false)
        }
        // The loop comes to this when it has read all sockets.
        if isFirst { loop.execute { self.state.withLock { $0.begun = nil } } }
        return may
    }

    /// Does a job after those that are there, but an urgent one before all that are not.
    func add(_ job: UnownedJob, of executor: LoopExecutor, isUrgent: Bool) {
        let last = state.withLock { state -> UInt64? in
            state.count += 1
            let job = (job, executor, NIODeadline.now(), state.count)
            if isUrgent { state.urgent.append(job) } else { state.usual.append(job) }
            defer { state.isScheduled = true }
            return state.isScheduled ? nil : state.count
        }
        if let last { loop.execute { self.run(through: last, until: .now() + Self.slice) } }
    }

    /// Does jobs up to one that was there when this was given to the loop.
    ///
    /// What another thread gave the loop before it added a job comes before the job: it may be bytes that the job's own follow.
    private func run(through last: UInt64, until end: NIODeadline) {
        while let (job, executor, _, _) = state.withLock({ $0.next(through: last) }) {
            job.runSynchronously(on: executor.asUnownedTaskExecutor())
            if NIODeadline.now() >= end {
                loop.scheduleTask(in: Self.glance) { self.goOn(until: .now() + Self.slice) }
                return
            }
        }
        goOn(until: end)
    }

    /// Lets the loop come to what is there now.
    private func goOn(until end: NIODeadline) {
        let last = state.withLock { state -> UInt64? in
            state.isScheduled = !state.urgent.isEmpty || !state.usual.isEmpty
            return state.isScheduled ? state.count : nil
        }
        if let last { loop.execute { self.run(through: last, until: end) } }
    }
}

/// The jobs of all event loops.
final class AllLoopJobs: Sendable {
    private let known = Mutex<[ObjectIdentifier: LoopJobs]>([:])
    private let most: Int
    private let patience: Duration

    /// For each loop so many may wait, for so long.
    init(most: Int, patience: Duration) { (self.most, self.patience) = (most, patience) }

    /// Those of a loop.
    subscript(loop: any EventLoop) -> LoopJobs {
        known.withLock { known in
            if let jobs = known[ObjectIdentifier(loop)] { return jobs }
            let jobs = LoopJobs(loop, most: most, patience: patience)
            known[ObjectIdentifier(loop)] = jobs
            return jobs
        }
    }
}
