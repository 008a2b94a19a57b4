internal import Discovery
internal import Model

/// The identity that a token proves, and the token's times.
struct Proof: Sendable {
    let principal: Principal
    /// Whether the token only reads.
    var isReader = false
    /// When the token was issued; nil if it does not specify it.
    var issued: Timestamp?
    /// When the token expires; nil if it does not.
    var until: Timestamp?
}

extension Engine {
    /// Whether a token that was valid has expired or was revoked by its person's document.
    func isOver(_ proof: Proof?, at now: Timestamp) -> Bool {
        proof?.until.map { $0 <= moment(of: now).upperBound } ?? false || hasEnded(proof)
    }

    /// Whether an otherwise valid token was revoked by its person's document.
    func hasEnded(_ proof: Proof?) -> Bool {
        guard let proof, case .person(let person) = proof.principal else { return false }
        return read { $0.hasEnded(tokenOf: person, issued: proof.issued) }
    }
}
