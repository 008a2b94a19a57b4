#if Cluster
    internal import Cluster
    internal import Discovery
    internal import ServiceLifecycle
    internal import Synchronization

    /// Checks that all nodes have the same rules, because others would compute different results.
    final class Agreement: Service {
        private static let pause = Duration.seconds(1)

        private let log: CommandLog
        private let words: String
        /// Until when, on this machine's monotonic clock, other nodes cannot have agreed on other rules.
        private let end = Mutex(ContinuousClock.now)

        init(on rules: PingRules, _ log: CommandLog) {
            self.log = log
            words = Mirror(reflecting: rules).children.map { "\($0.label ?? ""): \($0.value)" }.joined(separator: "\n")
        }

        /// Returns when no other node has other rules, immediately if that was checked recently.
        ///
        /// - Throws: ``Disagreement``; ``LogError`` if the log does not answer.
        func holds() async throws {
            guard end.withLock(\.self) <= .now else { return }
            try await see()
        }

        private func see() async throws {
            let begun = ContinuousClock.now
            if let others = try await log.agree(on: words) { throw Disagreement(own: words, others: others) }
            end.withLock { $0 = begun + log.settings.lease * 0.8 }
        }

        func run() async throws {
            await cancelWhenGracefulShutdown {
                while !Task.isCancelled {
                    // ``Follower`` reports a disagreement when the last check has expired.
                    do { try await self.see() } catch is Disagreement { self.end.withLock { $0 = .now } } catch {}
                    try? await Task.sleep(for: Self.pause)
                }
            }
        }
    }

    /// Other nodes have other rules.
    struct Disagreement: Error, CustomStringConvertible {
        let description: String

        init(own: String, others: String) {
            let (own, others) = (own.split(separator: "\n"), others.split(separator: "\n"))
            let differing = others.filter { !own.contains($0) }.joined(separator: ", ")
            let here = own.filter { !others.contains($0) }.joined(separator: ", ")
            description = """
                other nodes have other settings: \(differing), here \(here); all must have the same. To change them stop \
                all nodes at the same position of the log, and start them after ten seconds
                """
        }
    }
#endif
