#if Cluster
    /// Where the servers of a log are, and how a node shows them who it is.
    public struct LogServers: Sendable {
        /// Their addresses, such as `nats://127.0.0.1:4222`; with `tls://` the connection is encrypted.
        public var urls: [String]
        /// A file of credentials for the account that has the log: what `nsc` writes, or one line `user:password`.
        public var credentials: String?
        /// The same for the system account, in which servers tell how they keep what they hold.
        public var systemCredentials: String?
        /// A file of the certificates that those of servers are to be signed by (PEM); nil for those that the system trusts.
        public var authority: String?
        /// Files of the certificate of this node and its key (PEM), for servers that ask for one.
        public var certificate: (chain: String, key: String)?

        /// Servers to which nothing is shown.
        public init(_ urls: [String]) { self.urls = urls }

        /// Whether connections are encrypted.
        var isEncrypted: Bool { authority != nil || urls.contains { $0.hasPrefix("tls://") } }
    }

    /// What a log is called and how it is kept.
    public struct LogSettings: Sendable {
        /// The name of its stream.
        public var name = "CERCA"
        /// On how many servers it is kept if it is made.
        public var replicas = 3
        /// Of how many bytes the oldest messages are dropped if it is made; nil for all that there is room for.
        public var most: Int64?
        /// How long somebody holds a lease without renewing it.
        public var lease: Duration = .seconds(10)
        /// How long an answer is waited for, over all tries.
        public var patience: Duration = .seconds(15)
        /// Whether a log is taken that may lose what it acknowledged: for a trial on one server.
        public var allowsUnsafe = false

        /// A log of three replicas.
        public init() {}
    }
#endif
