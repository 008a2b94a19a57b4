#if Cluster
    internal import CNATS

    /// A subscription to a unique reply subject.
    final class Inbox: Sendable {
        /// A message, or a status of a server about requested messages.
        struct Item: Sendable {
            var subject: String
            var reply: String
            /// A status code as in HTTP; nil for a message.
            var status: Int?
            var bytes: [UInt8]
        }

        /// The subject below which answers arrive.
        let subject: String
        private let connection: Connection
        private nonisolated(unsafe) let subscription: OpaquePointer  // the library locks it in each call

        /// Subscribes; the connection is kept alive by the subscription.
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

        /// Waits on the calling thread for the next item, at most for the limit.
        ///
        /// - Throws: ``LogError/unreachable(_:)`` once the connection is permanently closed.
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
