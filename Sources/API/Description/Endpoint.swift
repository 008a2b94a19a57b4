internal import HTTPTypes

/// An endpoint of the API.
public struct Endpoint: Sendable {
    let method: HTTPRequest.Method
    let path: String
    let access: Access
    /// The chapter of the documents.
    public let chapter: String
    let description: RouteDescription

    /// Method and path, such as `GET /v1/people/{id}`.
    public var name: String { "\(method.rawValue) \(path)" }
    /// The callers that may use it, in words.
    public var callers: String { access.callers(onlyReads: onlyReads) }
    /// Whether it changes nothing and returns no secret, so that readers may use it.
    var onlyReads: Bool { access != .phone && description.onlyReads ?? (method == .get) }
    /// A summary, as a sentence without a period.
    public var summary: String { description.summary }
    /// The names of its query parameters; empty for phone endpoints, which accept any.
    public var parameters: [String] { description.names }

    /// The names of the path parameters, such as `id`.
    var names: [String] {
        path.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().prefix { $0 != "}" }) }
    }

    /// The problems that it may answer.
    ///
    /// Most follow from the kind of route; its description lists the others.
    var problems: [Problem.Code] {
        var problems = Self.ofAll + description.ownProblems
        if access != .anyone { problems += [.tokenRequired, .invalidToken] }
        switch access {
        case .anyone: break
        case .known, .following, .reading, .sending, .own, .ownInQuery: problems += [.notAllowed, .notFound]
        case .service, .phone: problems.append(.notFound)
        }
        if description.names.contains("cursor") { problems.append(.invalidCursor) }
        if method == .get {
            problems += [.answerTooLarge, .overloaded]
        } else {
            problems += [.overloaded, .storageFull, .storageUnavailable]
        }
        if !description.body.isEmpty {
            problems += [.invalidJSON, .invalidBody, .bodyTooLarge, .unsupportedMediaType, .tooSlow]
        }
        if description.headers.contains(where: { $0 == .conditions }) { problems.append(.preconditionFailed) }
        if description.headers.contains(where: { $0 == .idempotencyKey }) { problems.append(.idempotencyKeyReused) }
        return Problem.Code.allCases.filter(Set(problems).contains)
    }

    /// The status of a problem here; too many requests of a phone are answered with 503 (``Authenticator``).
    func status(of problem: Problem.Code) -> HTTPResponse.Status {
        access == .phone && problem == .tooManyRequests ? .serviceUnavailable : problem.status
    }

    /// The problems that any request may get.
    private static let ofAll: [Problem.Code] = [
        .malformedRequest, .invalidParameter, .unknownParameter, .insufficientScope, .foreignOrigin, .misdirected,
        .tooManyRequests, .internalError, .stopping, .http,
    ]
}
