package import Model

extension Webhook {
    /// Reads a webhook; `fault` returns the error of an invalid URL.
    package init?(_ fields: inout Fields, id: WebhookID, fault: (String) -> String?) {
        _ = fields.ownID(id, reserved: [])
        fields.require("url")
        let url = fields.text("url", longest: 2000)
        if let url, let fault = fault(url) { fields.fail("url", .format, fault) }
        let types: Set<EventType>? = fields.words("types")
        if types?.isEmpty ?? false { fields.fail("types", .range, "is empty; must have at least one, or be omitted") }
        let person: PersonID? = fields.optionalID("person")
        let subjects: [Subject] = [
            fields.optionalID("place").map(Subject.place), fields.optionalID("product").map(Subject.product),
            fields.optionalID("group").map(Subject.group), fields.optionalID("fence").map(Subject.fence),
        ].compactMap(\.self)
        if subjects.count > 1 {
            fields.fail("place", .range, "is one of several; at most one of place, product, group and fence is allowed")
        }
        let isOrdered = fields.flag("ordered") ?? true
        // `disabled` is accepted so that a webhook can be sent back as received, which enables it.
        let _: Webhook.Disablement? = fields.word("disabled")
        guard let url else { return nil }
        self.init(id: id, url: url)
        if let types { self.types = EventType.allCases.filter(types.contains) }
        (self.person, subject, self.isOrdered) = (person, subjects.first, isOrdered)
    }
}

extension JSONWriter {
    package mutating func webhook(_ webhook: Webhook) {
        member("id", webhook.id.text)
        member("url", webhook.url)
        member("types", webhook.types.map(\.rawValue))
        member("person", webhook.person?.text)
        switch webhook.subject {
        case .place(let id)?: member("place", id.text)
        case .product(let id)?: member("product", id.text)
        case .group(let id)?: member("group", id.text)
        case .fence(let id)?: member("fence", id.text)
        case nil: break
        }
        member("ordered", webhook.isOrdered)
        member("disabled", webhook.disabled?.rawValue)
    }
}
