internal import HTTPTypes

/// Why a token is invalid.
///
/// Faults of its claims are reported only if its signature is valid.
enum TokenFault: Error, Hashable {
    /// `Authorization` has another scheme than `Bearer`, or no token.
    case scheme
    /// Neither a JSON Web Token nor a device token.
    case malformed
    /// No key has the token's key id, or several could apply to a token without one.
    case unknownKey
    /// The token is not signed with the algorithm of its key.
    case algorithm
    case signature
    case expired
    /// The token has no expiry time.
    case endless
    case notYetValid
    /// The token's issue time is minutes in the future.
    case ofTheFuture
    /// The key's tokens must have another issuer.
    case issuer(wanted: String)
    /// The key's tokens must have another audience.
    case audience(wanted: String)
    /// The scope is not one that the key may grant.
    case scope
    /// The claim that must name the person holds no valid id.
    case person
    /// The person revoked the tokens of its time.
    case ended
    /// A device does not have such a token, or no longer.
    case device
    /// There was no such ticket, or it was used or has expired.
    case ticket

    var detail: String {
        switch self {
        case .scheme: "The header 'Authorization' must be 'Bearer', a space and the token."
        case .malformed: "The token is neither a JSON Web Token nor a device token."
        case .unknownKey: "The token names an unknown key."
        case .algorithm: "The token is not signed with the algorithm of its key."
        case .signature: "The token is not signed by the key that it names."
        case .expired: "The token has expired."
        case .endless: "The token never expires: its 'exp' is missing or invalid."
        case .notYetValid: "The token is not valid yet."
        case .ofTheFuture: "The token was issued (iat) more than 5 minutes in the future."
        case .issuer(let wanted): "The token has another issuer than its key: its 'iss' must be '\(wanted)'."
        case .audience(let wanted): "The token is meant for another service: its 'aud' must contain '\(wanted)'."
        case .scope: "The token has no scope that its key may grant."
        case .person: "The token names no person."
        case .ended: "The token was issued before its person's 'tokens_not_before', or has no time of issue (iat)."
        case .device: "The device token is unknown, replaced or revoked."
        case .ticket: "The ticket is unknown, used or expired: each can be used once, within a minute."
        }
    }

    var problem: Problem {
        Problem(.invalidToken, detail: detail, headers: [.wwwAuthenticate: Challenge.invalid(detail)])
    }
}
