internal import HTTPTypes
internal import Model

/// An authenticated caller, and the principal that it acts as.
struct Claim: Sendable {
    /// The proof in the token.
    let proof: Proof
    /// The holder of the token, to whom rate limits apply.
    var bearer: Principal { proof.principal }
    /// The principal for whom the request is answered: the bearer, or the person as whom a service acts.
    let principal: Principal

    /// A bearer who acts as themselves, or as the person in the header `Cerca-Acting-As`.
    ///
    /// - Throws: ``Problem`` if the bearer is not a service, or the person does not exist.
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
            throw Problem(.invalidParameter, detail: "'\(header)' is '\(name)', which is not the id of a person.")
        }
        guard isKnown(person) else {
            throw Problem(.invalidParameter, detail: "'\(header)' is '\(name)', a person who does not exist.")
        }
        principal = .person(person)
    }

    private static let header = HTTPField.Name("Cerca-Acting-As")
}
