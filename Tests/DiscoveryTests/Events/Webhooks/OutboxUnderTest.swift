import Discovery
import Model
import TestSupport
import Testing

/// An outbox with its sender.
final class OutboxUnderTest {
    private(set) var outbox: Outbox

    init(_ outbox: Outbox) { self.outbox = outbox }

    /// An outbox that begins after an event.
    convenience init(_ webhook: Webhook, through: Int64 = 0, at now: Timestamp) {
        self.init(Outbox(of: webhook, WebhookProgress(through: through), waiting: [], at: now))
    }

    var progress: WebhookProgress { outbox.progress }

    func take(_ batch: EventBatch, at now: Timestamp) { outbox.take(batch, at: now) }

    /// Reads once like a worker, new events and events of deferred lanes, as far as there is room.
    ///
    /// - Returns: whether there may be more.
    func read(_ history: History, at now: Timestamp) -> Bool {
        let through = outbox.through
        if outbox.hasRoom { outbox.take(history.batch(after: through, atMost: 256), at: now) }
        guard let number = outbox.deferredAfter else { return outbox.through > through }
        outbox.take(deferred: history.batch(after: number, atMost: 64), after: number, at: now)
        return true
    }

    /// The next message, which is then in flight, or nil.
    func next(at now: Timestamp) -> Outbox.Message? { outbox.next(at: now) }

    /// All messages that may be sent at an instant, which are then in flight.
    func all(at now: Timestamp) -> [Outbox.Message] {
        var messages: [Outbox.Message] = []
        while let message = next(at: now) { messages.append(message) }
        return messages
    }

    /// The numbers of all messages that may be sent, where -1 is a reset.
    func numbers(at now: Timestamp) -> [Int64] { all(at: now).map { $0.event?.number ?? -1 } }

    /// Ends a message and returns whether it is given up.
    @discardableResult
    func end(_ message: Outbox.Message, _ outcome: Outbox.Outcome, at now: Timestamp, jitter: Double = 1) -> Bool {
        outbox.end(message, outcome, at: now, jitter: jitter)
    }
}

/// Events with the numbers from 1 on.
struct History {
    var events: [Event] = []
    /// The number of the first event in memory, before which only kept events can be read.
    var firstInMemory: Int64 = 1

    mutating func add(_ person: Int, _ type: EventType = .friendMade) {
        let number = Int64(events.count + 1)
        let participant = EventPayload.Participant(PersonNumber(rawValue: Int32(person)), id("p\(person)"))
        events.append(Event(number: number, at: morning, EventPayload(type, participant)))
    }

    func batch(after number: Int64, atMost most: Int) -> EventBatch {
        let rest = events.dropFirst(Int(number))
        let isBehind = number + 1 < firstInMemory
        let found = isBehind ? Array(rest.lazy.filter(\.payload.type.isKept).prefix(most)) : Array(rest.prefix(most))
        let isLast = isBehind && found.count < most
        let through = isLast ? Int64(events.count) : found.last?.number ?? number
        return EventBatch(events: found, through: through, isBehind: isBehind)
    }
}
