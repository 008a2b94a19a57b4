import API
import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import Testing

/// The answers while a large database is loaded.
struct StartupListenerTests {
    private func reply(_ address: String) async throws -> (status: UInt, headers: HTTPHeaders, body: String) {
        let response = try await testClient.execute(HTTPClientRequest(url: address), timeout: hangLimit)
        return (response.status.code, response.headers, String(buffer: try await response.body.collect(upTo: 4096)))
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
        await listener.close()
        await #expect(throws: (any Error).self) { try await reply("\(address)/livez") }
        // The server can listen there at once.
        let again = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1).bind(host: "127.0.0.1", port: port).get()
        try await again.close()
    }
}
