import Discovery
import Foundation
import Logging
import NIOCore
import Synchronization
import Testing

/// Clients that break HTTP or disconnect: they get an error if they still read, and cause no errors in the log.
@Suite(.timeLimit(.minutes(60))) struct FramingTests {
    private func head(_ path: String, _ framing: String, type: String = "application/json") -> String {
        "POST \(path) HTTP/1.1\r\nhost: localhost\r\ncontent-type: \(type)\r\n\(framing)\r\n\r\n"
    }

    @Test("A body without valid framing is the client's error", arguments: ["/v1/pings", "/v1/imports/people"])
    func badFraming(path: String) async throws {
        let log = RecordedLog()
        try await withServer(logger: log.logger) { server in
            let type = path == "/v1/pings" ? "application/json" : "text/csv"
            let socket = try Socket(server)
            try socket.send(head(path, "transfer-encoding: chunked", type: type) + "zz\r\n\r\n")
            let answer = try await socket.receive()
            #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
            #expect(answer.contains(#""code":"malformed_request""#))
        }
        #expect(log.errors.isEmpty)
    }

    @Test(
        "Invalid HTTP is refused with the reason",
        arguments: [
            ("GET /v1/places?q=niño HTTP/1.1\r\n\r\n", "'%C3%B1'"), ("HELLO\r\n\r\n", "HTTP/1.1"),
            ("GET /livez HTTP/1.1\r\nno field\r\n\r\n", "HTTP/1.1"),
            ("GET /livez HTTP/1.1\r\nhost: a\(CombiningMarkTests.tooMany)\r\n\r\n", "A header has more than 30"),
            (
                "GET /livez HTTP/1.1\r\nhost: localhost\r\nx: \(String(repeating: "a", count: 16_384))\r\n\r\n",
                "16384 bytes"
            ),
            (
                "GET /v1/\(String(repeating: "a/", count: 2048)) HTTP/1.1\r\nhost: localhost\r\n\r\n",
                "The path has more than 4096 bytes"
            ),
            (
                "GET /?q=a\(CombiningMarkTests.encoded(CombiningMarkTests.tooMany)) HTTP/1.1\r\nhost: localhost\r\n\r\n",
                "The address has more than 30"
            ),
        ])
    func notHTTP(request: String, why: String) async throws {
        try await withServer { server in
            for before in ["", "GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n"] {
                let socket = try Socket(server)
                try socket.send(before + request)
                let answers = try await socket.receive().components(separatedBy: "HTTP/1.1 400 Bad Request\r\n")
                #expect(answers.count == 2 && answers[0].isEmpty == before.isEmpty, "\(answers)")
                let parts = try #require(answers.last).components(separatedBy: "\r\n\r\n")
                let head = parts[0].lowercased()
                #expect(head.contains("connection: close") && head.contains("content-type: application/problem+json"))
                let body = try #require(parts.last)
                #expect(head.contains("content-length: \(body.utf8.count)"))
                #expect(body.contains(#""code":"malformed_request""#) && body.contains(why), "\(body)")
                let id = try #require("\(head)\r\n".firstMatch(of: RequestIdTests.header)?.1, "\(head)")
                #expect(body.contains(#""instance":"urn:cerca:request:\#(id)""#))
            }
        }
    }

    @Test("A body in chunks of one byte is read completely") func smallChunks() async throws {
        try await withServer { server in
            let socket = try Socket(server)
            let body = "{\"name\":\"\(String(repeating: "Ana ", count: 40))\"}"
            let chunks = body.map { "1\r\n\($0)\r\n" }.joined() + "0\r\n\r\n"
            let last = "GET /v1/people/ana HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"
            let framing = "transfer-encoding: chunked"
            try socket.send(
                head("/v1/people/ana", framing).replacing("POST", with: "PUT", maxReplacements: 1) + chunks + last)
            let answers = try await socket.receive()
            #expect(answers.matches(of: #/HTTP/1\.1 (\d+)/#).map { String($0.1) } == ["201", "200"])
            #expect(answers.contains("Ana Ana Ana") && answers.lowercased().contains("connection: close"))
        }
    }

    @Test("Rows that arrived before a client disconnected are imported", arguments: [false, true])
    func disconnectedImport(isReset: Bool) async throws {
        let log = RecordedLog()
        try await withServer(logger: log.logger) { server in
            let socket = try Socket(server)
            let rows = (0..<1500).map { "p\($0)\n" }.joined()
            try socket.send(head("/v1/imports/people", "content-length: 9999999", type: "text/csv") + "id\n" + rows)
            while server.engine.read({ $0.counts.people }) < 1000 { await Task.yield() }
            // A reset may discard bytes that the service has not read yet.
            if isReset { socket.reset() } else { socket.endSending() }
            while !isReset, server.engine.read({ $0.counts.people }) < 1500 { await Task.yield() }
        }
        #expect(log.errors.isEmpty)
    }

    @Test("A truncated body is not an error of the service") func truncatedBody() async throws {
        let log = RecordedLog()
        try await withServer(logger: log.logger) { server in
            let socket = try Socket(server)
            try socket.send(head("/v1/pings", "content-length: 100") + "{")
            socket.endSending()
            let answer = try await socket.receive()
            #expect(answer.isEmpty || answer.contains(#""code":"malformed_request""#))
        }
        #expect(log.errors.isEmpty)
    }

    @Test("A stop during a body is not an error of the service") func stoppedBody() async throws {
        let log = RecordedLog()
        let socket = Mutex<Socket?>(nil)
        try await withServer(logger: log.logger) { server in
            let client = try Socket(server)
            socket.withLock { $0 = client }
            let rows = (0..<1000).map { "p\($0)\n" }.joined()
            try client.send(head("/v1/imports/people", "content-length: 9999999", type: "text/csv") + "id\n" + rows)
            while server.engine.read({ $0.counts.people }) < 1000 { await Task.yield() }
        }
        #expect(log.errors.isEmpty)
    }
}

