#if Cluster
    internal import CNATS
    internal import Foundation
    internal import Structures
    internal import Synchronization

    /// A connection to one of several servers, which reconnects to another one when it breaks.
    ///
    /// The library's calls block, so they run on dedicated threads, and no callbacks are used.
    final class Connection: Sendable {
        private nonisolated(unsafe) let connection: OpaquePointer  // the library locks it in each call
        /// A node makes few calls at a time: one that reads, and some that publish or request.
        private static let threads = BlockingThreads(most: 64)
        /// The addresses of ended subscriptions.
        private let ended = Mutex<[UInt]>([])

        /// Connects to one of the servers.
        ///
        /// - Throws: ``LogError``: ``LogError/unreachable(_:)`` if none can be reached or all reject the credentials.
        init(to servers: LogServers, credentials: String?) throws(LogError) {
            var options: OpaquePointer?
            try checked(natsOptions_Create(&options))
            defer { natsOptions_Destroy(options) }
            try Self.address(servers, in: options)
            if let credentials { try Self.authenticate(by: credentials, in: options) }
            try checked(natsOptions_SetTimeout(options, 2_000))
            try checked(natsOptions_SetMaxReconnect(options, -1))
            try checked(natsOptions_SetReconnectWait(options, 100))
            try checked(natsOptions_SetPingInterval(options, 1_000))
            try checked(natsOptions_SetMaxPingsOut(options, 2))
            try checked(natsOptions_SetFailRequestsOnDisconnect(options, true))
            // By default the library writes to the standard error.
            try checked(natsOptions_SetErrorHandler(options, { _, _, _, _ in }, nil))
            var made: OpaquePointer?
            try checked(natsConnection_Connect(&made, options))
            guard let made else { throw .unreachable("no connection") }
            connection = made
        }

        deinit {
            natsConnection_Destroy(connection)
            for address in ended.withLock(\.self) { natsSubscription_Destroy(OpaquePointer(bitPattern: address)) }
        }

        /// Ends a subscription.
        ///
        /// It is freed only when nothing of the connection runs any longer. The library's reader thread may be about to
        /// lock a subscription for which a message arrived (libnats 3.4.1), and would write into freed memory.
        func end(_ subscription: OpaquePointer) {
            natsSubscription_Unsubscribe(subscription)
            ended.withLock { $0.append(UInt(bitPattern: subscription)) }
        }

        private static func address(_ servers: LogServers, in options: OpaquePointer?) throws(LogError) {
            let urls = servers.urls.map { strdup($0) }
            defer { for url in urls { free(url) } }
            var pointers = urls.map { UnsafePointer($0) }
            try checked(natsOptions_SetServers(options, &pointers, Int32(pointers.count)))
            guard servers.isEncrypted else { return }
            try checked(natsOptions_SetSecure(options, true))
            if let authority = servers.authority {
                try checked(natsOptions_LoadCATrustedCertificates(options, authority), authority)
            }
            if let certificate = servers.certificate {
                let files = "\(certificate.chain), \(certificate.key)"
                try checked(natsOptions_LoadCertificatesChain(options, certificate.chain, certificate.key), files)
            }
        }

        private static func authenticate(by file: String, in options: OpaquePointer?) throws(LogError) {
            guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { throw .file(file) }
            if text.contains("NATS USER JWT") {
                try checked(natsOptions_SetUserCredentialsFromFiles(options, file, nil), file)
            } else {
                let parts = text.trimmingCharacters(in: .newlines).split(separator: ":", maxSplits: 1).map(String.init)
                guard parts.count == 2 else { throw .file(file) }
                try checked(natsOptions_SetUserInfo(options, parts[0], parts[1]), file)
            }
        }

        /// Runs a blocking call on a thread that may block.
        ///
        /// - Throws: the error of `work`; ``LogError/unanswered`` if too many calls are waiting already.
        static func waiting<Value: Sendable>(
            _ work: @escaping @Sendable () throws(LogError) -> Value
        ) async throws(LogError) -> Value {
            let result: Result<Value, LogError> = await withCheckedContinuation { continuation in
                let isStarted = threads.run { continuation.resume(returning: Result(catching: work)) }
                if !isStarted { continuation.resume(returning: .failure(.unanswered)) }
            }
            return try result.get()
        }

        /// Sends a request and waits for the answer.
        ///
        /// - Returns: the answer, or why none arrived.
        /// - Throws: ``LogError/unreachable(_:)``.
        func request(
            _ subject: String, _ body: [UInt8], headers: [String: String] = [:], within limit: Duration
        ) throws(LogError) -> Answer {
            var message: OpaquePointer?
            try checked(
                body.withUnsafeBytes { bytes in
                    natsMsg_Create(
                        &message, subject, nil, bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                        Int32(bytes.count))
                })
            defer { natsMsg_Destroy(message) }
            for (name, value) in headers { try checked(natsMsgHeader_Set(message, name, value)) }
            var answer: OpaquePointer?
            let status = natsConnection_RequestMsg(&answer, connection, message, limit.milliseconds)
            defer { natsMsg_Destroy(answer) }
            switch status {
            case NATS_OK: return .bytes(Self.bytes(of: answer))
            case NATS_NO_RESPONDERS, NATS_CONNECTION_DISCONNECTED: return .nobody
            case NATS_TIMEOUT, NATS_CONNECTION_CLOSED: return .late
            default: throw .unreachable(String(cString: natsStatus_GetText(status)))
            }
        }

        enum Answer: Equatable {
            case bytes([UInt8])
            /// No responder can be reached at the moment.
            case nobody
            /// No answer arrived in time, or none ever will over this connection.
            case late
        }

        /// Subscribes to the subjects directly below a new unique subject.
        func inbox() throws(LogError) -> Inbox { try Inbox(on: self, connection) }

        /// Sends a message whose answers go to a subject.
        func send(_ body: [UInt8], to subject: String, answeredTo reply: String) throws(LogError) {
            try checked(
                body.withUnsafeBytes {
                    natsConnection_PublishRequest(connection, subject, reply, $0.baseAddress, Int32($0.count))
                })
        }

        static func bytes(of message: OpaquePointer?) -> [UInt8] {
            guard let start = natsMsg_GetData(message) else { return [] }
            return [UInt8](UnsafeRawBufferPointer(start: start, count: Int(natsMsg_GetDataLength(message))))
        }
    }

    extension Duration {
        /// Whole milliseconds, at least 0.
        var milliseconds: Int64 {
            let (seconds, attoseconds) = components
            return max(0, seconds * 1_000 + attoseconds / 1_000_000_000_000_000)
        }
    }

    /// - Throws: ``LogError/unreachable(_:)`` with the library's message and the subject of the failure.
    func checked(_ status: natsStatus, _ what: String? = nil) throws(LogError) {
        guard status != NATS_OK else { return }
        let text = String(cString: natsStatus_GetText(status))
        throw .unreachable(what.map { "\($0): \(text)" } ?? text)
    }
#endif
