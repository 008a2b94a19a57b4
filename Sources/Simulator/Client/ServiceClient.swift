internal import AsyncHTTPClient
internal import Foundation
internal import Geo
internal import NIOCore
internal import NIOFoundationCompat
internal import NIOHTTP1

/// A request as HTTP has it.
struct Message: Hashable, Sendable {
    enum Method: String, Sendable { case GET, PUT, POST, DELETE }

    var method: Method
    var path: String
    var body: String?
    var type = "application/json"

    init(_ method: Method, _ path: String, _ body: String? = nil) {
        self.method = method
        self.path = path
        self.body = body
    }
}

/// The service over HTTP.
struct ServiceClient: Sendable {
    /// No answer takes longer, in seconds.
    private static let timeout: Int64 = 60

    private let base: String
    private let token: String?
    private let http: HTTPClient

    init(base: String, token: String?, connections: Int) {
        self.base = base.hasSuffix("/") ? String(base.dropLast()) : base
        self.token = token
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
        configuration.httpVersion = .http1Only
        http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    func close() async throws { try await http.shutdown() }

    /// What went wrong with a request.
    struct Failure: Error, CustomStringConvertible {
        /// The status of the answer; nil if there was none.
        var status: UInt?
        let description: String
    }

    /// - Throws: ``Failure`` for no answer, or one that is no success.
    func send(_ message: Message, limit: Int = 64 << 20) async throws(Failure) -> Data {
        var request = HTTPClientRequest(url: base + message.path)
        request.method = HTTPMethod(rawValue: message.method.rawValue)
        if let body = message.body {
            request.headers.add(name: "content-type", value: message.type)
            request.body = .bytes(ByteBuffer(string: body))
        }
        if let token { request.headers.add(name: "authorization", value: "Bearer \(token)") }
        let (status, reply): (UInt, Data)
        do {
            let response = try await http.execute(request, timeout: .seconds(Self.timeout))
            reply = Data(buffer: try await response.body.collect(upTo: limit))
            status = response.status.code
        } catch { throw Failure(description: "\(message.method) \(message.path): no answer: \(error)") }
        guard (200..<300).contains(status) else {
            throw Failure(
                status: status,
                description: "\(message.method) \(message.path): \(status) \(String(decoding: reply, as: UTF8.self))")
        }
        return reply
    }

    func ask<Answer: Decodable>(_ message: Message, _ type: Answer.Type = Answer.self) async throws(Failure) -> Answer {
        let reply = try await send(message)
        do { return try JSONDecoder().decode(Answer.self, from: reply) } catch {
            throw Failure(
                description: "\(message.path): unexpected: \(String(decoding: reply.prefix(500), as: UTF8.self))")
        }
    }
}
