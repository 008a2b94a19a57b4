package import Model
internal import Storage

/// A batch of consecutive events.
package struct EventBatch: Sendable {
    /// The events that still exist.
    package let events: [Event]
    /// The number up to which the batch is complete.
    package let through: Int64
    /// Whether events are missing that were not retained.
    package let isBehind: Bool

    package init(events: [Event], through: Int64, isBehind: Bool) {
        (self.events, self.through, self.isBehind) = (events, through, isBehind)
    }
}

extension Engine {
    /// Returns up to `most` events after `number`: all if they are in memory, otherwise the retained ones.
    package func events(after number: Int64, atMost most: Int = 256) async throws -> EventBatch {
        if let events = feed.events(after: number, atMost: most) {
            return EventBatch(events: events, through: events.last?.number ?? number, isBehind: false)
        }
        let isBehind = feed.hasLost(EventType.allCases, after: number)
        let (events, through) = try await pastEvents(after: number, of: nil, atMost: most)
        return EventBatch(events: events, through: through, isBehind: isBehind)
    }

    /// Waits until there is an event after `number`, or until a time.
    ///
    /// - Returns: false when the service is ending.
    package func wait(forEventAfter number: Int64, until end: ContinuousClock.Instant) async -> Bool {
        // Webhooks receive numbered events only, so moves are ignored.
        let mark = EventFeed.Mark(event: number, move: .max)
        if case .end = await feed.wait(for: nil, after: mark, until: end) { return false }
        return true
    }

    /// Returns an event as a service sees it now; nil when a person whom it names was deleted.
    package func reported(_ event: Event, at now: Timestamp) throws -> EventView? {
        var reader = EventReader(for: .service, EventFilter(), after: event.number, of: self)
        return try reader.visibleEvents([event], from: self, at: now).first
    }

    /// Restores a webhook's outbox from its stored progress.
    package func outbox(of webhook: Webhook, _ progress: WebhookProgress, at now: Timestamp) async throws -> Outbox {
        let numbers = progress.waiting.filter { !$0.isReset }.map(\.number)
        let events = numbers.isEmpty ? [] : try await store.events(numbered: numbers)
        return Outbox(of: webhook, progress, waiting: events, at: now)
    }
}

extension EventFilter {
    /// The filter of a webhook.
    init(_ webhook: Webhook) {
        self.init()
        (types, person, subject) = (Set(webhook.types), webhook.person, webhook.subject?.any)
    }
}
