internal import Discovery
internal import Geo
internal import HTTPTypes
internal import Hummingbird
internal import Model

/// What answers the requests to a path.
struct Route: Sendable {
    let method: HTTPRequest.Method
    let path: String
    let access: Access
    /// The names of the parameters that it knows, and those of them that may be given several times.
    let parameters: [String]
    let repeatable: Set<String>
    let meters: RouteMeters
    let authenticator: Authenticator
    let limits: Limits
    let places, readers: StreamPlaces
    /// Who lets its requests in; nil for those that nobody keeps waiting.
    let admission: Admission?
    let now: @Sendable () -> Timestamp
    let handler: RouteTable.Handler

    /// Answers whoever may ask, on their account.
    ///
    /// - Throws: whatever ``Problem`` can be made of.
    @Sendable func answer(_ request: Request, _ context: CercaContext) async throws -> Response {
        context.route.meters = meters
        guard let admission else { return try await work(request, context) }
        return try await admission.run { try await work(request, context) }
    }

    private func work(_ request: Request, _ context: CercaContext) async throws -> Response {
        let received = now()
        let claim = try authenticator.claim(of: request, context, for: access, at: received)
        let query =
            access == .phone
            ? Parameters()
            : try Parameters(query: request.uri.query, known: parameters, repeatable: repeatable)
        try access.admit(claim?.principal, naming: query.text("person"))
        let call = try Call(request, context, query, from: claim, received: received, limits: limits, route: self)
        // What a service streams is interrupted by all others; owing for it would lock out all services for a minute.
        let streamer = claim?.bearer == .service ? nil : claim?.bearer
        let payer = path.hasPrefix(ImportRoutes.path) ? streamer : claim?.bearer
        var response: Response = try await authenticator.rateLimits.charging(payer, at: now) {
            let answer = try await call.isLarge ? Aside.run { try await handler(call) } : handler(call)
            Effort.count(answer.body.count / RateLimits.bytesWrittenInStep)
            // What was written is written, and a batch counts its answers by itself.
            if method == .get { try answer.refuseTooLong(limits) }
            return try answer.response(to: request) { make throws(Problem) in
                if answer.isFollowed {
                    let place = try readers.take(for: claim?.bearer, of: answer.link)
                    return BodyStream(make: make, place: place, logger: context.logger)
                }
                return BodyStream(
                    make: { send in
                        try await authenticator.rateLimits.charging(streamer, at: now) {
                            try await Aside.run { try await make(send) }
                        }
                    },
                    place: try places.take(for: claim?.bearer), logger: context.logger)
            }
        }
        authenticator.rateLimits.tell(claim?.bearer, at: now(), in: &response.headers)
        return response
    }
}
