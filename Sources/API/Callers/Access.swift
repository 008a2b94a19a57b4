internal import HTTPTypes
internal import Model

/// Which callers may use a route.
enum Access: Sendable {
    /// Everybody, without a token.
    case anyone
    /// Services and people; what of others a person sees or does is decided by the rules behind the route.
    case known
    /// As ``known``, and whoever shows a ticket that stands for the token of such a caller.
    case following
    /// Services, and the person whose id is `{id}` in the path.
    case own
    /// Services, and the person whose id is the parameter `person`, which they may leave out.
    case ownInQuery
    /// As ``known``, and devices, which may send pings and nothing else.
    case sending
    /// Devices only, which may show their token in any way that ``PhoneCredential`` knows.
    case phone
    /// Services.
    case service

    /// Who may use such a route, in words.
    var callers: String {
        switch self {
        case .anyone: "anyone"
        case .known, .following: "services, people"
        case .own: "services, the person `{id}`"
        case .ownInQuery: "services, the person `person`"
        case .sending: "services, people, devices"
        case .phone: "devices"
        case .service: "services"
        }
    }

    /// Refuses who may not use such a route; `id` is what the path has at `{id}`.
    ///
    /// Nothing is looked up: whether there is anybody with that id makes no difference.
    ///
    /// - Throws: ``Problem``.
    func admit(_ principal: Principal, toWhatBelongsTo id: String?) throws(Problem) {
        switch (self, principal) {
        case (.anyone, _), (_, .service), (.sending, _), (.known, .person), (.following, .person),
            (.ownInQuery, .person), (.phone, .device):
            return
        case (.own, .person(let own)):
            guard id == own.text else { throw .notAllowed }
        case (.service, .person), (.phone, .person): throw .insufficientScope
        case (.known, .device), (.following, .device), (.own, .device), (.ownInQuery, .device), (.service, .device):
            throw Problem(
                .insufficientScope, detail: "The token of a device may send pings and nothing else.",
                headers: [.wwwAuthenticate: Challenge.insufficientScope(nil)])
        }
    }

    /// Refuses a person who names another in the parameter `person`, where that says to whom things belong.
    ///
    /// - Throws: ``Problem``.
    func admit(_ principal: Principal?, naming person: String?) throws(Problem) {
        guard self == .ownInQuery, case .person(let own)? = principal, let person else { return }
        guard person == own.text else { throw .notAllowed }
    }
}

extension Problem {
    /// The problem of a person who asks for what only services may.
    static let insufficientScope = Problem(
        .insufficientScope, detail: "This needs a token of scope 'service'; yours is of scope 'person'.",
        headers: [.wwwAuthenticate: Challenge.insufficientScope(.service)])
}
