internal import Discovery
internal import Model
internal import Synchronization

/// Sends the events of one webhook, scheduled by its outbox.
final class WebhookWorker: Sendable {
    /// The identity of its work; a change needs a new worker.
    struct Job: Hashable {
        let number: WebhookNumber
        let revision, epoch: Int64

        init(_ record: Versioned<Webhook>, _ progress: WebhookProgress) {
            (number, revision, epoch) = (record.number, record.revision, progress.epoch)
        }
    }

    private static let pause = Duration.seconds(1)
    /// The most events read at once, in general and for deferred lanes, which have few places.
    private static let (eventsAtOnce, deferredAtOnce) = (256, 64)

    let webhook: Webhook
    private let outbox: Mutex<Outbox>
    private let engine: Engine
    private let dispatcher: WebhookDispatcher
    /// The clock for the times in messages.
    private let now: @Sendable () -> Timestamp
    /// Whether it waits for events.
    private let isWaiting = Atomic(false)

    init(
        _ webhook: Webhook, _ outbox: Outbox, of dispatcher: WebhookDispatcher, engine: Engine,
        now: @escaping @Sendable () -> Timestamp
    ) {
        (self.webhook, self.engine, self.dispatcher, self.now) = (webhook, engine, dispatcher, now)
        self.outbox = Mutex(outbox)
    }

    /// The current outbox.
    var state: Outbox { outbox.withLock { $0 } }

    /// The outbox if a message was completed since the last call.
    func takeChange() -> Outbox? {
        outbox.withLock { outbox in
            guard outbox.isChanged else { return nil }
            outbox.isChanged = false
            return outbox
        }
    }

    /// Marks the outbox as changed again, because it could not be persisted.
    func returnChange() { outbox.withLock { $0.isChanged = true } }

    /// Runs until the webhook is disabled or the task is canceled.
    func run() async {
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        await withDiscardingTaskGroup { group in
            var iterator = wakes.makeAsyncIterator()
            while !Task.isCancelled, state.disabled == nil {
                let isMore = await read()
                while let message = outbox.withLock({ $0.next(at: dispatcher.time) }) {
                    group.addTask { [self] in
                        await deliver(message)
                        wake.yield()
                    }
                }
                if isMore { continue }
                if !isWaiting.exchange(true, ordering: .relaxed) {
                    group.addTask { [self] in
                        let continues = await waitForEvents()
                        isWaiting.store(false, ordering: .relaxed)
                        if continues { wake.yield() } else { wake.finish() }
                    }
                }
                if await iterator.next() == nil { break }
            }
            group.cancelAll()
        }
    }

    /// Waits for events if there is room, but not long, because a retry may be due.
    private func waitForEvents() async -> Bool {
        let (through, hasRoom) = outbox.withLock { ($0.through, $0.hasRoom) }
        let end = ContinuousClock.now + Self.pause
        guard hasRoom else {
            try? await Task.sleep(until: end)
            return true
        }
        return await engine.wait(forEventAfter: through, until: end)
    }

    /// Reads events if there is room, and events of deferred lanes that have room.
    ///
    /// - Returns: Whether there may be more to read at once.
    private func read() async -> Bool {
        var isMore = false
        let (through, hasRoom) = outbox.withLock { ($0.through, $0.hasRoom) }
        if hasRoom, let batch = await dispatcher.events(after: through, atMost: Self.eventsAtOnce) {
            outbox.withLock { $0.take(batch, at: dispatcher.time) }
            isMore = batch.through > through
        }
        if let number = outbox.withLock({ $0.deferredAfter }),
            let batch = await dispatcher.events(after: number, atMost: Self.deferredAtOnce)
        {
            outbox.withLock { $0.take(deferred: batch, after: number, at: dispatcher.time) }
            isMore = true
        }
        return isMore
    }

    private func deliver(_ message: Outbox.Message) async {
        let outcome: Outbox.Outcome
        do { outcome = try await send(message) } catch { return }  // The worker was canceled.
        let isGivenUp = outbox.withLock {
            $0.end(message, outcome, at: dispatcher.time, jitter: .random(in: 0.8...1.2))
        }
        if isGivenUp { dispatcher.noteGivenUp(message, of: webhook) }
    }

    private func send(_ message: Outbox.Message) async throws -> Outbox.Outcome {
        guard let event = message.event else {
            return try await send(WebhookMessage("reset", after: message.waiting.number, at: now()))
        }
        guard let reported = try engine.reported(event, at: now()) else { return .dropped }
        return try await send(WebhookMessage(reported))
    }

    private func send(_ message: WebhookMessage) async throws -> Outbox.Outcome {
        guard let delivery = try await dispatcher.send(message, to: webhook) else { return .dropped }
        if delivery.isAccepted { return .delivered }
        return delivery.reply.status == 410 ? .gone : .failed(retryAfter: delivery.reply.retryAfter)
    }
}
