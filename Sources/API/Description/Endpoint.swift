internal import HTTPTypes

/// What can be asked for.
public struct Endpoint: Sendable {
    let method: HTTPRequest.Method
    let path: String
    let access: Access
    /// What it is about.
    public let chapter: String
    let description: RouteDescription

    /// Method and path, such as `GET /v1/people/{id}`.
    public var name: String { "\(method.rawValue) \(path)" }
    /// Who may ask, in words.
    public var callers: String { access.callers }
    /// What it does, as a sentence without its stop.
    public var summary: String { description.summary }
    /// The names of its query parameters; of phones', which may send what they like, none.
    public var parameters: [String] { description.names }

    /// The names in the path that stand for something, such as `id`.
    var names: [String] {
        path.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
    }

    /// The problems that the answer may be.
    ///
    /// Most follow from what the route takes; the others its description names.
    var problems: [Problem.Code] {
        var problems = Self.ofAll + description.ownProblems
        if access != .anyone { problems += [.tokenRequired, .invalidToken] }
        switch access {
        case .anyone: break
        case .known, .following, .sending, .own, .ownInQuery: problems += [.notAllowed, .notFound]
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

    /// The status of a problem here: one request too many of a phone is 503 (``Authenticator``).
    func status(of problem: Problem.Code) -> HTTPResponse.Status {
        access == .phone && problem == .tooManyRequests ? .serviceUnavailable : problem.status
    }

    /// What any request may be answered.
    private static let ofAll: [Problem.Code] = [
        .malformedRequest, .invalidParameter, .unknownParameter, .insufficientScope, .foreignOrigin, .misdirected,
        .tooManyRequests, .internalError, .stopping, .http,
    ]
}
