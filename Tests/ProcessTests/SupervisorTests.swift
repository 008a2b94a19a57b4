import Foundation
import Testing

/// Notifications to the supervisor that started the service, over a real socket.
@Suite(.timeLimit(.minutes(60))) struct SupervisorTests {
    /// A socket that receives the notifications of services.
    private final class Listener {
        private let descriptor: Int32

        /// `name` is a path, or begins with @ for an abstract socket.
        init(_ name: String) throws {
            descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            let bytes = Array(name.replacing(#/^@/#, with: "\0").utf8)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
            let size = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
            let code = withUnsafePointer(to: &address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
            }
            try #require(code == 0)
            // A test fails rather than hangs.
            var timeout = timeval(tv_sec: Int(hangLimit.components.seconds), tv_usec: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        }

        deinit { close(descriptor) }

        /// Returns the next message, which is empty if there is none.
        func next() -> String {
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = recv(descriptor, &bytes, bytes.count, 0)
            return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        }
    }

    @Test("The supervisor is notified of start, liveness, and stop", arguments: [false, true])
    func notifications(isFile: Bool) async throws {
        try await withFolder { folder in
            let name = isFile ? folder.appending(path: "notify").path : "@cerca-test-\(UUID().uuidString)"
            let listener = try Listener(name)
            let service = try await Service(
                data: folder.appending(path: "data"),
                environment: ["NOTIFY_SOCKET": name, "WATCHDOG_USEC": "300000"])
            var reported: [String] = []
            while reported.count(where: { $0 == "WATCHDOG=1" }) < 3 {
                reported.append(listener.next())
                try #require(reported.last != "")
            }
            #expect(reported.count { $0.hasPrefix("READY=1\n") } == 1)
            #expect(reported.contains("READY=1\nSTATUS=listening on \(service.base)"))
            #expect(service.stop() == 0)
            while let last = reported.last, last != "STOPPING=1" {
                reported.append(listener.next())
                try #require(reported.last != "")
            }
        }
    }

    @Test("A watchdog of another process gets no notification") func otherWatchdog() async throws {
        try await withFolder { folder in
            let name = folder.appending(path: "notify").path
            let listener = try Listener(name)
            let service = try await Service(
                data: folder.appending(path: "data"),
                environment: ["NOTIFY_SOCKET": name, "WATCHDOG_USEC": "300000", "WATCHDOG_PID": "1"])
            #expect(listener.next().hasPrefix("READY=1\n"))
            #expect(service.stop() == 0)
            #expect(listener.next() == "STOPPING=1")
        }
    }

    @Test(
        "A socket that cannot be reached does not prevent a start",
        arguments: ["", "relative", "/nowhere/at/all", "/\(String(repeating: "long", count: 50))"])
    func unreachableSocket(name: String) async throws {
        try await withFolder { folder in
            let service = try await Service(data: folder.appending(path: "data"), environment: ["NOTIFY_SOCKET": name])
            #expect(try await service.send("GET /livez").status == 200)
            #expect(service.stop() == 0)
        }
    }
}
