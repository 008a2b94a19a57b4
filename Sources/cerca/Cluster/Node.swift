#if Cluster
    internal import Cluster
    internal import Discovery
    internal import Foundation
    internal import Logging
    internal import Model
    internal import ServiceLifecycle

    /// The replicated log as the engine writes it.
    struct NodeLog: ActionLog {
        /// How long writing a message is retried, which is less than the servers' deduplication window.
        private static let timeout = Duration.seconds(40)

        let log: CommandLog

        var identity: String { log.identity }
        var longest: Int { CommandLog.longest }

        func publish(_ message: [UInt8], named name: String) async throws {
            let end = ContinuousClock.now + Self.timeout
            while true {
                do throws(LogError) {
                    _ = try await log.publish(message, named: name)
                    return
                } catch {
                    guard error.mayPass, .now < end else { throw error }
                }
            }
        }
    }

    extension LogError {
        /// Whether a retry may succeed.
        var mayPass: Bool {
            switch self {
            case .unreachable, .unanswered: true
            default: false
            }
        }
    }

    /// Follows the log while the service runs, and afterwards until all waiting requests are answered.
    struct Follower: Service {
        private static let pause = Duration.seconds(1)

        let engine: Engine
        let log: CommandLog
        let agreement: Agreement
        let logger: Logger

        func run() async throws {
            try await cancelWhenGracefulShutdown {
                try await withThrowingDiscardingTaskGroup { group in
                    try await follow(comparing: &group)
                    group.cancelAll()
                }
            }
        }

        private func follow(comparing group: inout ThrowingDiscardingTaskGroup<any Error>) async throws {
            var reader = LogReader(log, from: (engine.logProgress?.number ?? 0) + 1)
            var (isAway, reported) = (false, Reported())
            while !Task.isCancelled {
                do {
                    let messages = try await reader.read(within: Self.pause)
                    if isAway { logger.notice("the log answers again") }
                    isAway = false
                    try await agreed()
                    if let checkpoint = try await engine.follow(messages.map(LogMessage.init), at: Clock.now()) {
                        group.addTask { await compare(checkpoint) }
                    }
                    report(engine.logProgress, &reported)
                } catch let error as LogError where error.mayPass {
                    guard !Task.isCancelled else { return }
                    if !isAway { logger.error("the log does not answer", metadata: ["error": "\(error)"]) }
                    isAway = true
                    try? await Task.sleep(for: Self.pause)
                } catch {
                    guard !Task.isCancelled else { return }
                    try await end(error)
                }
            }
        }

        /// Stops following; a copy with the entries that the log has dropped is fetched from another node at the next
        /// start.
        private func end(_ error: any Error) async throws {
            engine.endFollowing("\(error)")
            let after = "\(engine.logProgress?.number ?? 0)"
            if case LogError.dropped(let first) = error {
                throw Exit.failing(
                    "the log begins at \(first), and this node is at \(after): when it starts again it fetches a copy",
                    Exit.unavailable)
            }
            logger.critical(
                "this node has stopped following the log: answers do not include new changes",
                metadata: ["after": "\(after)", "error": "\(error)"])
            try? await gracefulShutdown()
        }

        /// Sends this node's result to the other nodes.
        private func compare(_ checkpoint: Engine.Checkpoint) async {
            do { try await engine.compare(checkpoint) } catch {
                guard !Task.isCancelled else { return }
                logger.error("this node cannot send its result to the others", metadata: ["error": "\(error)"])
            }
        }

        /// Waits until other nodes are known to have the same rules, without losing the entries that were read.
        private func agreed() async throws {
            while true {
                do { return try await agreement.holds() } catch let error as LogError where error.mayPass {
                    try await Task.sleep(for: Self.pause)
                }
            }
        }
    }

    /// Sends heartbeats through the log, which show that it works and that this node follows it.
    struct Heartbeat: Service {
        private static let pause = Duration.seconds(1)

        let engine: Engine

        func run() async throws {
            await cancelWhenGracefulShutdown {
                while !Task.isCancelled {
                    // ``Follower`` reports a log that does not answer.
                    try? await engine.heartbeat()
                    try? await Task.sleep(for: Self.pause)
                }
            }
        }
    }

    extension Follower {
        /// The last reported state.
        fileprivate struct Reported {
            var isOff = false
            var difference: String?
        }

        /// Logs when this machine's clock begins or ceases to differ from the log's, and when other nodes' results
        /// differ.
        fileprivate func report(_ progress: LogProgress?, _ reported: inout Reported) {
            let lead = progress?.lead
            if let lead, !reported.isOff {
                logger.error(
                    "the clock of this machine or of a server of the log is wrong; the log's clock is used",
                    metadata: ["ahead_s": "\(Int(lead.seconds))"])
            }
            if lead == nil, reported.isOff { logger.notice("the clocks of this machine and of the log agree again") }
            reported.isOff = lead != nil
            if let difference = progress?.difference, difference != reported.difference {
                logger.critical("another node has another result", metadata: ["differs": "\(difference)"])
            }
            reported.difference = progress?.difference
        }
    }

    extension LogMessage {
        fileprivate init(_ message: StreamMessage) {
            self.init(message.position, message.bytes, at: Timestamp(milliseconds: message.time / 1_000_000))
        }
    }

    /// Ensures that exactly one node runs the maintenance of the cluster.
    struct Upkeep: Service {
        private static let pause = Duration.seconds(1)

        let engine: Engine
        let log: CommandLog
        /// The node's name in the lease.
        let name = UUID().uuidString
        let logger: Logger

        func run() async throws {
            await cancelWhenGracefulShutdown {
                var lease: Lease?
                while !Task.isCancelled {
                    do {
                        let held = lease
                        // A node that no longer follows the log must not run maintenance.
                        let isStuck = engine.logProgress?.fault != nil
                        if isStuck, let held { try await log.end(held) }
                        lease =
                            if isStuck { nil } else if let held { try await log.renew(held) } else {
                                try await log.takeLease("upkeep", as: name)
                            }
                        if held == nil, lease != nil { logger.info("this node runs the maintenance of the cluster") }
                        if held != nil, lease == nil {
                            logger.warning("this node no longer runs the maintenance of the cluster")
                        }
                    } catch {
                        if let end = lease?.end, end <= .now { lease = nil }
                    }
                    engine.hold(lease?.revision, until: lease?.end)
                    try? await Task.sleep(for: Self.pause)
                }
                engine.hold(nil, until: nil)
                if let lease { try? await log.end(lease) }
            }
        }
    }
#endif
