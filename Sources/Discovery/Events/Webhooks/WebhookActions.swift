public import Model

/// Creates or replaces a webhook; a disabled one is enabled again.
public struct PutWebhook: Action {
    let write: Write<Webhook>
    let secret: WebhookSecret

    /// A conditional write, and the signing secret of a new webhook.
    public init(_ write: Write<Webhook>, secret: WebhookSecret) { (self.write, self.secret) = (write, secret) }

    /// - Returns: the revision of the document.
    public func apply(to draft: inout Draft) throws -> Written {
        try draft.requireService()
        let webhook = write.value
        if let person = webhook.person, draft.state.people.number(of: person) == nil {
            throw Refusal.unknown(.person, person.any)
        }
        let old = draft.state.webhooks[webhook.id]
        let revision = try draft.revision(after: old?.record.revision, if: write.condition)
        guard let old else {
            guard draft.state.webhooks.entries.count < Webhooks.most else {
                throw Refusal.tooManyWebhooks(Webhooks.most)
            }
            let record = Versioned(
                number: draft.state.webhooks.nextNumber, revision: revision, value: webhook)
            let progress = WebhookProgress(through: draft.state.lastEvent)
            try draft.write(.webhooks(.made(record, WebhookSecrets(secret), progress)))
            return Written(isNew: true, revision: revision)
        }
        if old.record.value == webhook { return Written(isNew: false, revision: old.record.revision) }
        let number = old.record.number
        try draft.write(.webhooks(.put(Versioned(number: number, revision: revision, value: webhook))))
        // Events while it was disabled were not retained for it.
        let next = old.progress.going(
            onFrom: old.progress.through + 1, resetting: old.record.value.disabled != nil, at: draft.received)
        try draft.write(.webhooks(.progressed(number, next)))
        return Written(isNew: false, revision: revision)
    }
}

/// Deletes a webhook; deliveries end.
public struct DeleteWebhook: Action {
    let id: WebhookID
    let condition: Condition

    /// The webhook with this ID.
    public init(_ id: WebhookID, if condition: Condition = .always) { (self.id, self.condition) = (id, condition) }

    /// Only services may delete webhooks.
    public func apply(to draft: inout Draft) throws {
        let entry = try draft.webhook(id)
        _ = try draft.revision(after: entry.record.revision, if: condition)
        try draft.write(.webhooks(.deleted(entry.record.number)))
    }
}

/// Replaces a webhook's signing secret; the old one signs for another day.
public struct RotateWebhook: Action {
    let id: WebhookID
    let secret: WebhookSecret

    /// A webhook and its new secret.
    public init(_ id: WebhookID, secret: WebhookSecret) { (self.id, self.secret) = (id, secret) }

    /// Only services may rotate secrets.
    public func apply(to draft: inout Draft) throws {
        let entry = try draft.webhook(id)
        let secrets = entry.secrets.rotated(to: secret, at: draft.received)
        try draft.write(.webhooks(.secrets(entry.record.number, secrets)))
    }
}

/// Delivers retained events again, from a number on.
public struct Redeliver: Action {
    let id: WebhookID
    let from: Int64

    /// A webhook, and the number of the first event.
    public init(to id: WebhookID, from number: Int64) { (self.id, from) = (id, number) }

    /// Only services may redeliver; a webhook that is further behind is only retried at once.
    public func apply(to draft: inout Draft) throws {
        let entry = try draft.webhook(id)
        let next = entry.progress.going(onFrom: from, resetting: false, at: draft.received)
        try draft.write(.webhooks(.progressed(entry.record.number, next)))
    }
}

/// Records a webhook's delivery progress, and its disablement.
struct NoteDelivery: Action {
    let number: WebhookNumber
    let progress: WebhookProgress
    let disabled: Webhook.Disablement?

    /// One writer turn, because all queued entries are written.
    var weight: Int { Engine.turnWeight }

    /// Does nothing when a client has changed the position in the meantime.
    func apply(to draft: inout Draft) throws {
        guard let entry = draft.state.webhooks.entries[number], entry.progress.epoch == progress.epoch else { return }
        try draft.write(.webhooks(.progressed(number, progress)))
        guard let disabled else { return }
        let revision = try draft.revision(after: entry.record.revision, if: .always)
        var webhook = entry.record.value
        webhook.disabled = disabled
        try draft.write(.webhooks(.put(Versioned(number: number, revision: revision, value: webhook))))
    }
}

extension Draft {
    fileprivate func webhook(_ id: WebhookID) throws(Refusal) -> Webhooks.Entry {
        try requireService()
        guard let entry = state.webhooks[id] else { throw .unknown(.webhook, id.any) }
        return entry
    }
}

extension Engine {
    /// Writes the progress of webhooks in one commit.
    package func note(
        _ outboxes: [(number: WebhookNumber, outbox: Outbox)], at now: Timestamp
    ) async throws {
        let notes = outboxes.map {
            NoteDelivery(number: $0.number, progress: $0.outbox.progress, disabled: $0.outbox.disabled)
        }
        try await perform(Batch(notes), by: .service, at: now, of: .maintenance)
    }
}
