internal import Discovery
internal import Model
internal import Synchronization

/// Sends the events of one webhook, as its outbox says.
final class WebhookWorker: Sendable {
    /// What it works for; with another one it would have to begin anew.
    struct Job: Hashable {
        let number: WebhookNumber
        let revision, epoch: Int64

        init(_ record: Versioned<Webhook>, _ progress: WebhookProgress) {
            (number, revision, epoch) = (record.number, record.revision, progress.epoch)
        }
    }

    /// Why the loop goes on.
    private enum Awakening {
        case delivered
        case rested(goesOn: Bool)
    }

    private static let pause = Duration.seconds(1)

    let webhook: Webhook
    private let outbox: Mutex<Outbox>
    private let live: Live
    private let post: WebhookPost
    /// The time that messages name.
    private let now: @Sendable () -> Timestamp

    init(
        _ webhook: Webhook, _ outbox: Outbox, of post: WebhookPost, live: Live, now: @escaping @Sendable () -> Timestamp
    ) {
        (self.webhook, self.live, self.post, self.now) = (webhook, live, post, now)
        self.outbox = Mutex(outbox)
    }

    /// The outbox as it is now.
    var state: Outbox { outbox.withLock { $0 } }

    /// The outbox if something became of a message since this was asked.
    func takeChange() -> Outbox? {
        outbox.withLock { outbox in
            guard outbox.isChanged else { return nil }
            outbox.isChanged = false
            return outbox
        }
    }

    /// What was taken could not be written down.
    func returnChange() { outbox.withLock { $0.isChanged = true } }

    /// Works until the webhook is disabled, or the task is cancelled.
    func run() async {
        await withTaskGroup(of: Awakening.self) { group in
            group.addTask { [self] in await rest() }
            while !Task.isCancelled, state.disabled == nil {
                await read()
                while let message = outbox.withLock({ $0.next(at: post.time) }) {
                    group.addTask { [self] in
                        await deliver(message)
                        return .delivered
                    }
                }
                switch await group.next() {
                case .delivered?: break
                case .rested(goesOn: true)?: group.addTask { [self] in await rest() }
                case .rested(goesOn: false)?, nil: return group.cancelAll()
                }
            }
            group.cancelAll()
        }
    }

    /// Waits for events if there is room, but not long: something may be due.
    private func rest() async -> Awakening {
        let outbox = state
        let end = ContinuousClock.now + Self.pause
        guard outbox.hasRoom else {
            try? await Task.sleep(until: end)
            return .rested(goesOn: true)
        }
        return .rested(goesOn: await live.wait(forEventAfter: outbox.through, until: end))
    }

    /// Reads events as long as there are more, and room.
    private func read() async {
        while !Task.isCancelled {
            let before = state
            guard before.hasRoom, let batch = await post.events(after: before.through) else { return }
            outbox.withLock { $0.take(batch, at: post.time) }
            if batch.through == before.through { return }
        }
    }

    private func deliver(_ message: Outbox.Message) async {
        let outcome: Outbox.Outcome
        do { outcome = try await send(message) } catch { return }  // Nobody waits for it any more.
        let isGivenUp = outbox.withLock { $0.end(message, outcome, at: post.time, jitter: .random(in: 0.8...1.2)) }
        if isGivenUp { post.noteGivenUp(message, of: webhook) }
    }

    private func send(_ message: Outbox.Message) async throws -> Outbox.Outcome {
        guard let event = message.event else {
            return try await send(WebhookMessage("reset", after: message.waiting.number, at: now()))
        }
        guard let told = try live.told(event, at: now()) else { return .untold }
        return try await send(WebhookMessage(told))
    }

    private func send(_ message: WebhookMessage) async throws -> Outbox.Outcome {
        guard let delivery = try await post.send(message, to: webhook) else { return .untold }
        if delivery.isTaken { return .delivered }
        return delivery.reply.status == 410 ? .gone : .failed(retryAfter: delivery.reply.retryAfter)
    }
}