/// A log that is recorded, to find entries that would alert an operator.
final class RecordedLog: Sendable {
    private let lines = Mutex<[(level: Logger.Level, text: String)]>([])

    /// The entries of a level, with their metadata in the order of names.
    func lines(at level: Logger.Level) -> [String] {
        lines.withLock { lines in lines.filter { $0.level == level }.map(\.text) }
    }

    /// The service's own warnings and errors, except for connections that are cut at the end of a test.
    var errors: [String] {
        lines.withLock { lines in
            // A busy machine makes answers slow.
            let others = ["Waiting on child channel", "answered slowly"]
            return lines.filter { line in line.level >= .warning && !others.contains(where: line.text.hasPrefix) }
                .map(\.text)
        }
    }

    var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }

    private struct Handler: LogHandler {
        let log: RecordedLog
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.debug

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let more = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            log.lines.withLock { $0.append((event.level, ([event.message.description] + more).joined(separator: " "))) }
        }
    }
}

/// A raw connection.
final class Socket: Sendable {
    private let descriptor: Int32

    struct Failure: Error { let number = errno }

    /// Connects; `window` is about the number of unread bytes that the service can send, nil for the default.
    convenience init(_ server: TestServer, window: Int32? = nil) throws {
        try self.init(port: URL(string: server.base)?.port ?? 0, window: window)
    }

    init(port: Int, window: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var window { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &window, socklen_t(MemoryLayout<Int32>.size)) }
        // If the service never disconnects, the test fails rather than hangs.
        var timeout = timeval(tv_sec: Int(hangLimit.nanoseconds / 1_000_000_000), tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure() }
    }

    deinit { close(descriptor) }

    func send(_ text: String) throws { try send(Data(text.utf8)) }

    func send(_ bytes: Data) throws {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw Failure() }
            rest = rest.dropFirst(count)
        }
    }

    /// Sends a text that may not fit into the buffers, without blocking one of the few threads of the service.
    func sendAll(_ text: String) async throws {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result { try self.send(text) }) }
        }
    }

    /// Ends this side of the connection, but still reads.
    func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Disconnects with a reset, which Linux does when a socket connects to no address.
    func reset() {
        var nowhere = sockaddr()
        nowhere.sa_family = sa_family_t(AF_UNSPEC)
        connect(descriptor, &nowhere, socklen_t(MemoryLayout<sockaddr>.size))
    }

    /// Waits without reading until the service has reset the connection.
    func untilReset() async throws {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { [descriptor] in
                var state = pollfd(fd: descriptor, events: 0, revents: 0)
                for _ in 0..<6000 where state.revents & Int16(POLLHUP | POLLERR) == 0 {
                    poll(&state, 1, 100)
                    // A closed socket answers with a reset, even if everything before was read.
                    Foundation.send(descriptor, "G", 1, Int32(MSG_NOSIGNAL))
                }
                let isReset = state.revents & Int16(POLLHUP | POLLERR) != 0
                continuation.resume(with: isReset ? .success(()) : .failure(Failure()))
            }
        }
    }

    /// Reads until the service ends the connection, up to a number of bytes, or until the data ends with a text.
    func receive(atMost most: Int = .max, until end: String? = nil) async throws -> String {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { [descriptor] in
                var answer: [UInt8] = []
                var piece = [UInt8](repeating: 0, count: 4096)
                let end = end.map { Array($0.utf8) }
                while answer.count < most, end.map({ !answer.suffix($0.count).elementsEqual($0) }) ?? true {
                    let count = read(descriptor, &piece, min(piece.count, most - answer.count))
                    guard count > 0 else { break }
                    answer += piece[..<count]
                }
                continuation.resume(returning: String(decoding: answer, as: UTF8.self))
            }
        }
    }
}
