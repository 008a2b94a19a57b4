import API
import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import Testing

/// The answers while a large database is loaded.
@Suite(.timeLimit(.minutes(60))) struct StartupListenerTests {
    private func reply(_ address: String) async throws -> (status: UInt, headers: HTTPHeaders, body: String) {
        let response = try await testClient.execute(HTTPClientRequest(url: address), timeout: hangLimit)
        return (response.status.code, response.headers, String(buffer: try await response.body.collect(upTo: 4096)))
    }

    private func wire(_ text: String, to port: Int) throws -> Socket {
        let socket = try Socket(port: port)
        try socket.send(text)
        return socket
    }

    @Test("Until the data are loaded the process is alive and not ready, with the progress in percent, not in numbers")
    func progress() async throws {
        let free = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1).bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(free.localAddress?.port)
        try await free.close()
        let (listener, address) = (StartupListener(.init(port: port)), "http://127.0.0.1:\(port)")
        await #expect(throws: (any Error).self, "nothing is loaded yet") { try await reply("\(address)/livez") }
        for (loaded, percent) in [(100_000, 8), (200_000, 16)] {
            listener.report("people", loaded, of: 1_234_567)
            let alive = try await reply("\(address)/livez")
            #expect(alive.status == 200 && alive.body == #"{"status":"ok"}"#)
            for path in ["/readyz", "/v1/places/nearest?lat=1&lon=1"] {
                let problem = try await reply(address + path)
                #expect(problem.status == 503 && problem.headers["retry-after"] == ["1"])
                #expect(problem.headers["content-type"] == ["application/problem+json"])
                #expect(problem.body.contains("The service loads its data: \(percent) % of people."), "\(problem.body)")
            }
        }
        let head = try await wire("HEAD /readyz HTTP/1.1\r\nhost: a\r\n\r\n", to: port).receive()
        #expect(head.hasPrefix("HTTP/1.1 503") && head.hasSuffix("\r\n\r\n"), "\(head)")
        let broken = try await wire("nonsense\r\n\r\n", to: port).receive()
        #expect(broken.hasPrefix("HTTP/1.1 400"), "\(broken)")
        let others = try (0..<100).map { _ in try wire("", to: port) }
        let refused = try await wire("GET /livez HTTP/1.1\r\n\r\n", to: port).receive()
        #expect(refused.isEmpty, "too many connections are open")
        await listener.close()
        for other in others { #expect(try await other.receive().isEmpty, "its connection is closed") }
        await #expect(throws: (any Error).self) { try await reply("\(address)/livez") }
        // The server can listen there at once.
        let again = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1).bind(host: "127.0.0.1", port: port).get()
        try await again.close()
    }
}
