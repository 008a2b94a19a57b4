internal import HTTPTypes
internal import Model

/// The callers that may use a route.
///
/// A reader may use what services may, where the route only reads (``Route/onlyReads``).
enum Access: Sendable {
    /// Anyone, without a token.
    case anyone
    /// Services and people; the rules behind the route limit what a person sees of others or does to them.
    case known
    /// As ``known``, and holders of a ticket for the token of such a caller.
    case following
    /// Services, and the person whose id is `{id}` in the path.
    case own
    /// Services, and the person whose id is the parameter `person`, which they may leave out.
    case ownInQuery
    /// As ``known``, and devices, which may send pings and nothing else.
    case sending
    /// As ``known``, for reading with map programs and browsers, which may also send the token as a password (`Basic`).
    case reading
    /// Devices only, which may send their token in any way that ``PhoneCredential`` supports.
    case phone
    /// Services.
    case service

    /// The callers of such a route, in words; readers are among them if it only reads.
    func callers(onlyReads: Bool) -> String {
        let services = onlyReads ? "services, readers" : "services"
        return switch self {
        case .anyone: "anyone"
        case .known, .following, .reading: "\(services), people"
        case .own: "\(services), the person `{id}`"
        case .ownInQuery: "\(services), the person `person`"
        case .sending: "\(services), people, devices"
        case .phone: "devices"
        case .service: services
        }
    }

    /// Refuses callers that may not use such a route; `id` is the path parameter `{id}`.
    ///
    /// It looks nothing up, so that the result does not reveal whether the person exists.
    ///
    /// - Throws: ``Problem``.
    func admit(_ principal: Principal, toWhatBelongsTo id: String?) throws(Problem) {
        switch (self, principal) {
        case (.anyone, _), (_, .service), (.sending, _), (.known, .person), (.following, .person), (.reading, .person),
            (.ownInQuery, .person), (.phone, .device):
            return
        case (.own, .person(let own)):
            guard id == own.text else { throw .notAllowed }
        case (.service, .person), (.phone, .person): throw .insufficientScope
        case (.known, .device), (.following, .device), (.reading, .device), (.own, .device), (.ownInQuery, .device),
            (.service, .device):
            throw Problem(
                .insufficientScope, detail: "The token of a device may send pings and nothing else.",
                headers: [.wwwAuthenticate: Challenge.insufficientScope(nil)])
        }
    }

    /// Refuses a person who names another in the parameter `person`, on routes where it names the owner.
    ///
    /// - Throws: ``Problem``.
    func admit(_ principal: Principal?, naming person: String?) throws(Problem) {
        guard self == .ownInQuery, case .person(let own)? = principal, let person else { return }
        guard person == own.text else { throw .notAllowed }
    }
}

extension Problem {
    /// The problem of a person who uses a route for services only.
    static let insufficientScope = Problem(
        .insufficientScope, detail: "This needs a token of scope 'service'; yours is of scope 'person'.",
        headers: [.wwwAuthenticate: Challenge.insufficientScope(.service)])

    /// The problem of a reader who uses a route that writes, or that returns secrets.
    static let notForReaders = Problem(
        .insufficientScope,
        detail: "This needs a token of scope 'service'; yours is of scope 'reader', which only reads, and no secrets.",
        headers: [.wwwAuthenticate: Challenge.insufficientScope(.service)])
}
