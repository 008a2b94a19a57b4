internal import Discovery
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import Storage

/// All routes: each with who may use it and the parameters it knows, so that others are refused before anything is done.
struct RouteTable {
    typealias Handler = @Sendable (Call) async throws -> Answer

    private let router = Router(context: CercaContext.self, options: .autoGenerateHeadEndpoints)
    private var known: [(path: [Substring], method: HTTPRequest.Method)] = []
    /// Method and path of each route, such as `GET /v1/people/{id}`.
    private(set) var endpoints: [String] = []
    private let authenticator: Authenticator
    private let now: @Sendable () -> Timestamp
    private let limits: Limits
    private let places: StreamPlaces
    /// The routes that ask questions, and what reads their parameters.
    private(set) var questions: [(route: QuestionRoute, read: QuestionRoute.Reader)] = []

    init(gate: Gate, authenticator: Authenticator, limits: Limits, now: @escaping @Sendable () -> Timestamp) {
        self.authenticator = authenticator
        self.now = now
        self.limits = limits
        places = StreamPlaces(limits.streams, ofPerson: limits.streamsOfPerson)
        router.add(middleware: gate)
    }

    /// Adds a route for some callers, whose query may have these parameters, the repeatable of them several times.
    ///
    /// Phones may send what they like: their routes read the query themselves.
    mutating func on(
        _ method: HTTPRequest.Method, _ path: String, for access: Access, parameters: [String] = [],
        repeatable: Set<String> = [], _ handler: @escaping Handler
    ) {
        endpoints.append("\(method.rawValue) \(path)")
        let methods = method == .get ? [.get, .head] : [method]
        known += methods.map { (path.split(separator: "/"), $0) }
        router.on(RouterPath(path), method: method) { [authenticator, limits, places, now] request, context in
            let received = now()
            let claim = try authenticator.claim(of: request, context, for: access, at: received)
            let query =
                access == .phone
                ? Parameters()
                : try Parameters(query: request.uri.query, known: parameters, repeatable: repeatable)
            try access.admit(claim?.principal, naming: query.text("person"))
            let call = try Call(request, context, query, from: claim, received: received, limits: limits)
            return try await handler(call).response(to: request) { make throws(Problem) in
                BodyStream(
                    make: make, place: try places.take(for: claim?.bearer), channel: context.channel,
                    logger: context.logger
                )
            }
        }
    }

    /// Adds a route that asks a question, alone or in a batch.
    mutating func ask(_ route: QuestionRoute, of live: Live, _ read: @escaping QuestionRoute.Reader) {
        questions.append((route, read))
        on(.get, route.path, for: route.access, parameters: route.parameters, repeatable: route.repeatable) { call in
            try await read(call).answer(from: live)
        }
    }

    /// The responder of all routes, which answers every error as a ``Problem``.
    var responder: Responder { Responder(routes: router.buildResponder(), known: known) }

    struct Responder: HTTPResponder {
        fileprivate let routes: RouterResponder<CercaContext>
        fileprivate let known: [(path: [Substring], method: HTTPRequest.Method)]

        func respond(to request: Request, context: CercaContext) async throws -> Response {
            do { return try await routes.respond(to: request, context: context) } catch {
                return answer(to: error, request, context)
            }
        }

        private func answer(to error: any Error, _ request: Request, _ context: CercaContext) -> Response {
            var problem = Problem(error)
            if problem.status == .notFound, problem.code == .notFound { problem = methodProblem(request) ?? problem }
            if let level = problem.logLevel {
                context.logger.log(level: level, "\(problem.code.rawValue)", metadata: ["error": "\(error)"])
            }
            let response = problem.response(instance: context.id)
            return request.method == .head ? response.createHeadResponse() : response
        }

        /// The problem of a path that is known, but not for this method.
        private func methodProblem(_ request: Request) -> Problem? {
            let path = request.uri.path.split(separator: "/")
            let matching = known.filter { route in
                let isWhole = route.path.last != "**"
                let own = isWhole ? route.path[...] : route.path.dropLast()
                return (isWhole ? own.count == path.count : own.count < path.count)
                    && zip(own, path).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
            }
            // A path of its own, such as /v1/places/nearest, hides the one with an id in its place.
            let own = matching.filter { $0.path == path }
            let methods = (own.isEmpty ? matching : own).map(\.method)
            guard !methods.isEmpty, !methods.contains(request.method) else { return nil }
            var problem = Problem(.methodNotAllowed, .methodNotAllowed)
            problem.headers[.allow] = Set(methods.map(\.rawValue)).sorted().joined(separator: ", ")
            return problem
        }
    }
}

extension Problem {
    /// How loudly the log tells of it; nil for what concerns the caller only.
    fileprivate var logLevel: Logger.Level? {
        switch code {
        case .malformedRequest, .stopping: .debug
        default: status.kind == .serverError ? .error : nil
        }
    }
}
