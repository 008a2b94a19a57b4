internal import HTTPTypes
internal import Model

/// Who calls, and as whom they are answered.
struct Claim: Sendable {
    /// What the token proves.
    let proof: Proof
    /// Whom the token proves, whose rates count the request.
    var bearer: Principal { proof.principal }
    /// As whom the request is answered: the bearer, or the person as whom a service acts.
    let principal: Principal

    /// Somebody who acts as themselves, or as whom the header `Cerca-Acting-As` names.
    ///
    /// - Throws: ``Problem`` for a bearer who is no service, and for who is nobody known.
    init(_ proof: Proof, _ headers: HTTPFields, isKnown: (PersonID) -> Bool) throws(Problem) {
        let bearer = proof.principal
        self.proof = proof
        guard let header = Self.header, let name = headers[header] else {
            principal = bearer
            return
        }
        guard bearer == .service else {
            throw Problem(
                .insufficientScope, detail: "'\(header)' is for services only.",
                headers: [.wwwAuthenticate: Challenge.insufficientScope(.service)])
        }
        guard let person = try? PersonID(name) else {
            throw Problem(.invalidParameter, detail: "'\(header)' is '\(name)', which is no id of a person.")
        }
        guard isKnown(person) else {
            throw Problem(.invalidParameter, detail: "'\(header)' is '\(name)': there is no such person.")
        }
        principal = .person(person)
    }

    private static let header = HTTPField.Name("Cerca-Acting-As")
}
