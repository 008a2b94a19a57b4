#if Cluster
    import Cluster
    import Foundation
    import Testing

    /// Ends a hang; no wait of a test takes longer, even on a machine with a tenth of the speed.
    let hangLimit = Duration.seconds(600)

    /// NATS servers as separate processes, on loopback ports outside of the system's ephemeral range.
    final class Servers: @unchecked Sendable {  // used by one test
        private var running: [Process?]
        private let folder: URL
        private let ports: [UInt16]
        /// The addresses and the credentials of the log's account and of the system account.
        let log: LogServers

        /// The program that `tools/nats` installs.
        private static let program = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../.build/nats/bin/nats-server").standardizedFileURL

        /// Starts `count` servers without waiting for them.
        init(_ count: Int, in folder: URL, sync: String = "always", tls: Bool = false) throws {
            let ports = try Self.freePorts(2 * count)
            (self.folder, self.ports, running) = (folder, ports, Array(repeating: nil, count: count))
            let passwords = (UUID().uuidString, UUID().uuidString)
            for (user, password) in [("cerca", passwords.0), ("system", passwords.1)] {
                try "\(user):\(password)\n".write(to: folder.appending(path: user), atomically: true, encoding: .utf8)
            }
            var log = LogServers(ports[..<count].map { "\(tls ? "tls" : "nats")://127.0.0.1:\($0)" })
            log.credentials = folder.appending(path: "cerca").path
            log.systemCredentials = folder.appending(path: "system").path
            if tls { log.authority = folder.appending(path: "cert.pem").path }
            self.log = log
            let routes = ports[count...].map { "nats://127.0.0.1:\($0)" }.joined(separator: ", ")
            let cert = folder.appending(path: "cert.pem").path
            let key = folder.appending(path: "key.pem").path
            for number in 0..<count {
                let cluster =
                    """
                    cluster { name: cerca, listen: "127.0.0.1:\(ports[count + number])", routes: [\(routes)] }
                    """
                try """
                server_name: n\(number)
                listen: "127.0.0.1:\(ports[number])"
                jetstream { store_dir: "\(folder.appending(path: "n\(number)").path)", sync_interval: \(sync) }
                \(tls ? "tls { cert_file: \"\(cert)\", key_file: \"\(key)\" }" : "")
                \(count > 1 ? cluster : "")
                accounts {
                    CERCA: { jetstream: enabled, users: [{ user: cerca, password: "\(passwords.0)" }] }
                    $SYS: { users: [{ user: system, password: "\(passwords.1)" }] }
                }
                """.write(to: folder.appending(path: "n\(number).conf"), atomically: true, encoding: .utf8)
            }
            for number in 0..<count { try start(number) }
        }

        deinit { for number in running.indices { kill(number) } }

        /// Starts a server that is not running.
        func start(_ number: Int) throws {
            let process = Process()
            process.executableURL = Self.program
            process.arguments = [
                "--config", folder.appending(path: "n\(number).conf").path, "--log",
                folder.appending(path: "n\(number).log").path,
            ]
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            running[number] = process
        }

        /// Kills a server with SIGKILL.
        func kill(_ number: Int) {
            guard let process = running[number] else { return }
            Foundation.kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            running[number] = nil
        }

        /// Opens a log as soon as the servers have found each other.
        func open(_ settings: LogSettings) async throws -> CommandLog {
            let end = ContinuousClock.now + hangLimit
            while true {
                do { return try await CommandLog.open(settings, on: log) } catch {
                    guard ContinuousClock.now < end, error.mayPass else { throw error }
                    try await Task.sleep(for: .milliseconds(100))
                }
            }
        }

        /// Returns ports below the ephemeral range, or a connection to itself could take one of them.
        private static func freePorts(_ count: Int) throws -> [UInt16] {
            var held: [Int32] = []
            defer { for descriptor in held { close(descriptor) } }
            var ports: [UInt16] = []
            while ports.count < count {
                let port = UInt16.random(in: 10_000..<32_000)
                let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
                try #require(descriptor >= 0)
                held.append(descriptor)
                var address = sockaddr_in()
                address.sin_family = sa_family_t(AF_INET)
                address.sin_port = port.bigEndian
                address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
                let code = withUnsafePointer(to: &address) { address in
                    address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                    }
                }
                if code == 0 { ports.append(port) }
            }
            return ports
        }
    }

    extension LogError {
        /// Whether a server may return the error shortly after its start.
        fileprivate var mayPass: Bool {
            switch self {
            case .unreachable, .unanswered: true
            // Some servers have not joined or not been seen yet.
            case .refused(let code, _): [10_005, 10_008, 10_023, 10_074].contains(code)
            case .unsafe(let found): found.allSatisfy { if case .unseen = $0 { true } else { false } }
            default: false
            }
        }
    }

    func withFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cerca-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder)
    }

    /// Settings of a log on a single server, with leases that outlive the test.
    func trial() -> LogSettings {
        var settings = LogSettings()
        (settings.replicas, settings.allowsUnsafe, settings.lease) = (1, true, hangLimit)
        return settings
    }

    /// Reads messages from position `first` on until there are `count`.
    func read(_ log: CommandLog, from first: UInt64 = 1, count: Int) async throws -> [StreamMessage] {
        var reader = LogReader(log, from: first)
        var messages: [StreamMessage] = []
        let end = ContinuousClock.now + hangLimit
        while messages.count < count, ContinuousClock.now < end {
            messages += try await reader.read(within: .seconds(5))
        }
        return messages
    }
#endif
