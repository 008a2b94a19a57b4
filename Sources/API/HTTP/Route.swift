internal import Discovery
internal import Geo
internal import HTTPTypes
internal import Hummingbird
internal import Model
internal import Webhooks

/// A route: a path and method with its handler.
///
/// It is a class because each call holds it.
final class Route: Sendable {
    /// The dependencies that all routes share.
    struct Common: Sendable {
        let authenticator: Authenticator
        let seal: CursorSeal
        let ids: KeyedIDs
        let limits: Limits
        /// Admits pieces of people's files, and people's word searches.
        let files, words: Admission
        let places, readers: StreamSlots
        let now: @Sendable () -> Timestamp
    }

    let method: HTTPRequest.Method
    let path: String
    let access: Access
    /// Whether it changes nothing and returns no secret, so that readers may use it.
    let onlyReads: Bool
    /// Whether its requests count for rate limits; images of a map do not, because a browser loads dozens at once.
    let isCounted: Bool
    /// The names of the known parameters, and of those that may be repeated.
    let parameters: [String]
    let repeatable: Set<String>
    let meters: RouteMeters
    let common: Common
    /// The admission control of its requests; nil for routes that never wait.
    let admission: Admission?
    let handler: RouteTable.Handler

    init(
        _ method: HTTPRequest.Method, _ path: String, for access: Access, onlyReads: Bool, isCounted: Bool,
        parameters: [String], repeatable: Set<String>, meters: RouteMeters, _ common: Common, _ admission: Admission?,
        _ handler: @escaping RouteTable.Handler
    ) {
        (self.method, self.path, self.access) = (method, path, access)
        (self.onlyReads, self.isCounted) = (onlyReads, isCounted)
        (self.parameters, self.repeatable) = (parameters, repeatable)
        (self.meters, self.common, self.admission, self.handler) = (meters, common, admission, handler)
    }

    /// Authorizes and answers a request, and charges the caller for its work.
    ///
    /// - Throws: Any error that ``Problem`` can represent.
    @Sendable func answer(_ request: Request, _ context: CercaContext) async throws -> Response {
        context.route.meters = meters
        guard let admission else { return try await work(request, context) }
        return try await admission.run { try await work(request, context) }
    }

    private func work(_ request: Request, _ context: CercaContext) async throws -> Response {
        let call = try call(request, context)
        try await common.authenticator.engine.reach(LogHeaders.after(request.headers), for: call.claim, common.seal)
        let (bearer, rates) = (call.claim?.bearer, common.authenticator.rateLimits)
        try admission?.begin(of: bearer?.caller)
        defer { admission?.end(of: bearer?.caller) }
        var response: Response = try await rates.charging(payer(bearer), at: common.now) {
            let answer = try await call.isLarge ? BackgroundExecutor.run { try await handler(call) } : handler(call)
            return try send(answer, to: request, context, bearer)
        }
        rates.addHeaders(bearer, at: common.now(), in: &response.headers)
        return response
    }

    /// Authenticates and validates a request.
    private func call(_ request: Request, _ context: CercaContext) throws(Problem) -> Call {
        let received = common.now()
        let claim =
            isCounted ? try common.authenticator.claim(of: request, context, for: self, at: received) : nil
        context.route.bearer = claim?.bearer
        let query =
            access == .phone
            ? Parameters()
            : try Parameters(query: request.uri.query, known: parameters, repeatable: repeatable)
        try access.admit(claim?.principal, naming: query.text("person"))
        return try Call(request, context, query, from: claim, received: received, route: self)
    }

    /// The principal charged for a stream; no service, as it yields to all others and its debt would block all
    /// services.
    private func streamer(_ bearer: Principal?) -> Principal? { bearer == .service ? nil : bearer }

    private func payer(_ bearer: Principal?) -> Principal? {
        path.hasPrefix(ImportRoutes.path) ? streamer(bearer) : bearer
    }

    private func send(
        _ answer: Answer, to request: Request, _ context: CercaContext, _ bearer: Principal?
    ) throws -> Response {
        WorkBudget.count(answer.body.count / RateLimits.bytesWrittenInStep)
        // A completed write is always answered, and a batch limits its answers itself.
        if method == .get { try answer.refuseTooLong(common.limits) }
        return try answer.response(to: request) { make throws(Problem) in
            if answer.isFollowed {
                var follower = answer.follower
                follower?.network = common.authenticator.origin(of: request, context)?.network ?? []
                return BodyStream(
                    try common.readers.take(for: bearer, following: follower), context.logger, make: make)
            }
            return BodyStream(try common.places.take(for: bearer), context.logger) { [self] send in
                try await common.authenticator.rateLimits.charging(streamer(bearer), at: common.now) {
                    try await BackgroundExecutor.run { try await make(send) }
                }
            }
        }
    }
}
