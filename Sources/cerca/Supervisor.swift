internal import Discovery
internal import Glibc
internal import ServiceLifecycle

/// Notifies the process that started the service, systemd with a socket in `NOTIFY_SOCKET`, by sd_notify(3).
///
/// It sends when the service is ready and when it stops. If a watchdog is requested, it sends a keep-alive whenever the
/// engine and the file respond, even with an error, because only a service that hangs should be killed.
struct Supervisor: Service {
    private let address: sockaddr_un
    private let length: socklen_t
    /// The interval of keep-alives; nil without a watchdog.
    private let pause: Duration?
    private let engine: Engine

    /// Returns nil without a socket.
    init?(of engine: Engine, environment: [String: String]) {
        guard let path = environment["NOTIFY_SOCKET"], let first = path.utf8.first, [0x2f, 0x40].contains(first) else {
            return nil
        }
        // A name that begins with @ is in the abstract namespace, and is sent with a leading zero byte.
        let bytes = (first == 0x40 ? [0] : [first]) + Array(path.utf8.dropFirst())
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        self.address = address
        length = socklen_t(MemoryLayout.size(ofValue: address.sun_family) + bytes.count)
        let isMeant = environment["WATCHDOG_PID"].map { Int32($0) == getpid() } ?? true
        pause = isMeant ? environment["WATCHDOG_USEC"].flatMap { Int64($0) }.map { .microseconds($0) / 3 } : nil
        self.engine = engine
    }

    /// Sends a state such as `READY=1`; errors are ignored.
    func notify(_ state: String) {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let bytes = Array(state.utf8)
        withUnsafePointer(to: address) { address in
            _ = address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, length)
            }
        }
    }

    /// Sends keep-alives until the service stops, and then sends that.
    func run() async throws {
        try await withGracefulShutdownHandler {
            guard let pause else { return try await gracefulShutdown() }
            await cancelWhenGracefulShutdown {
                while !Task.isCancelled {
                    try? await engine.probe()
                    _ = engine.read { $0.counts }
                    notify("WATCHDOG=1")
                    try? await Task.sleep(for: pause)
                }
            }
        } onGracefulShutdown: {
            notify("STOPPING=1")
        }
    }
}
