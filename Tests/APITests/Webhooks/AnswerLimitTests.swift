import API
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing
import Webhooks

/// Limits of a receiver's answers.
@Suite(.timeLimit(.minutes(60))) struct AnswerLimitTests {
    /// More than the buffers of both sockets hold.
    private static let many = 64 << 20

    @Test(
        "A connection with an endless answer is closed",
        arguments: [
            ("HTTP/1.1 200 ", "a", false),
            ("", "HTTP/1.1 103 Early Hints\r\nlink: </style.css>\r\n\r\n", false),
            ("HTTP/1.1 200 OK\r\n", "x-name: value\r\n", false),
            ("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;", "extension=value;", true),
            ("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n", "x-name: value\r\n", true),
            ("HTTP/1.1 200 OK\r\n\r\n", "body", true),
        ])
    func endless(beginning: String, more: String, hasStatus: Bool) async throws {
        let written = Mutex(0)
        let port = try ThreadedPort { connection in
            var request = [UInt8](repeating: 0, count: 4096)
            _ = recv(connection, &request, request.count, 0)
            var bytes = Array(beginning.utf8)
            let piece = [UInt8](Array(repeating: Array(more.utf8), count: 65_536 / more.utf8.count).joined())
            while written.withLock({ $0 }) < Self.many {
                let count = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
                guard count > 0 || bytes.isEmpty else { return }
                written.withLock { $0 += count }
                bytes = piece
            }
        }
        defer { port.close() }
        try await withServer {
            $0.webhooks = (try? .init(allowing: "127.0.0.1")) ?? $0.webhooks
        } _: { server in
            try await server.send("PUT /v1/webhooks/h", #"{"url":"http://127.0.0.1:\#(port.port)/"}"#)
            let reply = try await server.send("POST /v1/webhooks/h/test")
            #expect(reply.body.contains(hasStatus ? #""status":200"# : #""error":""#), "\(reply.body)")
        }
        let count = written.withLock { $0 }
        #expect(count < Self.many, "\(count) bytes were taken")
    }

    @Test("The limit applies to each answer of a connection") func connections() async throws {
        let port = try ThreadedPort { connection in
            var request = [UInt8](repeating: 0, count: 16_384)
            let answer =
                "HTTP/1.1 200 OK\r\nx-long: \(String(repeating: "a", count: 4000))\r\ncontent-length: 0\r\n\r\n"
            while recv(connection, &request, request.count, 0) > 0 {
                guard send(connection, answer, answer.utf8.count, Int32(MSG_NOSIGNAL)) > 0 else { return }
            }
        }
        defer { port.close() }
        try await withServer {
            $0.webhooks = (try? .init(allowing: "127.0.0.1")) ?? $0.webhooks
        } _: { server in
            try await server.send("PUT /v1/webhooks/h", #"{"url":"http://127.0.0.1:\#(port.port)/"}"#)
            for _ in 0..<40 {
                let reply = try await server.send("POST /v1/webhooks/h/test")
                #expect(reply.body.contains(#""status":200"#), "\(reply.body)")
            }
        }
    }
}
