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
    /// What stands for the tokens of those who can send no headers.
    let tickets = Tickets()

    /// Who sent a request to a route for some callers; nil for somebody unknown where everybody is welcome.
    ///
    /// - Throws: ``Problem`` when they may not use the route.
    func claim(
        of request: Request, _ context: CercaContext, for access: Access, at now: Timestamp
    ) throws(Problem) -> Claim? {
        if access == .phone { return try claim(of: Proof(principal: phone(request, context, at: now)), request) }
        let claim: Claim
        do throws(Problem) { claim = try self.claim(of: request, for: access, at: now) } catch {
            guard error.status == .unauthorized else { throw error }
            try rateLimits.admit(origin(of: request, context), at: now)
            if access == .anyone { return nil }
            throw error
        }
        let id = context.parameters.get("id")
        try access.admit(claim.principal, toWhatBelongsTo: id?.removingPercentEncoding)
        return claim
    }

    /// What a request proves by its token, or by a ticket that stands for one.
    private func claim(of request: Request, for access: Access, at now: Timestamp) throws(Problem) -> Claim {
        if access == .following, let ticket = request.uri.queryParameters.get(Self.ticket) {
            guard let claim = tickets.use(ticket, at: now) else { throw TokenFault.ticket.problem }
            if live.hasEnded(claim.proof) { throw TokenFault.ended.problem }
            try rateLimits.admit(claim.bearer, at: now)
            return claim
        }
        let proof = try proof(of: request, at: now)
        try rateLimits.admit(proof.principal, at: now)
        return try claim(of: proof, request)
    }

    /// The parameter that holds a ticket.
    static let ticket = "ticket"

    private func claim(of proof: Proof, _ request: Request) throws(Problem) -> Claim {
        try Claim(proof, request.headers) { person in live.read { $0.isKnown(person) } }
    }

    /// Where a request came from, as far as that can be believed.
    func origin(of request: Request, _ context: CercaContext) -> IPAddress? {
        proxies.origin(of: request.headers, from: IPAddress(context.address))
    }

    /// What the token of a request proves.
    ///
    /// - Throws: ``Problem`` for a request without a token, or with one that proves nothing.
    private func proof(of request: Request, at now: Timestamp) throws(Problem) -> Proof {
        guard let keys else { return Proof(principal: .service) }
        guard let header = request.headers[.authorization] else {
            throw Problem(
                .tokenRequired, detail: "A token is required: 'Authorization: Bearer ...'.",
                headers: [.wwwAuthenticate: Challenge.missing])
        }
        let words = header.split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "bearer" else { throw TokenFault.scheme.problem }
        do throws(TokenFault) {
            if let token = DeviceToken(words[1]) { return Proof(principal: try device(token)) }
            let proof = try keys.proof(of: words[1], at: now)
            if live.hasEnded(proof) { throw TokenFault.ended }
            return proof
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
