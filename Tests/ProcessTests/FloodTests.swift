import Foundation
import Testing

/// Clients who send on and on, and read nothing.
@Suite struct FloodTests {
    private static let clients = 50

    /// A connection whose answers nobody reads.
    private final class Deaf {
        private let descriptor: Int32
        private static let requests = Array(
            String(repeating: "GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n", count: 2000).utf8)

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

        /// Sends what can be sent now, and says how much that was.
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

    @Test(.timeLimit(.minutes(3))) func whatIsSentAheadWithoutReadingIsNotHeld() async throws {
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
            #expect(service.stop().code == 0)
        }
    }
}
