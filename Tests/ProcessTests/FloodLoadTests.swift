import Foundation
import Laws
import Testing

/// Clients that keep sending and read nothing.
@Suite(.serialized, .timeLimit(.minutes(60))) struct FloodLoadTests {
    private static let clients = 50

    private static let request = "GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n"

    /// A connection whose answers are not read.
    private final class Deaf {
        private let descriptor: Int32
        private static let requests = Array(String(repeating: request, count: 2000).utf8)

        init(port: Int) throws {
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = in_port_t(port).bigEndian
            address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
            let result = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            try #require(result == 0)
        }

        deinit { close(descriptor) }

        /// Sends a short text.
        func say(_ text: some StringProtocol) { Foundation.send(descriptor, Array(text.utf8), text.utf8.count, 0) }

        /// Sends as much as the socket takes now, and returns the number of bytes.
        func send() -> Int {
            var sent = 0
            while true {
                let count = Self.requests.withUnsafeBytes {
                    Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT))
                }
                guard count > 0 else { return sent }
                sent += count
            }
        }
    }

    @Test("Requests sent ahead by clients that do not read are not held in memory") func unreadAnswers() async throws {
        try await withFolder { folder in
            let service = try await Service(
                data: folder.appending(path: "data"),
                environment: ["CERCA_LIMITS_ADDRESS_RATE": "0", "MALLOC_ARENA_MAX": "1"])
            let port = try #require(URL(string: service.base)?.port)
            for _ in 0..<20 { try await service.send("GET /livez") }
            let before = try service.memory
            let clients = try (0..<Self.clients).map { _ in try Deaf(port: port) }
            var (most, quiet) = (0, 0)
            while quiet < 20 {
                let sent = clients.reduce(0) { $0 + $1.send() }
                quiet = sent == 0 ? quiet + 1 : 0
                try await service.send("GET /livez")
                most = max(most, try service.memory - before)
            }
            #expect(most < 32 << 20, "bytes of memory more than before: \(most)")
            withExtendedLifetime(clients) {}
            #expect(service.stop() == 0)
        }
    }

    /// Silent connections, half a request head, and connections that have been answered.
    @Test(
        "Idle connections take little memory and block no other client",
        .enabled(if: Files.allowed >= connections + 500, "too few files may be open"))
    func idleConnections() async throws {
        Files.allowAll()
        try await withFolder { folder in
            let service = try await Service(
                data: folder.appending(path: "data"),
                environment: [
                    "CERCA_LIMITS_ADDRESS_RATE": "0", "CERCA_LIMITS_ADDRESS_CONNECTIONS": "0", "MALLOC_ARENA_MAX": "1",
                ])
            let port = try #require(URL(string: service.base)?.port)
            for _ in 0..<20 { try await service.send("GET /livez") }
            let before = try service.memory
            var clients: [Deaf] = []
            for number in 0..<Self.connections {
                clients.append(try Deaf(port: port))
                clients[number].say(["", Self.request.prefix(20), Self.request[...]][number % 3])
                // One at a time, so that the system refuses none.
                if number % 100 == 99 { try await service.send("GET /livez") }
            }
            #expect(try await service.send("GET /v1/places/nearest?lat=1&lon=2").status == 200)
            let each = (try service.memory - before) / Self.connections
            print("\(each) bytes of memory for an idle connection")
            #expect(each < 50_000)
            clients = []
            // All connections are released.
            var open = Self.connections
            while open > 10 {
                let metrics = try await service.send("GET /metrics").body
                open = try #require(metrics.firstMatch(of: #/cerca_http_connections (\d+)/#).flatMap { Int($0.1) })
            }
            #expect(service.stop() == 0)
        }
    }

    /// In the full run the maximum of the service, except for those that the test itself uses.
    private static let connections = RandomCases.count(4000, all: 9950)

    /// The number of files that this process may have open.
    private enum Files {
        private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)

        static var allowed: Int {
            var files = rlimit()
            return getrlimit(resource, &files) == 0 ? Int(clamping: files.rlim_max) : 0
        }

        static func allowAll() {
            var files = rlimit()
            guard getrlimit(resource, &files) == 0 else { return }
            files.rlim_cur = files.rlim_max
            setrlimit(resource, &files)
        }
    }
}
