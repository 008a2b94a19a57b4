internal import AsyncHTTPClient
internal import Foundation
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL

/// Why a request was not answered, as the service's problem document (RFC 9457) says it, or that no answer came.
///
/// It never has the token, nor the query of the request.
public struct CercaError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was asked, such as `GET /v1/places/nearest`.
    public let request: String
    /// The status of the answer; nil if there was none.
    public let status: Int?
    /// The code of the problem, for programs, such as `not_found`; nil if the answer was no problem document.
    public let code: String?
    /// What is wrong, for people.
    public let detail: String
    /// What is wrong with single members of a body, or parameters.
    public let errors: [FieldError]
    /// The id by which the service's messages know the request.
    public let requestID: String?
    /// How long the service asks to wait; nil if it does not say so in seconds.
    public let retryAfter: Duration?
    /// Whether the same request may be answered later: the connection broke, or the status is 429 or 503.
    public let isTransient: Bool

    /// What is wrong with one value.
    public struct FieldError: Codable, Hashable, Sendable {
        /// A JSON pointer, or `?` and the name of a parameter.
        public var pointer: String
        /// For programs.
        public var code: String
        /// For people.
        public var detail: String

        package enum CodingKeys: String, CodingKey, CaseIterable { case pointer, code, detail }
    }

    /// What is asked, the status, the code, the detail and the id of the request.
    public var description: String {
        let head = [status.map(String.init), code].compactMap(\.self).joined(separator: " ")
        return "\(request): \(head.isEmpty ? "" : head + ": ")\(detail)\(requestID.map { " (request \($0))" } ?? "")"
    }

    /// The problem document of an answer.
    package struct Problem: Decodable {
        var code: String?
        var detail: String?
        var title: String?
        var errors: [FieldError]?

        package enum CodingKeys: String, CodingKey, CaseIterable { case code, detail, title, errors }
    }

    /// That of an answer that is no success.
    init(answer: HTTPClientResponse, to request: CercaClient.Request) async throws {
        let body = try await answer.body.collect(upTo: 1 << 20)
        // What a proxy says instead of the service may be anything.
        let problem = try? JSONDecoder().decode(Problem.self, from: Data(body.readableBytesView))
        self.request = request.name
        status = Int(answer.status.code)
        code = problem?.code
        detail = problem?.detail ?? problem?.title ?? answer.status.reasonPhrase
        errors = problem?.errors ?? []
        requestID = answer.headers.first(name: "x-request-id")
        retryAfter = answer.headers.first(name: "retry-after").flatMap { Int($0) }.flatMap {
            (0...86_400).contains($0) ? .seconds($0) : nil
        }
        isTransient = [.tooManyRequests, .serviceUnavailable].contains(answer.status)
    }

    /// That of a request to which no whole answer came.
    init(noAnswer error: any Error, to request: CercaClient.Request) {
        self.init(request, status: nil, Self.sentence(error), isTransient: Self.isOfConnection(error))
    }

    /// That of an answer that is a success, and not what was expected.
    init(unexpected error: any Error, to request: CercaClient.Request) {
        self.init(request, status: 200, "The answer is not what was expected: \(error)", isTransient: false)
    }

    private init(_ request: CercaClient.Request, status: Int?, _ detail: String, isTransient: Bool) {
        self.request = request.name
        self.status = status
        code = nil
        self.detail = detail
        errors = []
        requestID = nil
        retryAfter = nil
        self.isTransient = isTransient
    }

    private static func sentence(_ error: any Error) -> String {
        let cause = (error as? NIOConnectionError)?.connectionErrors.last?.error ?? error
        switch cause {
        case let cause as IOError:
            let reason = String(cString: strerror(cause.errnoCode))
            let isReached = [ECONNRESET, EPIPE].contains(cause.errnoCode)
            return isReached ? "No whole answer came: \(reason)." : unheard(reason)
        case let cause as NIOConnectionError: return unheard("no address of '\(cause.host)' is known")
        case is NIOSSLError, is NIOSSLExtraError: return unheard("it has no certificate that is trusted")
        case let cause as HTTPClientError: return "No whole answer came: \(cause.shortDescription)."
        default: return "No whole answer came: \(cause)."
        }
    }

    private static func unheard(_ reason: String) -> String {
        "Nothing answers (\(reason)): is the service running, and is this its address?"
    }

    private static func isOfConnection(_ error: any Error) -> Bool {
        if let error = error as? HTTPClientError { return [.remoteConnectionClosed, .connectTimeout].contains(error) }
        return error is NIOConnectionError || error is IOError || error is ChannelError || error is HTTPParserError
    }
}
