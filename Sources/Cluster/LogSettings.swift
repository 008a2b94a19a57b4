#if Cluster
    /// The servers of a log, and the credentials of a node.
    public struct LogServers: Sendable {
        /// The addresses, such as `nats://127.0.0.1:4222`; with `tls://` the connection is encrypted.
        public var urls: [String]
        /// A credentials file for the account that owns the log: written by `nsc`, or one line `user:password`.
        public var credentials: String?
        /// A credentials file for the system account, in which servers report their configuration.
        public var systemCredentials: String?
        /// A file of the authorities that must have signed the servers' certificates (PEM); nil for the system's
        /// authorities.
        public var authority: String?
        /// Files of this node's certificate and key (PEM), for servers that require a client certificate.
        public var certificate: (chain: String, key: String)?

        /// Creates servers without credentials.
        public init(_ urls: [String]) { self.urls = urls }

        /// Whether connections are encrypted.
        var isEncrypted: Bool { authority != nil || urls.contains { $0.hasPrefix("tls://") } }
    }

    /// The name of a log and its replication.
    public struct LogSettings: Sendable {
        /// The name of its stream.
        public var name = "CERCA"
        /// The number of replicas of a new log.
        public var replicas = 3
        /// The size in bytes beyond which a new log drops its oldest messages; nil for the available space.
        public var most: Int64?
        /// The duration of a lease without renewal.
        public var lease: Duration = .seconds(10)
        /// The timeout of a request, over all attempts.
        public var timeout: Duration = .seconds(15)
        /// Whether to accept a log that may lose acknowledged messages, such as in a trial on one server.
        public var allowsUnsafe = false

        /// Creates settings for a log of three replicas.
        public init() {}
    }
#endif
