internal import Model

extension WebhookProgress.Lane {
    init(_ payload: EventPayload) {
        if let person = payload.person?.number ?? payload.cause {
            self = .person(person)
        } else {
            self = (payload.subject ?? payload.product?.any).map { .subject($0) } ?? .other
        }
    }
}
