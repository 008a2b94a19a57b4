internal import Discovery
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import Model
internal import Webhooks

/// Authenticates callers.
struct Authenticator: Sendable {
    /// The keys that verify tokens; nil if every caller counts as a trusted service.
    let keys: KeyRing?
    let engine: Engine
    let rateLimits: RateLimits
    let proxies: TrustedProxies
    /// The tickets for clients that cannot send headers.
    let tickets = Tickets()

    /// The caller of a request; nil for an anonymous caller on routes for anyone.
    ///
    /// - Throws: ``Problem`` when the caller may not use the route.
    func claim(
        of request: Request, _ context: CercaContext, for route: Route, at now: Timestamp
    ) throws(Problem) -> Claim? {
        let access = route.access
        if access == .phone { return try claim(of: Proof(principal: phone(request, context, at: now)), request) }
        let claim: Claim
        do throws(Problem) { claim = try self.claim(of: request, for: access, at: now) } catch {
            guard error.status == .unauthorized else { throw error }
            try rateLimits.admit(origin(of: request, context), at: now)
            if access == .anyone { return nil }
            throw access == .reading ? error.offeringPassword : error
        }
        guard route.onlyReads || !claim.proof.isReader else { throw .notForReaders }
        let id = context.parameters.get("id")
        try access.admit(claim.principal, toWhatBelongsTo: id?.removingPercentEncoding)
        return claim
    }

    /// The claim that a token, or a ticket in its place, proves.
    private func claim(of request: Request, for access: Access, at now: Timestamp) throws(Problem) -> Claim {
        if access == .following, let ticket = request.uri.queryParameters.get(Self.ticket) {
            guard let claim = tickets.use(ticket, at: now) else { throw TokenFault.ticket.problem }
            if engine.hasEnded(claim.proof) { throw TokenFault.ended.problem }
            try rateLimits.admit(claim.bearer, at: now)
            return claim
        }
        let proof = try proof(of: request, for: access, at: now)
        try rateLimits.admit(proof.principal, at: now)
        return try claim(of: proof, request)
    }

    /// The query parameter that holds a ticket.
    static let ticket = "ticket"

    private func claim(of proof: Proof, _ request: Request) throws(Problem) -> Claim {
        try Claim(proof, request.headers) { person in engine.read { $0.isKnown(person) } }
    }

    /// The client's address, as far as trusted proxies report it.
    func origin(of request: Request, _ context: CercaContext) -> IPAddress? {
        proxies.origin(of: request.headers, from: IPAddress(context.address))
    }

    /// The proof in the request's token.
    ///
    /// - Throws: ``Problem`` for a request without a token, or with an invalid one.
    private func proof(of request: Request, for access: Access, at now: Timestamp) throws(Problem) -> Proof {
        guard let keys else { return Proof(principal: .service) }
        guard let header = request.headers[.authorization] else {
            throw Problem(
                .tokenRequired, detail: "A token is required: 'Authorization: Bearer ...'.",
                headers: [.wwwAuthenticate: Challenge.missing])
        }
        guard let text = Self.token(in: header, for: access) else { throw TokenFault.scheme.problem }
        do throws(TokenFault) {
            if let token = DeviceToken(text) { return Proof(principal: try device(token, at: now)) }
            // An expired token stays expired if the clock is set back.
            let proof = try keys.proof(of: text, at: engine.moment(of: now).upperBound)
            if engine.hasEnded(proof) { throw TokenFault.ended }
            return proof
        } catch { throw error.problem }
    }

    /// The token in `Authorization`: of `Bearer`, or for reading also the password of `Basic`.
    private static func token(in header: String, for access: Access) -> Substring? {
        let words = header.split(separator: " ", maxSplits: 1)
        guard words.count == 2 else { return nil }
        switch words[0].lowercased() {
        case "bearer": return words[1]
        case "basic" where access == .reading:
            return PhoneCredential.password(ofBasic: String(words[1])).map { $0[...] }
        default: return nil
        }
    }

    /// Authenticates a phone's device, even where other callers count as services without a token.
    ///
    /// Too many requests are answered with `503` here, because some phone apps discard a position on `429`.
    private func phone(_ request: Request, _ context: CercaContext, at now: Timestamp) throws(Problem) -> Principal {
        do throws(Problem) {
            let parameter = request.uri.queryParameters.get("token")
            let text = PhoneCredential.token(authorization: request.headers[.authorization], query: parameter)
            let device: Principal
            guard request.headers[.authorization] != nil || !(parameter ?? "").isEmpty else {
                try rateLimits.admit(origin(of: request, context), at: now)
                throw Problem(
                    .tokenRequired,
                    detail: "A device token is required: '?token=', 'Authorization: Bearer' or a Basic password.",
                    headers: [.wwwAuthenticate: Challenge.missing])
            }
            do throws(TokenFault) {
                guard let token = text.flatMap({ DeviceToken($0) }) else { throw .device }
                device = try self.device(token, at: now)
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

    private func device(_ token: DeviceToken, at now: Timestamp) throws(TokenFault) -> Principal {
        guard let (person, device) = engine.read({ $0.device(token.number) }), device.token.matches(token.hash) else {
            throw .device
        }
        engine.recordRequest(token.number, at: now)
        return .device(device.id, of: person)
    }
}
