internal import Dispatch
internal import Glibc

/// Threads for what takes long: large bodies, searches of many parts, answers that are made while they are sent.
///
/// Tasks have as many threads as the machine has cores, and each keeps its thread until it waits for something. So two who read a
/// megabyte each would keep all others from being answered. What runs aside has threads of its own, between which the machine
/// switches; others that have something to do go first.
package enum Aside {
    private final class Threads: TaskExecutor {
        private let queue = DispatchQueue.global(qos: .utility)
        /// As `nice` counts.
        private let niceness: Int32 = 5

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { [self] in
                // Of this thread, and nothing that fails: each may be made nicer.
                setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
                job.runSynchronously(on: asUnownedTaskExecutor())
            }
        }
    }

    private static let threads = Threads()

    /// Does something aside.
    ///
    /// - Returns: What `body` returns.
    package static func run<Result, Failure: Error>(
        _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await withTaskExecutorPreference(threads, operation: body)
    }
}
