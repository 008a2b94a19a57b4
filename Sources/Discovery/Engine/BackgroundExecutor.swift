internal import Dispatch
internal import Glibc

/// Threads for long work: large bodies, searches of many parts, streamed answers.
///
/// Swift's cooperative pool has one thread per core, and a task keeps its thread until it suspends. So two requests
/// that each parse a megabyte would block all others. Work that runs here has threads of its own, which the kernel
/// preempts in favor of the pool.
package enum BackgroundExecutor {
    private final class Threads: TaskExecutor {
        private let queue = DispatchQueue.global(qos: .utility)
        /// The nice value.
        private let niceness: Int32 = 5

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { [self] in
                // Only this thread; lowering its own priority cannot fail.
                setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
                job.runSynchronously(on: asUnownedTaskExecutor())
            }
        }
    }

    private static let threads = Threads()

    /// Runs `body` on the background threads.
    ///
    /// - Returns: the result of `body`.
    package static func run<Result, Failure: Error>(
        _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await withTaskExecutorPreference(threads, operation: body)
    }
}
