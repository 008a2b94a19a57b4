internal import AsyncHTTPClient
internal import Foundation
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL

/// A failed request: the service's problem document (RFC 9457), or a missing response.
///
/// It never contains the token or the query of the request.
public struct CercaError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The method and path of the request, such as `GET /v1/places/nearest`.
    public let request: String
    /// The status of the response; nil if there was none.
    public let status: Int?
    /// The code of the problem for programs, such as `not_found`; nil if the response was not a problem document.
    public let code: String?
    /// The problem, for people.
    public let detail: String
    /// Errors of single members of a body, or of parameters.
    public let errors: [FieldError]
    /// The id of the request in the service's log.
    public let requestID: String?
    /// How long to wait before a retry; nil if the service does not specify it in seconds.
    public let retryAfter: Duration?
    /// Whether a retry may succeed, because the connection broke or the status is 429 or 503.
    public let isTransient: Bool

    /// An error of one value.
    public struct FieldError: Codable, Hashable, Sendable {
        /// A JSON pointer, or `?` and the name of a parameter.
        public var pointer: String
        /// The code for programs.
        public var code: String
        /// The message for people.
        public var detail: String

        package enum CodingKeys: String, CodingKey, CaseIterable { case pointer, code, detail }
    }

    /// The request, the status, the code, the detail and the request id.
    public var description: String {
        let head = [status.map(String.init), code].compactMap(\.self).joined(separator: " ")
        return "\(request): \(head.isEmpty ? "" : head + ": ")\(detail)\(requestID.map { " (request \($0))" } ?? "")"
    }

    package struct Problem: Decodable {
        var code: String?
        var detail: String?
        var title: String?
        var errors: [FieldError]?

        package enum CodingKeys: String, CodingKey, CaseIterable { case code, detail, title, errors }
    }

    /// Creates the error of an unsuccessful response.
    init(answer: HTTPClientResponse, to request: CercaClient.Request) async throws {
        let body = try await answer.body.collect(upTo: 1 << 20)
        // A proxy may respond with any body instead of the service.
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

    /// Creates the error of a request without a complete response.
    init(noAnswer error: any Error, to request: CercaClient.Request) {
        self.init(request, status: nil, Self.sentence(error), isTransient: Self.isOfConnection(error))
    }

    /// Creates the error of a successful response with unexpected content.
    init(unexpected error: any Error, to request: CercaClient.Request) {
        self.init(request, status: 200, "The response has an unexpected form: \(error)", isTransient: false)
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
            return isReached ? "No complete response was received: \(reason)." : unheard(reason)
        case let cause as NIOConnectionError: return unheard("the host '\(cause.host)' has no known address")
        case is NIOSSLError, is NIOSSLExtraError:
            return "The service has no trusted certificate: name the certificate to trust."
        case let cause as HTTPClientError: return "No complete response was received: \(cause.shortDescription)."
        default: return "No complete response was received: \(cause)."
        }
    }

    private static func unheard(_ reason: String) -> String {
        "Nothing responds (\(reason)): is the service running, and is this its address?"
    }

    private static func isOfConnection(_ error: any Error) -> Bool {
        if let error = error as? HTTPClientError { return [.remoteConnectionClosed, .connectTimeout].contains(error) }
        return error is NIOConnectionError || error is IOError || error is ChannelError || error is HTTPParserError
    }
}
