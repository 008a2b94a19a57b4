internal import Discovery
internal import Model

/// Whom a token proves, and when.
struct Proof: Sendable {
    let principal: Principal
    /// When the token was issued; nil where it does not say.
    var issued: Timestamp?
    /// Until when it is good; nil for ever.
    var until: Timestamp?
}

extension Live {
    /// Whether a token that was good is no more: its time is over, or a person's document ended it.
    func isOver(_ proof: Proof?, at now: Timestamp) -> Bool {
        proof?.until.map { $0 <= moment(of: now).upperBound } ?? false || hasEnded(proof)
    }

    /// Whether a person's document ended a token that is good by itself.
    func hasEnded(_ proof: Proof?) -> Bool {
        guard let proof, case .person(let person) = proof.principal else { return false }
        return read { $0.hasEnded(tokenOf: person, issued: proof.issued) }
    }
}
