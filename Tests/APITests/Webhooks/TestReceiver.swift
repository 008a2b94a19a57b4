import Foundation
import Glibc
import Synchronization
import Testing

/// Blocks threads until it is opened.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    /// Blocks the thread until the gate is open.
    func wait() {
        semaphore.wait()
        semaphore.signal()
    }

    func open() { semaphore.signal() }
}

/// Waits until a condition holds; a test in which it never holds ends by its time limit.
func wait(until holds: () async throws -> Bool) async throws {
    while try await !holds() { try await Task.sleep(for: .milliseconds(5)) }
}

/// A port of 127.0.0.1 with one thread per connection.
final class ThreadedPort: Sendable {
    let port: UInt16
    private let socket: Int32

    /// Opens a free port; `serve` handles each connection on a separate thread and then closes it.
    init(_ serve: @escaping @Sendable (_ connection: Int32) -> Void) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var own = sockaddr_in()
        own.sin_family = sa_family_t(AF_INET)
        own.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = socket
        let isBound = withUnsafeMutablePointer(to: &own) { own in
            own.withMemoryRebound(to: sockaddr.self, capacity: 1) { own in
                bind(socket, own, length) == 0 && listen(socket, 128) == 0 && getsockname(socket, own, &length) == 0
            }
        }
        try #require(isBound, "\(errno)")
        port = UInt16(bigEndian: own.sin_port)
        Thread.detachNewThread {
            while true {
                let connection = accept(socket, nil, nil)
                guard connection >= 0 else { return }
                Thread.detachNewThread {
                    serve(connection)
                    _ = Glibc.close(connection)
                }
            }
        }
    }

    /// Accepts no further connections.
    func close() {
        shutdown(socket, Int32(SHUT_RDWR))
        _ = Glibc.close(socket)
    }
}

/// A receiver of webhooks.
final class TestReceiver: Sendable {
    struct Message: Sendable {
        let path, body: String

        /// The value of a text member.
        func text(_ name: String) -> String? {
            body.firstRange(of: "\"\(name)\":\"").map { String(body[$0.upperBound...].prefix { $0 != "\"" }) }
        }
    }

    private final class Log: Sendable {
        let messages = Mutex<[Message]>([])
    }

    private let log = Log()
    private let listener: ThreadedPort

    /// Opens a receiver on a free port; `hold` is called with each message before the answer, and may block.
    init(hold: @escaping @Sendable (Message) -> Void = { _ in }) throws {
        listener = try ThreadedPort { [log] connection in
            while let message = Self.read(connection) {
                log.messages.withLock { $0.append(message) }
                hold(message)
                let answer = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"
                guard send(connection, answer, answer.utf8.count, Int32(MSG_NOSIGNAL)) > 0 else { return }
            }
        }
    }

    var port: UInt16 { listener.port }

    /// The messages to a path, in order.
    func messages(_ path: String) -> [Message] { log.messages.withLock { $0.filter { $0.path == path } } }

    func close() { listener.close() }

    private static func read(_ connection: Int32) -> Message? {
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            if let end = text.firstRange(of: "\r\n\r\n"),
                let length = text.firstMatch(of: /content-length: (\d+)/.ignoresCase()).flatMap({ Int($0.1) }),
                text[end.upperBound...].utf8.count >= length
            {
                return Message(
                    path: String(text.split(separator: " ").dropFirst().first ?? ""),
                    body: String(text[end.upperBound...]))
            }
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            text += String(decoding: buffer.prefix(count), as: UTF8.self)
        }
    }
}
