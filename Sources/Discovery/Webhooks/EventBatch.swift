package import Model
internal import Storage

/// Some of the events after one, in order.
package struct EventBatch: Sendable {
    /// What there is of them.
    package let events: [Event]
    /// Up to which event these are all that there are.
    package let through: Int64
    /// Whether some are missing that were not kept.
    package let isBehind: Bool

    /// Events that were read.
    package init(events: [Event], through: Int64, isBehind: Bool) {
        (self.events, self.through, self.isBehind) = (events, through, isBehind)
    }
}

extension Live {
    /// Some of the events after one, at most so many: all if they are in memory, else those that were kept.
    package func events(after number: Int64, atMost most: Int = 256) async throws -> EventBatch {
        if let events = feed.events(after: number, atMost: most) {
            return EventBatch(events: events, through: events.last?.number ?? number, isBehind: false)
        }
        let isBehind = feed.hasLost(EventType.allCases, after: number)
        let (events, through) = try await pastEvents(after: number, of: nil, atMost: most)
        return EventBatch(events: events, through: through, isBehind: isBehind)
    }

    /// Waits until there is an event after one, or until an instant.
    ///
    /// - Returns: whether the service goes on.
    package func wait(forEventAfter number: Int64, until end: ContinuousClock.Instant) async -> Bool {
        // Webhooks are sent what has a number.
        let mark = EventFeed.Mark(event: number, move: .max)
        if case .end = await feed.wait(for: nil, after: mark, until: end) { return false }
        return true
    }

    /// An event as services are told of it now; nil when somebody whom it names was deleted.
    package func told(_ event: Event, at now: Timestamp) throws -> ToldEvent? {
        var reader = EventReader(for: .service, EventFilter(), after: event.number, of: self)
        return try reader.told([event], from: self, at: now).first
    }

    /// What a webhook goes on with.
    package func outbox(of webhook: Webhook, _ progress: WebhookProgress, at now: Timestamp) async throws -> Outbox {
        let numbers = progress.waiting.filter { !$0.isReset }.map(\.number)
        let events = numbers.isEmpty ? [] : try await store.events(numbered: numbers)
        return Outbox(of: webhook, progress, waiting: events, at: now)
    }
}

extension EventFilter {
    /// What a webhook wants.
    init(_ webhook: Webhook) {
        self.init()
        (types, person, subject) = (Set(webhook.types), webhook.person, webhook.subject?.any)
    }
}
