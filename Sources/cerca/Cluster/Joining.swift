#if Cluster
    internal import AsyncHTTPClient
    internal import CercaClient
    internal import Cluster
    internal import Discovery
    internal import Foundation
    internal import Logging
    internal import Model
    internal import NIOSSL
    internal import Storage

    /// Brings a node to a state from which it can follow the log.
    struct Joining {
        /// How long a node that has found no copy to fetch retries.
        private static let timeout = Duration.seconds(120)
        private static let pause = Duration.seconds(1)

        let settings: ClusterSettings
        let folder: URL
        let logger: Logger

        func open() async throws(LogError) -> CommandLog {
            var servers = LogServers(settings.servers)
            (servers.credentials, servers.systemCredentials) = (settings.credentials, settings.systemCredentials)
            (servers.authority, servers.certificate) = (settings.authority, settings.certificate)
            var log = LogSettings()
            (log.name, log.replicas, log.allowsUnsafe) = (settings.name, settings.replicas, settings.allowsUnsafe)
            let opened = try await CommandLog.open(log, on: servers)
            for unsafety in opened.unsafeties { logger.warning("the log may lose acknowledged entries: \(unsafety)") }
            return opened
        }

        /// Ensures that the folder can follow the log: begins the log with it, or fetches a copy from another node.
        func prepare(_ log: CommandLog) async throws {
            let end = ContinuousClock.now + Self.timeout
            while try await !isReady(log) {
                do { try await fetch() } catch let error as StorageError { throw error } catch {
                    guard ContinuousClock.now < end else { throw error }
                }
                try await Task.sleep(for: Self.pause)
            }
        }

        private func isReady(_ log: CommandLog) async throws -> Bool {
            let store = try Store(folder: folder)
            defer { try? store.close() }
            let bounds = try await log.bounds()
            guard let (position, standing) = try store.followedLog() else {
                guard bounds.last == 0 else { return false }
                let message = try LogEntries.first
                try store.beginLog(LogPosition(log: log.identity), with: message)
                return try await log.begin(with: message)
            }
            guard position.log == log.identity else {
                throw StorageError.unreachable(
                    path: folder.path, reason: "it follows another log than '\(settings.name)'")
            }
            if position.number == 0 { return try await log.begin(with: standing) }
            return position.number + 1 >= bounds.first
        }

        /// Replaces the folder's contents by a copy from the first node that provides one, after checking it.
        private func fetch() async throws {
            guard !settings.nodes.isEmpty else {
                throw SettingsError("cluster.nodes is empty: entries that the log has dropped cannot be fetched")
            }
            var last: (any Error)?
            for node in settings.nodes {
                let copy = folder.appending(path: "joining.sqlite")
                defer { try? FileManager.default.removeItem(at: copy) }
                do {
                    try await download(node, to: copy)
                    let database = try DatabaseFile(copy)
                    if let fault = try database.integrity({ _, _ in }).faults.first {
                        throw SettingsError("\(node) provided a damaged copy: \(fault)")
                    }
                    let aside = try database.restore(into: folder, isReplacing: true, at: Clock.now())
                    logger.notice(
                        "fetched a copy from \(node)",
                        metadata: aside.map { ["replaced": "\($0.lastPathComponent)"] } ?? [:])
                    return
                } catch {
                    logger.warning("\(node) provided no copy", metadata: ["error": "\(error)"])
                    last = error
                }
            }
            throw last ?? CancellationError()
        }

        private func download(_ node: String, to file: URL) async throws {
            guard let url = URL(string: node) else { throw SettingsError("cluster.nodes: '\(node)' is not an address") }
            let token = try settings.token.map {
                try String(contentsOfFile: $0, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
            }
            // A node sends nothing while it makes a copy, so the read timeout is off.
            var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
            configuration.connectionPool.retryConnectionEstablishment = false
            if let authority = settings.authority {
                var tls = TLSConfiguration.makeClientConfiguration()
                tls.additionalTrustRoots = [.file(authority)]
                configuration.tlsConfiguration = tls
            }
            try? FileManager.default.removeItem(at: file)
            let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
            guard FileManager.default.createFile(atPath: file.path, contents: nil, attributes: attributes) else {
                throw StorageError.unreachable(path: file.path, reason: "it cannot be created")
            }
            let handle = try FileHandle(forWritingTo: file)
            defer { try? handle.close() }
            try await HTTPClient.withHTTPClient(configuration: configuration) { http in
                let client = CercaClient(url: url, token: token, retries: .none, http: http)
                try await client.download(.init(.GET, "/v1/copy")) { try handle.write(contentsOf: $0) }
            }
        }
    }
#endif
