public import AsyncHTTPClient
public import Foundation
internal import NIOCore
internal import NIOHTTP1

/// A running service, and who asks it.
///
/// Everything throws ``CercaError``, or `CancellationError` in a task that was cancelled.
public struct CercaClient: Sendable {
    /// The connections that clients share if they are given none.
    ///
    /// An answer or stream that is silent for a minute is given up, no redirection is followed, and a connection that cannot
    /// be made is an error at once.
    public static let http: HTTPClient = {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.timeout.read = .seconds(60)
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    /// No answer is longer, in bytes.
    private static let longest = 256 << 20

    private let base: String
    /// A function, not a text: whoever prints or dumps a client sees no token.
    private let authorize: @Sendable (inout HTTPHeaders) -> Void
    private let retries: Retries
    private let http: HTTPClient

    /// Nothing is sent yet.
    ///
    /// - Parameters:
    ///   - url: where the service is, such as `http://127.0.0.1:8080`.
    ///   - token: of a person, service or device; nil for a service without keys.
    ///   - retries: how often what may be repeated is sent again.
    ///   - http: the connections; whoever makes some shuts them down.
    public init(url: URL, token: String? = nil, retries: Retries = Retries(), http: HTTPClient = CercaClient.http) {
        let text = url.absoluteString
        base = text.hasSuffix("/") ? String(text.dropLast()) : text
        authorize = { headers in
            if let token { headers.add(name: "authorization", value: "Bearer \(token)") }
        }
        self.retries = retries
        self.http = http
    }

    /// Asks what this library has no question for.
    ///
    /// Times in the answer are read as RFC 3339.
    ///
    /// - Throws: ``CercaError``, also for an answer that is no such `Answer`.
    public func ask<Answer: Decodable & Sendable>(_ request: Request, for type: Answer.Type = Answer.self) async throws
        -> Answer
    {
        try JSON.read(type, from: try await send(request), of: request)
    }

    /// Sends a request, and waits for the whole answer: at most 256 MiB.
    ///
    /// - Returns: the body.
    /// - Throws: ``CercaError`` for no answer, or one that is no success.
    @discardableResult
    public func send(_ request: Request) async throws -> Data {
        try await perform(request, whole)
    }

    /// Sends a body that comes in pieces, such as a file, and waits for the whole answer: at most 256 MiB.
    ///
    /// It is sent once, for its pieces may not come twice. It takes as long as it does, and the connections decide how long
    /// the service may be silent.
    ///
    /// - Returns: the body of the answer.
    /// - Throws: ``CercaError``, also for pieces that fail.
    public func upload<Pieces: AsyncSequence & Sendable>(_ request: Request, _ pieces: Pieces) async throws -> Data
    where Pieces.Element == Data {
        let body = HTTPClientRequest.Body.stream(pieces.map { ByteBuffer(bytes: $0) }, length: .unknown)
        return try await once(request, body, patience: .hours(24), whole)
    }

    /// Sends a request, and hands on the answer piece by piece, such as an export.
    ///
    /// - Throws: ``CercaError``, or what `take` throws.
    public func download(_ request: Request, _ take: (Data) throws -> Void) async throws {
        let fault: (any Error)? = try await once(request, patience: .hours(24)) { response in
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

    /// Sends a request until `read` has read an answer that is a success, as often as may be.
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
        _ request: Request, _ body: HTTPClientRequest.Body? = nil, patience: TimeAmount = .seconds(60),
        _ read: (HTTPClientResponse) async throws -> Result
    ) async throws -> Result {
        var message = HTTPClientRequest(url: base + request.path)
        message.method = HTTPMethod(rawValue: request.method.rawValue)
        for (name, value) in request.headers { message.headers.add(name: name, value: value) }
        if body != nil { message.headers.add(name: "content-type", value: request.type) }
        message.body = body
        authorize(&message.headers)
        do {
            let response = try await http.execute(message, timeout: patience)
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
