#if Cluster
    /// A pull subscription, which requests messages in batches so that the server sends only what fits in memory.
    package struct Pull: Sendable {
        struct Found: Sendable {
            var messages: [StreamMessage] = []
            /// The total number of bytes of the messages.
            var bytes = 0
            /// Whether the subscription ended and must be created again.
            var isBroken = false
            /// Whether a message other than the expected one arrived.
            var isOther = false
        }

        private static let batch = 256
        private static let mostBytes = 8_000_000
        /// The limits of messages and bytes returned at once; the last message may exceed the bytes.
        private static let most = 64
        private static let mostBytesAtOnce = 1_000_000
        private static let expires: Duration = .seconds(5)
        private static let heartbeat: Duration = .seconds(1)
        private static let longestSilence: Duration = .seconds(3)

        private let subject: String
        private let connection: Connection
        private let inbox: Inbox
        private var requests = 0
        /// The number of messages of the last request that have not arrived.
        private var outstanding = 0
        /// How long nothing has arrived while waiting, not even a heartbeat.
        private var silence: Duration = .zero

        /// Creates a subscription that sends requests to a subject.
        init(_ subject: String, _ connection: Connection) throws(LogError) {
            (self.subject, self.connection) = (subject, connection)
            inbox = try connection.inbox()
        }

        /// The messages from a number on that have arrived, or the first one to arrive; waits on the calling thread.
        mutating func take(from first: UInt64, until end: ContinuousClock.Instant) -> Found {
            var found = Found()
            do throws(LogError) {
                while !found.isBroken, found.messages.count < Self.most, found.bytes < Self.mostBytesAtOnce {
                    if outstanding == 0 { try ask() }
                    let wait = found.messages.isEmpty ? max(min(end - .now, Self.heartbeat), .zero) : .zero
                    if let item = try inbox.next(within: wait) {
                        silence = .zero
                        accept(item, first + UInt64(found.messages.count), &found)
                    } else {
                        silence += wait
                        found.isBroken = silence >= Self.longestSilence
                        if !found.messages.isEmpty || end <= .now { break }
                    }
                }
            } catch { found.isBroken = true }
            return found
        }

        private mutating func ask() throws(LogError) {
            requests += 1
            let request = PullRequest(
                batch: Self.batch, maxBytes: Self.mostBytes, expires: Self.expires.nanoseconds,
                idleHeartbeat: Self.heartbeat.nanoseconds)
            try connection.send(StreamJSON.bytes(of: request), to: subject, answeredTo: "\(inbox.subject).\(requests)")
            outstanding = Self.batch
        }

        private mutating func accept(_ item: Inbox.Item, _ next: UInt64, _ found: inout Found) {
            if let status = item.status {
                // A status of an earlier request is irrelevant.
                guard item.subject == "\(inbox.subject).\(requests)" else { return }
                switch status {
                case 100: break
                // No more messages, or the request expired: the next request follows.
                case 404, 408: outstanding = 0
                // The byte limit was reached; before any message it means that the server lost the consumer.
                case 409 where outstanding < Self.batch: outstanding = 0
                default: found.isBroken = true
                }
            } else if let numbers = Self.numbers(in: item.reply), numbers.position == next {
                outstanding -= 1
                found.bytes += item.bytes.count
                found.messages.append(
                    StreamMessage(
                        position: next, bytes: item.bytes, time: numbers.time, behind: numbers.behind))
            } else {
                (found.isBroken, found.isOther) = (true, true)
            }
        }

        /// The stream sequence of a message, its time in nanoseconds since 1970, and the number of messages after it.
        ///
        /// They are parts of the acknowledgment subject, which has 9 parts, or 11 and more with a domain and an account
        /// after the second.
        package static func numbers(in subject: String) -> (position: UInt64, time: Int64, behind: UInt64)? {
            let parts = subject.split(separator: ".")
            guard parts.count == 9 || parts.count >= 11, parts.prefix(2) == ["$JS", "ACK"] else { return nil }
            let shift = parts.count == 9 ? 0 : 2
            guard let position = UInt64(parts[5 + shift]), let time = Int64(parts[7 + shift]),
                let behind = UInt64(parts[8 + shift])
            else { return nil }
            return (position, time, behind)
        }
    }
#endif
