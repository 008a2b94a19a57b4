internal import Foundation
internal import Interchange
internal import JWTKit
internal import Model

/// A key, and the claims that its tokens may make.
struct TokenKey: Sendable {
    /// The `kid`; nil for the only key of a file, which needs none.
    let id: String?
    let grant: Grant
    /// Signs, if the key is secret, and verifies, with the key's only algorithm.
    let algorithm: any JWTAlgorithm

    /// The claims that tokens of a key may make.
    struct Grant: Sendable {
        var scopes: Set<Scope>
        var issuer: String
        var audience: String
        /// The claim that holds the id of the person.
        var personClaim: String
    }

    /// Validates the claims of a token whose signature is valid, and returns its proof.
    func proof(of claims: [String: JSON], at now: Timestamp) throws(TokenFault) -> Proof {
        guard claims["iss"] == .text(grant.issuer) else { throw .issuer(wanted: grant.issuer) }
        guard Self.texts(claims["aud"]).contains(grant.audience) else { throw .audience(wanted: grant.audience) }
        guard case .number(let expiry)? = claims["exp"], let end = Self.instant(expiry) else { throw .endless }
        guard now < end else { throw .expired }
        if let claim = claims["nbf"] {
            guard case .number(let beginning) = claim, let start = Self.instant(beginning),
                now + Self.clockDifference >= start
            else { throw .notYetValid }
        }
        var issued: Timestamp?
        if case .number(let seconds)? = claims["iat"] {
            // A token issued in the future would outlive a revocation now.
            guard seconds * 1000 <= Double((now + Self.lead).milliseconds) else { throw .ofTheFuture }
            issued = Self.instant(seconds)
        }
        switch try scope(Self.texts(claims["scope"]).flatMap { $0.split(separator: " ").map(String.init) }) {
        case .service: return Proof(principal: .service, issued: issued, until: end)
        case .reader: return Proof(principal: .service, isReader: true, issued: issued, until: end)
        case .person:
            guard case .text(let text)? = claims[grant.personClaim], let id = try? PersonID(text) else {
                throw .person
            }
            return Proof(principal: .person(id), issued: issued, until: end)
        }
    }

    /// How far an issuer's clock may be ahead of ours.
    private static let clockDifference = Duration.seconds(30)

    /// How far in the future the issue time of a token may be.
    private static let lead = Duration.seconds(300)

    /// The Cerca scope that the token names.
    ///
    /// A token that names none, as from identity providers, has the scope that the key grants if it is only one.
    private func scope(_ named: [String]) throws(TokenFault) -> Scope {
        let ours = Set(named.compactMap(Scope.init))
        let meant = ours.isEmpty ? grant.scopes : ours
        guard meant.count == 1, let scope = meant.first, grant.scopes.contains(scope) else { throw .scope }
        return scope
    }

    private static func texts(_ claim: JSON?) -> [String] {
        switch claim {
        case .text(let text)?: [text]
        case .list(let items)?: items.compactMap { if case .text(let text) = $0 { text } else { nil } }
        default: []
        }
    }

    /// A time in seconds since 1970 (RFC 7519, NumericDate); nil beyond the year 9999.
    private static func instant(_ seconds: Double) -> Timestamp? {
        (0...253_402_300_799).contains(seconds) ? Timestamp(milliseconds: Int64(seconds * 1000)) : nil
    }
}
