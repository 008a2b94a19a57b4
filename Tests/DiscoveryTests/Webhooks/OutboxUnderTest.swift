import Discovery
import Model
import Testing

/// An outbox, with whoever sends what it says.
final class OutboxUnderTest {
    private(set) var outbox: Outbox

    init(_ outbox: Outbox) { self.outbox = outbox }

    /// An outbox that begins after an event.
    convenience init(_ webhook: Webhook, through: Int64 = 0, at now: Timestamp) {
        self.init(Outbox(of: webhook, WebhookProgress(through: through), waiting: [], at: now))
    }

    var progress: WebhookProgress { outbox.progress }

    func take(_ batch: EventBatch, at now: Timestamp) { outbox.take(batch, at: now) }

    /// The next message, which is under way then; nil for none.
    func next(at now: Timestamp) -> Outbox.Message? { outbox.next(at: now) }

    /// All that may be sent at an instant, which is under way then.
    func all(at now: Timestamp) -> [Outbox.Message] {
        var messages: [Outbox.Message] = []
        while let message = next(at: now) { messages.append(message) }
        return messages
    }

    /// The numbers of that; -1 is a reset.
    func numbers(at now: Timestamp) -> [Int64] { all(at: now).map { $0.event?.number ?? -1 } }

    /// Whether the message is given up.
    @discardableResult
    func end(_ message: Outbox.Message, _ outcome: Outbox.Outcome, at now: Timestamp, jitter: Double = 1) -> Bool {
        outbox.end(message, outcome, at: now, jitter: jitter)
    }
}
