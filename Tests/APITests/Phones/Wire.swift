import Foundation
import NIOCore
import NIOHTTP1

/// A raw connection to a server for consecutive requests.
final class Wire: Sendable {
    /// An error of the connection with its number, or no data from the server for ``hangLimit``.
    struct Failure: Error { let number = errno }

    private let descriptor: Int32

    init(_ server: TestServer) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var timeout = timeval(tv_sec: Int(hangLimit.nanoseconds / 1_000_000_000), tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var isOn: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(URL(string: server.base)?.port ?? 0).bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure() }
    }

    func close() { Foundation.close(descriptor) }

    /// Closes the connection with a reset, which the server notices while it computes an answer.
    func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    /// Ends this side of the connection, but still reads.
    func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            // A disconnected server must not cause a signal.
            let count = bytes.withUnsafeBytes { rest in
                Foundation.send(
                    descriptor, rest.baseAddress?.advanced(by: sent), rest.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure() }
            sent += count
        }
    }

    /// Waits for the answer to a request, without blocking a thread that others need.
    func answer() async throws -> TestServer.Reply {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result { try self.receive() }) }
        }
    }

    /// Blocks until the answer to a request is complete, and returns it.
    ///
    /// An answer of status 0 means that the server disconnected.
    func receive() throws -> TestServer.Reply {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        var end: Int?
        var reply = TestServer.Reply(status: 0, headers: [:], body: "")
        while true {
            if end == nil, let head = Self.end(of: bytes) {
                end = head
                (reply.status, reply.headers) = Self.head(String(decoding: bytes[..<head], as: UTF8.self))
            }
            if let end, bytes.count - end >= reply.headers.first(name: "content-length").flatMap({ Int($0) }) ?? 0 {
                reply.body = String(decoding: bytes[end...], as: UTF8.self)
                return reply
            }
            let count = read(descriptor, &piece, piece.count)
            guard count >= 0 else { throw Failure() }
            guard count > 0 else { return TestServer.Reply(status: 0, headers: [:], body: "") }
            bytes += piece[..<count]
        }
    }

    private static func end(of bytes: [UInt8]) -> Int? {
        bytes.indices.dropLast(3).first { bytes[$0..<$0 + 4].elementsEqual([13, 10, 13, 10]) }.map { $0 + 4 }
    }

    private static func head(_ text: String) -> (Int, HTTPHeaders) {
        let lines = text.split(separator: "\r\n")
        var headers = HTTPHeaders()
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers.add(
                name: String(parts[0]), value: parts.count == 2 ? parts[1].trimmingCharacters(in: .whitespaces) : "")
        }
        return (Int(lines.first?.split(separator: " ").dropFirst().first ?? "") ?? 0, headers)
    }
}
