internal import Discovery
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import Model

/// Tells who calls.
struct Authenticator: Sendable {
    /// What tokens are verified with; nil when everybody counts as a trusted service.
    let keys: KeyRing?
    let live: Live
    let rateLimits: RateLimits
    let proxies: TrustedProxies

    /// Who sent a request to a route for some callers; nil for somebody unknown where everybody is welcome.
    ///
    /// - Throws: ``Problem`` when they may not use the route.
    func claim(
        of request: Request, _ context: CercaContext, for access: Access, at now: Timestamp
    ) throws(Problem) -> Claim? {
        if access == .phone { return try claim(of: try phone(request, context, at: now), request) }
        let principal: Principal
        do throws(Problem) { principal = try self.principal(of: request, at: now) } catch {
            try rateLimits.admit(origin(of: request, context), at: now)
            if access == .anyone { return nil }
            throw error
        }
        try rateLimits.admit(principal, at: now)
        let claim = try claim(of: principal, request)
        let id = context.parameters.get("id")
        try access.admit(claim.principal, toWhatBelongsTo: id?.removingPercentEncoding)
        return claim
    }

    private func claim(of bearer: Principal, _ request: Request) throws(Problem) -> Claim {
        try Claim(bearer, request.headers) { person in live.read { $0.isKnown(person) } }
    }

    /// Where a request came from, as far as that can be believed.
    private func origin(of request: Request, _ context: CercaContext) -> IPAddress? {
        proxies.origin(of: request.headers, from: IPAddress(context.address))
    }

    /// Who sent a request.
    ///
    /// - Throws: ``Problem`` for a request without a token, or with one that proves nothing.
    private func principal(of request: Request, at now: Timestamp) throws(Problem) -> Principal {
        guard let keys else { return .service }
        guard let header = request.headers[.authorization] else {
            throw Problem(
                .tokenRequired, detail: "A token is required: 'Authorization: Bearer ...'.",
                headers: [.wwwAuthenticate: Challenge.missing])
        }
        let words = header.split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "bearer" else { throw TokenFault.malformed.problem }
        do throws(TokenFault) {
            if let token = DeviceToken(words[1]) { return try device(token) }
            return try keys.principal(of: words[1], at: now)
        } catch { throw error.problem }
    }

    /// The device of a phone, which has to prove itself even where everybody else counts as a service.
    ///
    /// One request too many is `503` here, for some phones throw a position away at `429`.
    private func phone(_ request: Request, _ context: CercaContext, at now: Timestamp) throws(Problem) -> Principal {
        do throws(Problem) {
            let parameter = request.uri.queryParameters.get("token")
            let text = PhoneCredential.token(authorization: request.headers[.authorization], query: parameter)
            let device: Principal
            do throws(TokenFault) {
                guard let token = text.flatMap({ DeviceToken($0) }) else { throw .device }
                device = try self.device(token)
            } catch {
                try rateLimits.admit(origin(of: request, context), at: now)
                throw error.problem
            }
            try rateLimits.admit(device, at: now)
            return device
        } catch {
            guard error.status == .tooManyRequests else { throw error }
            var problem = error
            problem.status = .serviceUnavailable
            throw problem
        }
    }

    private func device(_ token: DeviceToken) throws(TokenFault) -> Principal {
        guard let (person, device) = live.read({ $0.device(token.number) }), device.token.matches(token.hash) else {
            throw .device
        }
        return .device(device.id, of: person)
    }
}
