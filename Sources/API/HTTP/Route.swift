internal import Discovery
internal import Geo
internal import HTTPTypes
internal import Hummingbird
internal import Model

/// What answers the requests to a path.
///
/// A class, as each call holds it.
final class Route: Sendable {
    /// What all routes have.
    struct Common: Sendable {
        let authenticator: Authenticator
        let seal: CursorSeal
        let ids: KeyedIDs
        let limits: Limits
        /// Lets pieces of persons' files in, and persons' searches for words.
        let files, words: Admission
        let places, readers: StreamPlaces
        let now: @Sendable () -> Timestamp
    }

    let method: HTTPRequest.Method
    let path: String
    let access: Access
    /// The names of the parameters that it knows, and those of them that may be given several times.
    let parameters: [String]
    let repeatable: Set<String>
    let meters: RouteMeters
    let common: Common
    /// Who lets its requests in; nil for those that nobody keeps waiting.
    let admission: Admission?
    let handler: RouteTable.Handler

    init(
        _ method: HTTPRequest.Method, _ path: String, for access: Access, parameters: [String], repeatable: Set<String>,
        meters: RouteMeters, _ common: Common, _ admission: Admission?, _ handler: @escaping RouteTable.Handler
    ) {
        (self.method, self.path, self.access) = (method, path, access)
        (self.parameters, self.repeatable) = (parameters, repeatable)
        (self.meters, self.common, self.admission, self.handler) = (meters, common, admission, handler)
    }

    /// Answers whoever may ask, on their account.
    ///
    /// - Throws: whatever ``Problem`` can be made of.
    @Sendable func answer(_ request: Request, _ context: CercaContext) async throws -> Response {
        context.route.meters = meters
        guard let admission else { return try await work(request, context) }
        return try await admission.run { try await work(request, context) }
    }

    private func work(_ request: Request, _ context: CercaContext) async throws -> Response {
        let call = try call(request, context)
        try await common.authenticator.live.reach(LogHeaders.after(request.headers), for: call.claim, common.seal)
        let (bearer, rates) = (call.claim?.bearer, common.authenticator.rateLimits)
        var response: Response = try await rates.charging(payer(bearer), at: common.now) {
            let answer = try await call.isLarge ? Aside.run { try await handler(call) } : handler(call)
            return try send(answer, to: request, context, bearer)
        }
        rates.tell(bearer, at: common.now(), in: &response.headers)
        return response
    }

    /// A request that may be answered.
    private func call(_ request: Request, _ context: CercaContext) throws(Problem) -> Call {
        let received = common.now()
        let claim = try common.authenticator.claim(of: request, context, for: access, at: received)
        context.route.bearer = claim?.bearer
        let query =
            access == .phone
            ? Parameters()
            : try Parameters(query: request.uri.query, known: parameters, repeatable: repeatable)
        try access.admit(claim?.principal, naming: query.text("person"))
        return try Call(request, context, query, from: claim, received: received, route: self)
    }

    /// Who owes for what is streamed: a service is interrupted by all others; owing for it would lock out all services for a minute.
    private func streamer(_ bearer: Principal?) -> Principal? { bearer == .service ? nil : bearer }

    private func payer(_ bearer: Principal?) -> Principal? {
        path.hasPrefix(ImportRoutes.path) ? streamer(bearer) : bearer
    }

    private func send(
        _ answer: Answer, to request: Request, _ context: CercaContext, _ bearer: Principal?
    ) throws -> Response {
        Effort.count(answer.body.count / RateLimits.bytesWrittenInStep)
        // What was written is written, and a batch counts its answers by itself.
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
                    try await Aside.run { try await make(send) }
                }
            }
        }
    }
}
