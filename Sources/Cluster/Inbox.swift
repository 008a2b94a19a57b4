#if Cluster
    internal import CNATS

    /// What is sent to a subject of our own.
    final class Inbox: Sendable {
        /// A message, or a word of a server about those that it was asked for.
        struct Item: Sendable {
            var subject: String
            var reply: String
            /// A number as that of HTTP; nil for a message.
            var status: Int?
            var bytes: [UInt8]
        }

        /// The subject below which answers are wanted.
        let subject: String
        private let connection: Connection
        private nonisolated(unsafe) let subscription: OpaquePointer  // the library locks it in each call

        /// Listens; the connection is held as long.
        init(on connection: Connection, _ pointer: OpaquePointer) throws(LogError) {
            var name: UnsafeMutablePointer<CChar>?
            try checked(natsInbox_Create(&name))
            subject = name.map { String(cString: $0) } ?? ""
            natsInbox_Destroy(name)
            var made: OpaquePointer?
            try checked(natsConnection_SubscribeSync(&made, pointer, subject + ".*"))
            guard let made else { throw .unreachable("no subscription") }
            (self.connection, subscription) = (connection, made)
        }

        deinit { connection.end(subscription) }

        /// The next item; waits for it so long at most, on the thread of who calls.
        ///
        /// - Throws: ``LogError/unreachable(_:)`` once the connection is closed for good.
        func next(within limit: Duration) throws(LogError) -> Item? {
            var message: OpaquePointer?
            let status = natsSubscription_NextMsg(&message, subscription, limit.milliseconds)
            defer { natsMsg_Destroy(message) }
            guard status != NATS_TIMEOUT else { return nil }
            try checked(status)
            return Item(
                subject: natsMsg_GetSubject(message).map { String(cString: $0) } ?? "",
                reply: natsMsg_GetReply(message).map { String(cString: $0) } ?? "",
                status: Self.status(of: message), bytes: Connection.bytes(of: message))
        }

        private static func status(of message: OpaquePointer?) -> Int? {
            var value: UnsafePointer<CChar>?
            guard natsMsgHeader_Get(message, "Status", &value) == NATS_OK, let value else { return nil }
            return Int(String(cString: value))
        }
    }
#endif
