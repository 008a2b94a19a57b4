internal import Dispatch
internal import Glibc
internal import Synchronization

/// A thread pool for blocking calls, such as the system's name resolution.
///
/// Swift's tasks and all queues of libdispatch share a pool of about as many threads as the machine has cores. A call
/// that blocks one of these for long delays every task of the process. The threads here are separate. They start when a
/// call finds no idle one, and end after ten idle seconds. The process does not wait for them when it exits.
public final class BlockingThreads: Sendable {
    private typealias Work = @Sendable () -> Void

    private struct State {
        /// Threads that have started and not ended.
        var count = 0
        /// Threads that wait for work and have none assigned.
        var idle = 0
        /// Work of idle threads that are being woken.
        var assigned: [Work] = []
    }

    /// The argument of a thread.
    private final class Start: Sendable {
        let threads: BlockingThreads
        let work: Work

        init(_ threads: BlockingThreads, _ work: @escaping Work) { (self.threads, self.work) = (threads, work) }
    }

    private static let idleTimeout = DispatchTimeInterval.seconds(10)

    private let most: Int
    private let state = Mutex(State())
    private let wakes = DispatchSemaphore(value: 0)

    /// - Parameter most: the maximum number of threads.
    public init(most: Int) { self.most = most }

    /// The current number of threads.
    public var count: Int { state.withLock { $0.count } }

    /// Runs a call that may block.
    ///
    /// - Returns: false, without running it, if all threads are busy or the system does not create another one.
    public func run(_ work: @escaping @Sendable () -> Void) -> Bool {
        let isAssigned = state.withLock { state -> Bool? in
            if state.idle > 0 {
                state.idle -= 1
                state.assigned.append(work)
                return true
            }
            guard state.count < most else { return nil }
            state.count += 1
            return false
        }
        switch isAssigned {
        case nil: return false
        case true?:
            wakes.signal()
            return true
        case false?: return start(work)
        }
    }

    private func start(_ work: @escaping Work) -> Bool {
        let argument = Unmanaged.passRetained(Start(self, work))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
                start.work()
                start.threads.work()
                return nil
            }, argument.toOpaque())
        guard code == 0 else {
            argument.release()
            state.withLock { $0.count -= 1 }
            return false
        }
        pthread_detach(thread)
        return true
    }

    /// Runs assigned work until there is none for a while.
    private func work() {
        state.withLock { $0.idle += 1 }
        while true {
            let isWoken = wakes.wait(timeout: .now() + Self.idleTimeout) == .success
            let (work, isOver) = state.withLock { state -> (Work?, Bool) in
                if let work = state.assigned.popLast() { return (work, false) }
                // Another thread may have taken the work before this one woke.
                guard !isWoken else { return (nil, false) }
                state.idle -= 1
                state.count -= 1
                return (nil, true)
            }
            if isOver { return }
            guard let work else { continue }
            work()
            state.withLock { $0.idle += 1 }
        }
    }
}
