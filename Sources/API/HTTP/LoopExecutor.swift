internal import NIOCore

/// Runs tasks on the thread of an event loop: a request is answered where it was read, without a hop to another thread.
///
/// What takes long has threads of its own (`Aside`), for nobody else on the loop is answered meanwhile.
final class LoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    init(_ loop: any EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
