internal import Discovery
internal import HTTPTypes
internal import Hummingbird
internal import Interchange
internal import Logging
internal import Meters
internal import Model

/// All routes, each with its access, parameters and answers; only described endpoints can be served.
struct RouteTable {
    typealias Handler = @Sendable (Call) async throws -> Answer

    private let router = Router(context: CercaContext.self, options: [])
    private var known: [(path: [Substring], method: HTTPRequest.Method)] = []
    private(set) var endpoints: [Endpoint] = []
    /// The engine if it follows a log shared with other machines; nil otherwise.
    var follower: Engine?
    /// The chapter of the documents for the routes that are added next.
    var chapter = ""
    private let common: Route.Common
    private let logger: Logger
    private let slowThreshold: Duration
    private let meters: Meters
    private let origins: AllowedOrigins
    private let admissions: [RequestClass: Admission]
    /// The query routes, and the readers of their parameters.
    private(set) var queryRoutes: [(route: QueryRoute, read: QueryRoute.Reader)] = []

    init(
        hostCheck: HostCheck, authenticator: Authenticator, seal: CursorSeal, ids: KeyedIDs, limits: Limits,
        meters: Meters, logger: Logger, slowThreshold: Duration, now: @escaping @Sendable () -> Timestamp
    ) {
        common = Route.Common(
            authenticator: authenticator, seal: seal, ids: ids, limits: limits,
            files: Admission(limits.files, of: .file, meters), words: Admission(limits.words, of: .words, meters),
            places: StreamSlots(
                .init(all: limits.streams, person: limits.streamsOfPerson), open: meters.gauge(.streams)),
            readers: StreamSlots(
                .init(
                    all: limits.readers, person: limits.readersOfPerson, link: limits.readersOfLink,
                    owner: limits.readersOfOwner, address: limits.readersOfAddress),
                open: meters.gauge(.readers)),
            now: now)
        self.logger = logger
        self.slowThreshold = slowThreshold
        self.meters = meters
        origins = hostCheck.others
        admissions = limits.concurrencyLimits.reduce(into: [:]) { $0[$1.key] = Admission($1.value, of: $1.key, meters) }
        router.add(middleware: hostCheck)
    }

    /// Adds a route for some callers; parameters that are not described are refused first.
    ///
    /// Phone apps may send any parameters: their routes parse the query themselves.
    mutating func on(
        _ method: HTTPRequest.Method, _ path: String, for access: Access, _ description: RouteDescription,
        _ handler: @escaping Handler
    ) {
        let endpoint = Endpoint(
            method: method, path: path, access: access, chapter: chapter, description: description)
        endpoints.append(endpoint)
        add(
            method, path, for: access, onlyReads: endpoint.onlyReads, parameters: description.names,
            repeatable: description.repeatable, as: description.work ?? (method == .get ? .read : .write), handler)
    }

    /// Adds a file, or a folder of files, for anyone; it contains no stored data and is not an endpoint.
    ///
    /// Requests count for rate limits if `isCounted`.
    mutating func serve(_ path: String, isCounted: Bool = true, _ handler: @escaping Handler) {
        add(.get, path, for: .anyone, onlyReads: true, isCounted: isCounted, as: .read, handler)
    }

    private mutating func add(
        _ method: HTTPRequest.Method, _ path: String, for access: Access, onlyReads: Bool, isCounted: Bool = true,
        parameters: [String] = [], repeatable: Set<String> = [], as work: RequestClass, _ handler: @escaping Handler
    ) {
        let route = Route(
            method, path, for: access, onlyReads: onlyReads, isCounted: isCounted, parameters: parameters,
            repeatable: repeatable, meters: RouteMeters(meters, method.rawValue, path), common, admissions[work],
            handler)
        for method in method == .get ? [.get, .head] : [method] {
            known.append((path.split(separator: "/"), method))
            router.on(RouterPath(path), method: method, use: route.answer)
        }
    }

    /// Adds a route that performs an action and answers without a body.
    mutating func act<A: Action>(
        _ method: HTTPRequest.Method, _ path: String, for access: Access, _ description: RouteDescription,
        in engine: Engine, _ action: @escaping @Sendable (Call) throws -> A
    ) {
        on(method, path, for: access, description) { call in
            try await engine.perform(action(call), for: call)
            return .nothing
        }
    }

    /// Adds a query route, which can be called alone or in a batch; search queries can be explained.
    mutating func ask(_ route: QueryRoute, of engine: Engine, _ plain: @escaping QueryRoute.Reader) {
        var (route, read) = (route, plain)
        if route.word != nil {
            route.description = route.description.with(Explanation.parameter)
            read = { call in try await Explanation.explaining(call, plain) }
        }
        queryRoutes.append((route, read))
        let (asked, watched) = (read, route.watched)
        if watched != nil { route.description = route.description.followed }
        on(.get, route.path, for: route.access, route.description) {
            [common] call in
            guard let watched, call.wantsEvents else { return try await asked(call).answer(to: call, from: engine) }
            let list = LiveList(call, asked, common.authenticator.rateLimits, common.now, of: engine)
            return try await list.answer(watching: watched(call))
        }
    }

