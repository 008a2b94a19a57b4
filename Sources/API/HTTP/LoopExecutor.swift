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
    private typealias Job = (job: UnownedJob, executor: LoopExecutor, since: NIODeadline)

    private struct State {
        var urgent: Deque<Job> = []
        var usual: Deque<Job> = []
        /// Whether the loop will come to them.
        var isScheduled = false

        mutating func next() -> Job? {
            let next = urgent.popFirst() ?? usual.popFirst()
            if next == nil { isScheduled = false }
            return next
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

    /// Does a job after those that are there, but an urgent one before all that are not.
    func add(_ job: UnownedJob, of executor: LoopExecutor, isUrgent: Bool) {
        let job = (job, executor, NIODeadline.now())
        let isFirst = state.withLock { state in
            if isUrgent { state.urgent.append(job) } else { state.usual.append(job) }
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if isFirst { loop.execute { self.run() } }
    }

    private func run() {
        let end = NIODeadline.now() + Self.slice
        while let (job, executor, _) = state.withLock({ $0.next() }) {
            job.runSynchronously(on: executor.asUnownedTaskExecutor())
            if NIODeadline.now() >= end {
                loop.scheduleTask(in: Self.glance) { self.run() }
                return
            }
        }
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
