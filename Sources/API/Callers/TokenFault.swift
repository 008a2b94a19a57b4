internal import HTTPTypes

/// Why a token proves nothing.
///
/// What a token claims is told only of one whose signature holds.
enum TokenFault: Error, Hashable {
    /// `Authorization` has another scheme than `Bearer`, or no token.
    case scheme
    /// Neither a JSON Web Token nor the token of a device.
    case malformed
    /// No key has the id that the token names, or several could be meant by one that names none.
    case unknownKey
    /// The token is not signed with the algorithm of its key.
    case algorithm
    case signature
    case expired
    /// The token says of no instant that it ends then.
    case endless
    case notYetValid
    /// It says that it was issued minutes from now.
    case ofTheFuture
    /// Tokens of the key have another issuer.
    case issuer(wanted: String)
    /// Tokens of the key have another audience.
    case audience(wanted: String)
    /// The scope is none that the key may grant.
    case scope
    /// The claim that the key's tokens name their person by holds no id.
    case person
    /// The person ended the tokens of its time.
    case ended
    /// A device has no such token, or no longer.
    case device
    /// No such ticket was made, or it was used, or a minute ago.
    case ticket

    var detail: String {
        switch self {
        case .scheme: "The header 'Authorization' must be 'Bearer', a space and the token."
        case .malformed: "The token is neither a JSON Web Token nor that of a device."
        case .unknownKey: "The token names no key that is known here."
        case .algorithm: "The token is not signed with the algorithm of its key."
        case .signature: "The token is not signed by the key that it names."
        case .expired: "The token has expired."
        case .endless: "The token never expires: it has no 'exp', or a wrong one."
        case .notYetValid: "The token is not valid yet."
        case .ofTheFuture: "The token says that it was issued (iat) more than 5 minutes from now."
        case .issuer(let wanted): "The token is of another issuer than its key: its 'iss' must be '\(wanted)'."
        case .audience(let wanted): "The token is meant for another service: its 'aud' must have '\(wanted)'."
        case .scope: "The token has no scope that its key may grant."
        case .person: "The token names no person."
        case .ended: "The token was issued before its person's 'tokens_not_before', or does not say when (iat)."
        case .device: "The token is not, or is no longer, that of a device."
        case .ticket: "The ticket is none, or is no longer good: each can be used once, within a minute."
        }
    }

    var problem: Problem {
        Problem(.invalidToken, detail: detail, headers: [.wwwAuthenticate: Challenge.invalid(detail)])
    }
}