    /// The responder of all routes, which answers errors as ``Problem`` and `OPTIONS` with the methods of the path.
    var responder: Responder {
        Responder(
            routes: router.buildResponder(), known: known, origins: origins, logger: logger,
            slowThreshold: slowThreshold,
            unrouted: RouteMeters(meters, "any", "none"), follower: follower, seal: common.seal)
    }

    struct Responder: HTTPResponder {
        /// The delay of a refusal for sending too much; a client that retries at once would keep a core busy.
        private static let refusalDelay = Duration.milliseconds(50)

        fileprivate let routes: RouterResponder<CercaContext>
        fileprivate let known: [(path: [Substring], method: HTTPRequest.Method)]
        fileprivate let origins: AllowedOrigins
        fileprivate let logger: Logger
        fileprivate let slowThreshold: Duration
        fileprivate let unrouted: RouteMeters
        fileprivate let follower: Engine?
        fileprivate let seal: CursorSeal

        func respond(to request: Request, context: CercaContext) async -> Response {
            let log = RequestLog(request, context, logger, slowThreshold, unrouted)
            do {
                // Before authentication: a device may have been registered at another machine just now.
                try await follower?.reach(LogHeaders.sealedAfter(request.headers, seal))
                let response = try await routes.respond(to: request, context: context)
                log.note(response.status)
                return finished(response, request, context)
            } catch {
                let problem = problem(error, request)
                if request.method == .options, problem.code == .methodNotAllowed {
                    log.note(.noContent)
                    return finished(Response(status: .noContent, headers: problem.headers), request, context)
                }
                log.note(problem, error)
                // A refusal while the service stops is not delayed.
                if [.tooManyRequests, .overloaded].contains(problem.code) {
                    try? await Task.sleep(for: Self.refusalDelay)
                }
                let response = problem.response(instance: context.id)
                return finished(request.method == .head ? response.createHeadResponse() : response, request, context)
            }
        }

        /// Adds the request id, the log position and CORS headers to a response.
        private func finished(_ response: Response, _ request: Request, _ context: CercaContext) -> Response {
            var response = response
            if let field = RequestID.field { response.headers[field] = context.id }
            if let progress = follower?.logProgress {
                LogHeaders.addHeaders(progress, to: context.route.bearer, seal, in: &response.headers)
            }
            origins.addHeaders(&response.headers, answering: request.headers)
            return response
        }

        private func problem(_ error: any Error, _ request: Request) -> Problem {
            let problem = Problem(error)
            guard problem.status == .notFound, problem.code == .notFound else { return problem }
            let path = request.uri.path.split(separator: "/")
            let matching = known.filter { route in
                let isWhole = route.path.last != "**"
                return (isWhole ? route.path.count == path.count : route.path.count <= path.count)
                    && Self.begins(path, with: isWhole ? route.path[...] : route.path.dropLast())
            }
            return matching.isEmpty ? nothing(at: path) : methodProblem(request.method, path, matching) ?? problem
        }

        private static func begins(_ path: [Substring], with pattern: ArraySlice<Substring>) -> Bool {
            pattern.count <= path.count && zip(pattern, path).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }

        /// The problem of an unknown path, with a suggestion.
        private func nothing(at path: [Substring]) -> Problem {
            let names = known.filter { $0.path.first == "v1" }.compactMap { $0.path.dropFirst().first.map(String.init) }
            let meant = path.first { $0 != "v1" }.flatMap { NearMiss.meant(by: String($0), among: names) }
            let isWritten = meant.map { path.starts(with: ["v1", $0[...]]) } ?? true
            let advice = isWritten ? "" : " (did you mean '/v1/\(meant ?? "")'?)"
            return Problem(.notFound, detail: "There is nothing at this path\(advice); '/docs' shows what there is.")
        }

        /// The problem of a known path with another method.
        private func methodProblem(
            _ method: HTTPRequest.Method, _ path: [Substring],
            _ matching: [(path: [Substring], method: HTTPRequest.Method)]
        ) -> Problem? {
            // A literal segment, as in /v1/places/nearest, takes precedence over an id in its position.
            func words(_ path: [Substring]) -> [Int] { path.map { $0.hasPrefix("{") ? 0 : 1 } }
            let closest = matching.map { words($0.path) }.max { $0.lexicographicallyPrecedes($1) }
            let methods = matching.filter { words($0.path) == closest }.map(\.method)
            guard !methods.isEmpty, !methods.contains(method) else { return nil }
            let allowed = Set(methods.map(\.rawValue)).sorted().joined(separator: ", ")
            let maker = known.first {
                $0.method == .put && $0.path.count == path.count + 1 && $0.path.last?.hasPrefix("{") ?? false
                    && Self.begins(path, with: $0.path.dropLast())
            }
            let advice =
                method == .post ? maker.map { "; PUT to '/\($0.path.joined(separator: "/"))' creates one" } : nil
            return Problem(
                .methodNotAllowed, detail: "This path supports \(allowed)\(advice ?? "").", headers: [.allow: allowed])
        }
    }
}
