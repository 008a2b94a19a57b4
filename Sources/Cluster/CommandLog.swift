#if Cluster
    internal import Foundation
    internal import Synchronization

    /// A totally ordered log of messages, replicated to a majority of servers: a NATS JetStream stream.
    ///
    /// Consensus is left entirely to JetStream. This type only retries requests and rejects any message that is not the
    /// next one.
    public final class CommandLog: Sendable {
        /// The maximum number of bytes of a message.
        public static let longest = 1_000_000
        /// How long the servers deduplicate a message by its name, and so how long it can be published again.
        public static let remembered: Duration = .seconds(120)
        /// The timeout of one attempt: a server that lost its majority does not answer, but another one may.
        private static let attempt: Duration = .seconds(3)
        private static let pause: Duration = .milliseconds(50)

        /// Errors for a key whose revision exists or is being written: another node was first.
        static let otherSequences = [10_071, 10_164]
        private static let noStream = 10_059

        /// The settings with which the log was opened.
        public let settings: LogSettings
        /// The identity of the log: the creation time of its stream.
        public let identity: String
        /// The reasons why this log may lose acknowledged messages; empty unless that was allowed.
        public let unsafeties: [Unsafety]
        private let servers: LogServers
        private let connection: Mutex<Connection>

        /// The subject of published messages.
        var subject: String { "\(settings.name).log" }
        /// The stream of leases, which NATS tools see as a key-value bucket.
        var leases: String { "KV_\(settings.name)" }

        /// Opens a log, and creates it if it does not exist.
        ///
        /// - Throws: ``LogError``; ``LogError/unsafe(_:)`` if it may lose acknowledged messages and that is not
        ///   allowed.
        public static func open(_ settings: LogSettings, on servers: LogServers) async throws(LogError) -> CommandLog {
            let connection = try await Connection.waiting { () throws(LogError) in
                try Connection(to: servers, credentials: servers.credentials)
            }
            let log = CommandLog(settings, servers, "", [], connection)
            let info = try await log.findOrMake(log.stream)
            let reports = try await reports(of: servers, atMost: max(info.peers.count, 1))
            let unsafeties = Unsafety.all(of: info, reported: reports)
            guard settings.allowsUnsafe || unsafeties.isEmpty else { throw .unsafe(unsafeties) }
            _ = try await log.findOrMake(log.bucket)
            return CommandLog(settings, servers, info.created, unsafeties, connection)
        }

        private init(
            _ settings: LogSettings, _ servers: LogServers, _ identity: String, _ unsafeties: [Unsafety],
            _ connection: Connection
        ) {
            (self.settings, self.servers, self.identity, self.unsafeties) = (settings, servers, identity, unsafeties)
            self.connection = Mutex(connection)
        }

        private var stream: StreamConfiguration {
            StreamConfiguration(
                name: settings.name, subjects: [subject], numReplicas: settings.replicas, maxBytes: settings.most ?? -1,
                maxMsgsPerSubject: -1, duplicateWindow: Self.remembered.nanoseconds, denyDelete: true, denyPurge: true)
        }

        private var bucket: StreamConfiguration {
            let lease = settings.lease.nanoseconds
            return StreamConfiguration(
                name: leases, subjects: ["$KV.\(settings.name).>"], numReplicas: settings.replicas, maxAge: lease,
                maxMsgsPerSubject: 1, duplicateWindow: min(lease, Self.remembered.nanoseconds))
        }

        private func findOrMake(_ stream: StreamConfiguration) async throws(LogError) -> StreamInfo {
            do throws(LogError) { return try await info(of: stream.name) } catch {
                guard case .refused(Self.noStream, _) = error else { throw error }
            }
            // If another node creates an equal stream at the same time, both requests succeed.
            return try await ask("STREAM.CREATE.\(stream.name)", stream)
        }

        func info(of stream: String) async throws(LogError) -> StreamInfo {
            try await decode(exchange("$JS.API.STREAM.INFO.\(stream)", []))
        }

        /// The numbers of the first and the last message in the log; the last is one less than the first if it is
        /// empty.
        ///
        /// - Throws: ``LogError``.
        public func bounds() async throws(LogError) -> (first: UInt64, last: UInt64) {
            let (first, last, _) = try await extent()
            return (first, last)
        }

        /// The numbers of the first and the last message, and whether a majority of the servers confirms them.
        func extent() async throws(LogError) -> (first: UInt64, last: UInt64, isOfMajority: Bool) {
            let info = try await info(of: settings.name)
            return (max(info.state.firstSeq, 1), info.state.lastSeq, info.cluster?.isMajority ?? true)
        }

        /// The name of the server that leads the replication of the log; nil during an election.
        ///
        /// - Throws: ``LogError``.
        public func leader() async throws(LogError) -> String? { try await info(of: settings.name).cluster?.leader }

        /// Appends a message to the log.
        ///
        /// A message published again within ``remembered`` under the same name is in the log only once. So the call can
        /// be repeated after ``LogError/unanswered``, which leaves open whether the message was stored.
        ///
        /// - Returns: its number in the log, once a majority has stored it.
        /// - Throws: ``LogError``.
        public func publish(_ message: [UInt8], named name: String) async throws(LogError) -> UInt64 {
            guard message.count <= Self.longest else { throw .tooLong(message.count) }
            return try await put(message, at: subject, ["Nats-Msg-Id": name, "Nats-Expected-Stream": settings.name])
        }

        /// Appends the first message, unless the log has one already.
        ///
        /// - Returns: whether this message is the first.
        /// - Throws: ``LogError``.
        public func begin(with message: [UInt8]) async throws(LogError) -> Bool {
            do throws(LogError) {
                let headers = ["Nats-Expected-Last-Sequence": "0", "Nats-Expected-Stream": settings.name]
                _ = try await put(message, at: subject, headers)
            } catch {
                guard case .refused(let code, _) = error, Self.otherSequences.contains(code) else { throw error }
            }
            let (first, _) = try await bounds()
            guard first == 1 else { return false }
            var reader = LogReader(self, from: 1)
            return try await reader.read(within: settings.timeout).first?.bytes == message
        }

        /// Publishes a message and waits for the acknowledgment.
        func put(_ bytes: [UInt8], at subject: String, _ headers: [String: String]) async throws(LogError) -> UInt64 {
            let acknowledged: Acknowledgement = try await decode(exchange(subject, bytes, headers))
            return acknowledged.seq
        }

        func ask<Answer: Decodable>(_ what: String, _ request: some Encodable) async throws(LogError) -> Answer {
            try await decode(exchange("$JS.API.\(what)", StreamJSON.bytes(of: request)))
        }

        private func decode<Value: Decodable>(_ bytes: [UInt8]) throws(LogError) -> Value {
            try StreamJSON.value(of: bytes)
        }

        /// Sends a request repeatedly until a final answer arrives.
        private func exchange(
            _ subject: String, _ body: [UInt8], _ headers: [String: String] = [:]
        ) async throws(LogError) -> [UInt8] {
            let end = ContinuousClock.now + settings.timeout
            while ContinuousClock.now < end {
                let connection = current
                let answer = try await Connection.waiting { () throws(LogError) in
                    try connection.request(subject, body, headers: headers, within: Self.attempt)
                }
                switch answer {
                case .bytes(let bytes):
                    guard let reason = try StreamJSON.value(Complaint.self, of: bytes).error else { return bytes }
                    guard reason.passes else {
                        throw .refused(code: reason.errCode ?? reason.code, reason.description ?? "")
                    }
                case .nobody: break
                case .late: try await replace(connection)
                }
                do { try await Task.sleep(for: Self.pause) } catch { throw .unanswered }
            }
            throw .unanswered
        }

        var current: Connection { connection.withLock(\.self) }

        /// Replaces a connection, unless it has been replaced already; servers are tried in random order.
        ///
        /// If no server can be reached, the old connection keeps trying.
        private func replace(_ old: Connection) async throws(LogError) {
            let made = try await Connection.waiting { [servers] () throws(LogError) in
                try? Connection(to: servers, credentials: servers.credentials)
            }
            guard let made else { return }
            connection.withLock { if $0 === old { $0 = made } }
        }
    }
#endif
