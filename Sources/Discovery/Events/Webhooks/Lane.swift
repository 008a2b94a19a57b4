internal import Model

extension WebhookProgress.Lane {
    init(_ fact: EventPayload) {
        if let person = fact.person?.number ?? fact.cause {
            self = .person(person)
        } else {
            self = (fact.subject ?? fact.product?.any).map { .subject($0) } ?? .other
        }
    }
}
