internal import Foundation
internal import Glibc

/// A raw connection, closed with its last owner.
final class SiegeSocket: Sendable {
    private let descriptor: Int32

    /// Connects from a loopback address; nil if the connection is refused or takes longer than a second.
    init?(from source: String, to base: String) {
        guard let url = URL(string: base), let port = url.port.flatMap(UInt16.init(exactly:)) else { return nil }
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
        var timeout = timeval(tv_sec: 1, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        guard Self.withAddress(source, 0, { bind(descriptor, $0, $1) }) == 0,
            Self.withAddress("127.0.0.1", port, { connect(descriptor, $0, $1) }) == 0,
            fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0
        else { return nil }
    }

    deinit { close(descriptor) }

    /// Sends as many bytes as possible without blocking.
    ///
    /// - Returns: their number; -1 if the connection is closed, or nothing can be sent now.
    func send(_ bytes: [UInt8]) -> Int { Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

    /// Returns at most 16 KiB of available bytes; empty if there are none.
    func receive() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 16 << 10) { buffer, count in
            count = max(0, recv(descriptor, buffer.baseAddress, buffer.count, 0))
        }
    }

    private static func withAddress(
        _ text: String, _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        guard inet_pton(AF_INET, text, &address.sin_addr) == 1 else { return -1 }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
