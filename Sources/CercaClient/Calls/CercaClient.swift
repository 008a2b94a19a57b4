public import AsyncHTTPClient
public import Foundation
internal import NIOCore
internal import NIOHTTP1

/// A client of a running service, with the identity of the caller.
///
/// All methods throw ``CercaError``, or `CancellationError` in a canceled task.
public struct CercaClient: Sendable {
    /// The connection pool shared by clients that are given none.
    ///
    /// The read timeout of a response or stream is one minute. Redirects are not followed, and a failed connection
    /// attempt is an error immediately.
    public static let http: HTTPClient = {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.timeout.read = .seconds(60)
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    /// Maximum size of a response, in bytes.
    private static let longest = 256 << 20

    private let base: String
    /// A closure instead of a string, so that printing or dumping a client does not reveal the token.
    private let authorize: @Sendable (inout HTTPHeaders) -> Void
    private let retries: Retries
    private let http: HTTPClient

    /// Creates a client without connecting.
    ///
    /// - Parameters:
    ///   - url: the base URL of the service, such as `http://127.0.0.1:8080`.
    ///   - token: the token of a person, service or device; nil for a service without keys.
    ///   - retries: how repeatable requests are retried.
    ///   - http: the connection pool; the caller must shut down a pool of its own.
    public init(url: URL, token: String? = nil, retries: Retries = Retries(), http: HTTPClient = CercaClient.http) {
        let text = url.absoluteString
        base = text.hasSuffix("/") ? String(text.dropLast()) : text
        authorize = { headers in
            if let token { headers.add(name: "authorization", value: "Bearer \(token)") }
        }
        self.retries = retries
        self.http = http
    }

    /// Sends a request for which this library has no method, and decodes the response.
    ///
    /// Times in the response are RFC 3339.
    ///
    /// - Throws: ``CercaError``, also for a response that is not an `Answer`.
    public func ask<Answer: Decodable & Sendable>(_ request: Request, for type: Answer.Type = Answer.self) async throws
        -> Answer
    {
        try JSON.read(type, from: try await send(request), of: request)
    }

    /// Sends a request and waits for the whole response, at most 256 MiB.
    ///
    /// - Returns: the body.
    /// - Throws: ``CercaError`` for a missing or unsuccessful response.
    @discardableResult
    public func send(_ request: Request) async throws -> Data {
        try await perform(request, whole)
    }

    /// Sends a body in pieces, such as a file, and waits for the whole response, at most 256 MiB.
    ///
    /// There are no retries, because the pieces may not be available twice. There is no overall timeout; the connection
    /// pool's read timeout limits how long the service may be silent.
    ///
    /// - Returns: the body of the response.
    /// - Throws: ``CercaError``, also for an error of the pieces.
    public func upload<Pieces: AsyncSequence & Sendable>(_ request: Request, _ pieces: Pieces) async throws -> Data
    where Pieces.Element == Data {
        let body = HTTPClientRequest.Body.stream(pieces.map { ByteBuffer(bytes: $0) }, length: .unknown)
        return try await once(request, body, timeout: .hours(24), whole)
    }

    /// Sends a request and passes the response on in pieces, such as an export.
    ///
    /// - Throws: ``CercaError``, or an error of `take`.
    public func download(_ request: Request, _ take: (Data) throws -> Void) async throws {
        let fault: (any Error)? = try await once(request, timeout: .hours(24)) { response in
            for try await piece in response.body {
                do { try take(Data(piece.readableBytesView)) } catch { return error }
            }
            return nil
        }
        if let fault { throw fault }
    }

    private func whole(_ response: HTTPClientResponse) async throws -> Data {
        Data(try await response.body.collect(upTo: Self.longest).readableBytesView)
    }

    /// Sends a request until `read` has read a successful response, as often as ``Retries`` allow.
    func perform<Result>(
        _ request: Request, _ read: (HTTPClientResponse) async throws -> Result
    ) async throws -> Result {
        var tries = 0
        while true {
            tries += 1
            do { return try await once(request, request.body.map { .bytes(ByteBuffer(string: $0)) }, read) } catch let
                error as CercaError
            {
                guard request.mayBeRepeated, error.isTransient,
                    let pause = retries.pause(after: tries, atLeast: error.retryAfter)
                else { throw error }
                try await Task.sleep(for: pause)
            }
        }
    }

    private func once<Result>(
        _ request: Request, _ body: HTTPClientRequest.Body? = nil, timeout: TimeAmount = .seconds(60),
        _ read: (HTTPClientResponse) async throws -> Result
    ) async throws -> Result {
        var message = HTTPClientRequest(url: base + request.path)
        message.method = HTTPMethod(rawValue: request.method.rawValue)
        for (name, value) in request.headers { message.headers.add(name: name, value: value) }
        if body != nil { message.headers.add(name: "content-type", value: request.type) }
        message.body = body
        authorize(&message.headers)
        do {
            let response = try await http.execute(message, timeout: timeout)
            guard (200..<300).contains(response.status.code) else {
                throw try await CercaError(answer: response, to: request)
            }
            return try await read(response)
        } catch let error as CercaError { throw error } catch {
            try Task.checkCancellation()
            throw CercaError(noAnswer: error, to: request)
        }
    }
}
