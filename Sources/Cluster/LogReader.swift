#if Cluster
    /// A message of a log.
    public struct StreamMessage: Sendable {
        /// The number of the message: one more than the message before it.
        public let position: UInt64
        /// The published bytes.
        public let bytes: [UInt8]
        /// The time at which the leading server accepted it, in nanoseconds since 1970; equal on all servers.
        ///
        /// It may be before the time of the previous message, if the leader changed.
        public let time: Int64
        /// The number of later messages in the log when it was sent.
        public let behind: UInt64
    }

    /// Reads a log from a message on, and follows it as it grows.
    ///
    /// Each message is checked to be the next one. If servers repeat or skip a message, messages are requested again.
    public struct LogReader: ~Copyable, Sendable {
        /// The number of the next message to read.
        public private(set) var next: UInt64
        /// The number of times messages were requested again from the expected one on.
        public private(set) var resets = 0
        private let log: CommandLog
        private var pull: Pull?
        /// The number of consecutive times that a message other than the expected one arrived.
        private var strikes = 0

        /// The number of consecutive wrong messages after which the expected one is reported missing.
        private static let mostStrikes = 3
        /// How long a newly elected server may lag behind its predecessor.
        private static let election: Duration = .seconds(5)

        /// Creates a reader that starts at a message number; the first message of a log is 1.
        public init(_ log: CommandLog, from next: UInt64) {
            (self.log, self.next) = (log, max(next, 1))
        }

        /// The next messages, in order; empty if none arrive within the limit.
        ///
        /// - Throws: ``LogError``; ``LogError/dropped(first:)``, ``LogError/shorter(last:)`` and
        ///   ``LogError/missing(_:)`` if the log does not have the next message.
        public mutating func read(within limit: Duration) async throws(LogError) -> [StreamMessage] {
            let end = ContinuousClock.now + limit
            repeat {
                let asked = if let pull { pull } else { try await begin() }
                let (found, went) = try await Connection.waiting { [next] () throws(LogError) in
                    var pull = asked
                    let found = pull.take(from: next, until: end)
                    return (found, pull)
                }
                pull = found.isBroken ? nil : went
                if found.isBroken { resets += 1 }
                if !found.messages.isEmpty { strikes = 0 } else if found.isOther { strikes += 1 }
                next += UInt64(found.messages.count)
                guard strikes < Self.mostStrikes else { throw .missing(next) }
                if !found.messages.isEmpty { return found.messages }
            } while ContinuousClock.now < end
            return []
        }

        /// Requests messages, after checking that the log has them.
        private func begin() async throws(LogError) -> Pull {
            let deadline = ContinuousClock.now + Self.election
            while true {
                let (first, last, isOfMajority) = try await log.extent()
                guard first <= next else { throw .dropped(first: first) }
                if next <= last + 1 { break }
                guard ContinuousClock.now < deadline else { throw isOfMajority ? .shorter(last: last) : .unanswered }
                do { try await Task.sleep(for: .milliseconds(50)) } catch { throw .unanswered }
            }
            let name = log.settings.name
            let consumer: ConsumerInfo = try await log.ask(
                "CONSUMER.CREATE.\(name)", ConsumerRequest(streamName: name, config: .init(optStartSeq: next)))
            return try Pull("$JS.API.CONSUMER.MSG.NEXT.\(name).\(consumer.name)", log.current)
        }
    }
#endif
