#if Cluster
    internal import Foundation
    internal import Synchronization

    /// A log of messages in one order, which a majority of servers keeps: a stream of NATS JetStream.
    ///
    /// Nothing of how they agree is ours. What is ours is to ask again, and to believe no message that is not the next one.
    public final class CommandLog: Sendable {
        /// How many bytes a message has at most.
        public static let longest = 1_000_000
        /// How long the servers know a message by its name: as long it can be published again.
        public static let remembered: Duration = .seconds(120)
        /// How long one try takes: a server that lost its majority does not answer; another one may.
        private static let attempt: Duration = .seconds(3)
        private static let pause: Duration = .milliseconds(50)

        /// What is there already, or just comes, under the number of a change of a key: somebody else was first.
        static let otherSequences = [10_071, 10_164]
        private static let noStream = 10_059

        /// What was asked for.
        public let settings: LogSettings
        /// Which log it is: when its stream was made.
        public let identity: String
        /// Why this log may lose what it acknowledges; empty unless that was allowed.
        public let unsafeties: [Unsafety]
        private let servers: LogServers
        private let connection: Mutex<Connection>

        /// Where messages are published.
        var subject: String { "\(settings.name).log" }
        /// The stream of leases, which is a key-value bucket to the tools of NATS.
        var leases: String { "KV_\(settings.name)" }

        /// Opens a log, and makes it if there is none.
        ///
        /// - Throws: ``LogError``; ``LogError/unsafe(_:)`` if it may lose what it acknowledges and that is not allowed.
        public static func open(_ settings: LogSettings, on servers: LogServers) async throws(LogError) -> CommandLog {
            let connection = try await Connection.waiting { () throws(LogError) in
                try Connection(to: servers, credentials: servers.credentials)
            }
            let log = CommandLog(settings, servers, "", [], connection)
            let info = try await log.findOrMake(log.stream)
            let reports = try await reports(of: servers, atMost: max(info.peers.count, 1))
            let unsafeties = Unsafety.all(of: info, told: reports)
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
            // Whoever else makes the same at this moment is answered as if it had made it.
            return try await ask("STREAM.CREATE.\(stream.name)", stream)
        }

        /// What the servers know of a stream.
        func info(of stream: String) async throws(LogError) -> StreamInfo {
            try await decode(exchange("$JS.API.STREAM.INFO.\(stream)", []))
        }

        /// The numbers of the first and the last message that the log has; the last is one less than the first if it has none.
        ///
        /// - Throws: ``LogError``.
        public func bounds() async throws(LogError) -> (first: UInt64, last: UInt64) {
            let (first, last, _) = try await extent()
            return (first, last)
        }

        /// The same, and whether a majority of the servers says so.
        func extent() async throws(LogError) -> (first: UInt64, last: UInt64, isOfMajority: Bool) {
            let info = try await info(of: settings.name)
            return (max(info.state.firstSeq, 1), info.state.lastSeq, info.cluster?.isMajority ?? true)
        }

        /// The name of the server that leads the others in keeping it; nil while they look for one.
        ///
        /// - Throws: ``LogError``.
        public func leader() async throws(LogError) -> String? { try await info(of: settings.name).cluster?.leader }

        /// Writes a message at the end of the log.
        ///
        /// It may be published again within ``remembered`` under the same name, and is in the log once. So this can be done after
        /// ``LogError/unanswered``, which says nothing of whether the message is there.
        ///
        /// - Returns: its number in the log, when a majority keeps it.
        /// - Throws: ``LogError``.
        public func publish(_ message: [UInt8], named name: String) async throws(LogError) -> UInt64 {
            guard message.count <= Self.longest else { throw .tooLong(message.count) }
            return try await put(message, at: subject, ["Nats-Msg-Id": name, "Nats-Expected-Stream": settings.name])
        }

        /// Writes the first message, unless the log has one already.
        ///
        /// - Returns: whether it has this one.
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
            return try await reader.read(within: settings.patience).first?.bytes == message
        }

        /// Publishes and waits for the acknowledgement.
        func put(_ bytes: [UInt8], at subject: String, _ headers: [String: String]) async throws(LogError) -> UInt64 {
            let acknowledged: Acknowledgement = try await decode(exchange(subject, bytes, headers))
            return acknowledged.seq
        }

        /// Asks JetStream for something.
        func ask<Answer: Decodable>(_ what: String, _ request: some Encodable) async throws(LogError) -> Answer {
            try await decode(exchange("$JS.API.\(what)", StreamJSON.bytes(of: request)))
        }

        private func decode<Value: Decodable>(_ bytes: [UInt8]) throws(LogError) -> Value {
            try StreamJSON.value(of: bytes)
        }

        /// Sends a request until somebody answers it for good.
        private func exchange(
            _ subject: String, _ body: [UInt8], _ headers: [String: String] = [:]
        ) async throws(LogError) -> [UInt8] {
            let end = ContinuousClock.now + settings.patience
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

        /// The connection to use.
        var current: Connection { connection.withLock(\.self) }

        /// Connects once more, unless somebody has done so: to another server, as they are tried in no order.
        ///
        /// If none can be reached the old connection goes on trying.
        private func replace(_ old: Connection) async throws(LogError) {
            let made = try await Connection.waiting { [servers] () throws(LogError) in
                try? Connection(to: servers, credentials: servers.credentials)
            }
            guard let made else { return }
            connection.withLock { if $0 === old { $0 = made } }
        }
    }
#endif
