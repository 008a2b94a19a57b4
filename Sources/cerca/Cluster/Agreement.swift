#if Cluster
    internal import Cluster
    internal import Discovery
    internal import ServiceLifecycle
    internal import Synchronization

    /// Sees that all nodes go by the same rules: others would come to other results.
    final class Agreement: Service {
        private static let pause = Duration.seconds(1)

        private let log: CommandLog
        private let words: String
        /// Until when others cannot have agreed on something else, by the clock of this machine.
        private let end = Mutex(ContinuousClock.now)

        init(on rules: PingRules, _ log: CommandLog) {
            self.log = log
            words = Mirror(reflecting: rules).children.map { "\($0.label ?? ""): \($0.value)" }.joined(separator: "\n")
        }

        /// Returns when no other node goes by other rules, at once if that was seen lately.
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
                    // What is wrong is told by who follows the log, when this is not known any more.
                    do { try await self.see() } catch is Disagreement { self.end.withLock { $0 = .now } } catch {}
                    try? await Task.sleep(for: Self.pause)
                }
            }
        }
    }

    /// That other nodes go by other rules.
    struct Disagreement: Error, CustomStringConvertible {
        let description: String

        init(own: String, others: String) {
            let (own, others) = (own.split(separator: "\n"), others.split(separator: "\n"))
            let differing = others.filter { !own.contains($0) }.joined(separator: ", ")
            let here = own.filter { !others.contains($0) }.joined(separator: ", ")
            description = """
                other nodes go by other settings: \(differing), and here \(here); all have to have the same. To change them stop \
                all nodes when they are equally far, and start them after ten seconds
                """
        }
    }
#endif
