#if Cluster
    /// A message of a log.
    public struct LogMessage: Sendable {
        /// Its number: one more than that of the message before it.
        public let position: UInt64
        /// What was published.
        public let bytes: [UInt8]
        /// When the server took it that led the others then, in nanoseconds since 1970; the same whoever sends it.
        ///
        /// It may be less than that of the message before, when another server leads.
        public let time: Int64
        /// How many messages the log had after it when it was sent.
        public let behind: UInt64
    }

    /// Reads a log from one message on, and on as it grows.
    ///
    /// Each message is checked to be the next one. If servers send one twice or leave one out they are asked anew.
    public struct LogReader: ~Copyable, Sendable {
        /// The number of the message that is read next.
        public private(set) var next: UInt64
        /// How often messages had to be asked for anew, from the right one on.
        public private(set) var resets = 0
        private let log: CommandLog
        private var pull: Pull?
        /// How often another message came than the one that has to come.
        private var strikes = 0

        /// How often in a row another message may come before it is said to be missing.
        private static let mostStrikes = 3
        /// How long a server that was just elected may not know yet what the last one had.
        private static let election: Duration = .seconds(5)

        /// A reader that begins with the message of a number; the first message of a log has 1.
        public init(_ log: CommandLog, from next: UInt64) {
            (self.log, self.next) = (log, max(next, 1))
        }

        /// The next messages, in order; none if there are none for so long.
        ///
        /// - Throws: ``LogError``; ``LogError/dropped(first:)``, ``LogError/shorter(last:)`` and ``LogError/missing(_:)`` if
        ///   the log does not have what comes next.
        public mutating func read(within limit: Duration) async throws(LogError) -> [LogMessage] {
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

        /// Asks for messages, after a look at whether the log has them.
        private func begin() async throws(LogError) -> Pull {
            let patience = ContinuousClock.now + Self.election
            while true {
                let (first, last, isOfMajority) = try await log.extent()
                guard first <= next else { throw .dropped(first: first) }
                if next <= last + 1 { break }
                guard ContinuousClock.now < patience else { throw isOfMajority ? .shorter(last: last) : .unanswered }
                do { try await Task.sleep(for: .milliseconds(50)) } catch { throw .unanswered }
            }
            let name = log.settings.name
            let consumer: ConsumerInfo = try await log.ask(
                "CONSUMER.CREATE.\(name)", ConsumerRequest(streamName: name, config: .init(optStartSeq: next)))
            return try Pull("$JS.API.CONSUMER.MSG.NEXT.\(name).\(consumer.name)", log.current)
        }
    }
#endif
