internal import HTTPTypes
internal import Model

/// Who calls, and as whom they are answered.
struct Claim: Sendable {
    /// Whom the token proves, whose rates count the request.
    let bearer: Principal
    /// As whom the request is answered: the bearer, or the person as whom a service acts.
    let principal: Principal
    /// Until when the token is good; nil for ever.
    var expires: Timestamp?

    /// Somebody who acts as themselves, or as whom the header `Cerca-Acting-As` names.
    ///
    /// - Throws: ``Problem`` for a bearer who is no service, and for who is nobody known.
    init(_ bearer: Principal, _ headers: HTTPFields, isKnown: (PersonID) -> Bool) throws(Problem) {
        guard let header = Self.header, let name = headers[header] else {
            (self.bearer, principal) = (bearer, bearer)
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
        (self.bearer, principal) = (bearer, .person(person))
    }

    private static let header = HTTPField.Name("Cerca-Acting-As")
}
