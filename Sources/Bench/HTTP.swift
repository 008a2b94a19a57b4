internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1

extension HTTPClient.Configuration {
    init(connections: Int) {
        self.init()
        connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
    }
}

extension HTTPClient {
    func send(
        _ method: HTTPMethod, _ url: String, headers: [(name: String, value: String)] = [], _ body: ByteBuffer? = nil,
        timeout: TimeAmount = .seconds(30)
    ) async throws -> (response: HTTPClientResponse, body: String) {
        var request = HTTPClientRequest(url: url)
        request.method = method
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        request.body = body.map { .bytes($0) }
        let response = try await execute(request, timeout: timeout)
        return (response, String(buffer: try await response.body.collect(upTo: 256 << 20)))
    }

    /// Sends pings, all of which must be stored.
    func store(_ pings: String, count: Int, at base: String) async throws {
        let reply = try await post("\(base)/v1/pings", pings)
        guard reply.hasPrefix("{\"stored\":\(count),") else {
            throw MeasurementError("not all were stored: \(reply.prefix(300))")
        }
    }

    /// Puts a document, which must succeed.
    func put(_ url: String, _ body: String) async throws {
        let reply = try await send(.PUT, url, headers: [("content-type", "application/json")], ByteBuffer(string: body))
        guard (200..<300).contains(reply.response.status.code) else { throw MeasurementError(reply.body) }
    }

    /// Sends a body.
    ///
    /// - Returns: the body of the response.
    @discardableResult
    func post(_ url: String, _ body: String, type: String = "application/json") async throws -> String {
        try await send(.POST, url, headers: [("content-type", type)], ByteBuffer(string: body)).body
    }
}
