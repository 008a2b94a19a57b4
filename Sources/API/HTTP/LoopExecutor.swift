internal import DequeModule
package import NIOCore
internal import Synchronization

/// Runs the tasks of a connection on its event loop's thread, where its requests are read, without a hop to another.
///
/// Long work has threads of its own (`BackgroundExecutor`), because it would block the other connections of the loop.
package final class LoopExecutor: TaskExecutor {
    /// The executor of the connection whose request is answered.
    @TaskLocal static var current: LoopExecutor?

    private let jobs: LoopJobs
    /// Whether the connection's tasks run before others: until its request is known, and while that is vital.
    private let isUrgent = Atomic(true)
    /// When the head of its request was read, in nanoseconds of the machine's uptime.
    private let arrival = Atomic(UInt64(0))
    /// Whether the client closed its side some time ago, while its last request was answered.
    private let isAbandoned = Atomic(false)

    /// Creates the executor of one connection, which shares the loop with others.
    package init(_ jobs: LoopJobs) { self.jobs = jobs }

    /// Records that the connection's next request was read.
    package func begin(isVital: Bool) {
        isUrgent.store(isVital, ordering: .relaxed)
        arrival.store(NIODeadline.now().uptimeNanoseconds, ordering: .relaxed)
    }

    /// Records, after a delay, that the client has probably left; one that only ended its requests gets short answers.
    func abandon(after delay: Duration, on loop: any EventLoop) {
        loop.scheduleTask(in: TimeAmount(delay)) { self.isAbandoned.store(true, ordering: .relaxed) }
    }

    /// Whether the client still waits for the answer.
    var isAwaited: Bool { !isAbandoned.load(ordering: .relaxed) }

    /// Whether more requests wait for the loop than can be answered in time.
    var isCrowded: Bool { jobs.isCrowded }

    /// Whether the request may be answered at once: while little else waits, or always if it is vital.
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

/// The job queue of the connections of an event loop.
///
/// A loop polls its sockets only when it is idle. So jobs run in slices, lest vital requests wait unread.
package final class LoopJobs: Sendable {
    private typealias Job = (job: UnownedJob, executor: LoopExecutor, since: NIODeadline, number: UInt64)

    private struct State {
        var urgent: Deque<Job> = []
        var usual: Deque<Job> = []
        /// The number of jobs ever added.
        var count: UInt64 = 0
        /// Whether the loop is scheduled to run them.
        var isScheduled = false
        /// When requests began to be answered as soon as they are read; nil since the loop last polled its sockets.
        var begun: NIODeadline?

        mutating func next(through last: UInt64) -> Job? {
            if let first = urgent.first, first.number <= last { return urgent.popFirst() }
            if let first = usual.first, first.number <= last { return usual.popFirst() }
            return nil
        }
    }

    /// How long jobs run until sockets are polled.
    private static let slice = TimeAmount.milliseconds(2)
    /// The delay that makes the loop poll its sockets; a task scheduled for now would run before.
    private static let pollInterval = TimeAmount.microseconds(20)

    private let loop: any EventLoop
    private let maxJobs: Int
    private let maxWait: TimeAmount
    private let state = Mutex(State())

    /// Creates an empty queue; it is crowded when `maxJobs` jobs wait, or the first one longer than `maxWait`.
    package init(_ loop: any EventLoop, maxJobs: Int, maxWait: Duration) {
        self.loop = loop
        self.maxJobs = maxJobs
        self.maxWait = TimeAmount(maxWait)
    }

    /// Whether too many jobs wait, or the first has waited too long.
    package var isCrowded: Bool {
        let (count, first) = state.withLock { ($0.usual.count, $0.usual.first?.since) }
        return count >= maxJobs || first.map { NIODeadline.now() - $0 > maxWait } ?? false
    }

    /// Whether a request may be answered before the loop reads the next: only while no jobs wait, and for one slice.
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
        // The loop runs this after it has read all sockets.
        if isFirst { loop.execute { self.state.withLock { $0.begun = nil } } }
        return may
    }

    /// Adds a job at the end; urgent jobs run before all others.
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

    /// Runs the jobs up to the last one that was queued when this run was scheduled.
    ///
    /// Tasks that a thread gave the loop before it added a job run before the job, which may depend on them.
    private func run(through last: UInt64, until end: NIODeadline) {
        while let (job, executor, _, _) = state.withLock({ $0.next(through: last) }) {
            job.runSynchronously(on: executor.asUnownedTaskExecutor())
            if NIODeadline.now() >= end {
                loop.scheduleTask(in: Self.pollInterval) { self.goOn(until: .now() + Self.slice) }
                return
            }
        }
        goOn(until: end)
    }

    /// Schedules the jobs that are queued now.
    private func goOn(until end: NIODeadline) {
        let last = state.withLock { state -> UInt64? in
            state.isScheduled = !state.urgent.isEmpty || !state.usual.isEmpty
            return state.isScheduled ? state.count : nil
        }
        if let last { loop.execute { self.run(through: last, until: end) } }
    }
}

/// The job queues of all event loops.
final class AllLoopJobs: Sendable {
    private let known = Mutex<[ObjectIdentifier: LoopJobs]>([:])
    private let maxJobs: Int
    private let maxWait: Duration

    /// Creates the queues, with the limits of each loop.
    init(maxJobs: Int, maxWait: Duration) { (self.maxJobs, self.maxWait) = (maxJobs, maxWait) }

    subscript(loop: any EventLoop) -> LoopJobs {
        known.withLock { known in
            if let jobs = known[ObjectIdentifier(loop)] { return jobs }
            let jobs = LoopJobs(loop, maxJobs: maxJobs, maxWait: maxWait)
            known[ObjectIdentifier(loop)] = jobs
            return jobs
        }
    }
}
