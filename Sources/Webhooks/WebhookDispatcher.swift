internal import CoreMetrics
internal import DequeModule
package import Discovery
package import Logging
internal import Meters
package import Model
internal import Synchronization

/// Dispatches webhooks: runs a worker for each, and persists their progress.
package final class WebhookDispatcher: Sendable {
    /// How often it checks for new, changed and deleted webhooks.
    private static let pause = Duration.milliseconds(200)
    /// The number of checks after which deliveries are persisted, and after which skipped events are, too.
    private static let (checksPerSave, checksPerFullSave) = (5, 150)
    private static let errorDelay = Duration.seconds(1)
    /// The most deliveries that are kept per webhook.
    package static let remembered = 100

    private let engine: Engine
    private let sender: WebhookSender
    private let logger: Logger
    private let now: @Sendable () -> Timestamp
    private let elapsed: @Sendable () -> Duration
    /// The wall-clock time at the zero of the monotonic clock, or what it should have been; nil before first use.
    private let origin = Mutex<Timestamp?>(nil)
    private let delivered, failed, dropped: Counter
    private let active, failing, disabled, lag: Meter
    /// The latest deliveries, in order of time.
    private let latest = Mutex<[WebhookID: Deque<Delivery>]>([:])

    /// Creates a dispatcher; the clock `now` is for the times in messages and answers.
    package init(engine: Engine, rules: WebhookRules, logger: Logger, now: @escaping @Sendable () -> Timestamp) {
        (self.engine, self.logger, self.now, elapsed) = (engine, logger, now, rules.elapsed)
        sender = WebhookSender(rules)
        let meters = engine.meters
        delivered = meters.counter(.webhookDeliveries, "delivered")
        failed = meters.counter(.webhookDeliveries, "failed")
        dropped = meters.counter(.webhookDeliveries, "dropped")
        active = meters.gauge(.webhooks, "active")
        failing = meters.gauge(.webhooks, "failing")
        disabled = meters.gauge(.webhooks, "disabled")
        lag = meters.gauge(.webhookLag)
    }

    /// The monotonic time for retries: the wall-clock time when the first webhook began, plus the time elapsed since.
    var time: Timestamp {
        let elapsed = self.elapsed()
        return origin.withLock { origin in
            let begun = origin ?? now() - elapsed
            origin = begun
            return begun + elapsed
        }
    }

    /// The last deliveries of a webhook since the start, the newest first.
    package func deliveries(of id: WebhookID) -> [Delivery] { latest.withLock { ($0[id] ?? []).reversed() } }

    /// Sends a message once.
    ///
    /// - Returns: The delivery; nil if the webhook is gone.
    /// - Throws: `CancellationError`.
    package func send(_ message: WebhookMessage, to webhook: Webhook) async throws -> Delivery? {
        let (time, start) = (now(), ContinuousClock.now)
        guard let secrets = engine.read({ $0.secrets(ofWebhook: webhook.id) })?.signing(at: time) else { return nil }
        let headers = WebhookSignature.headers(id: message.id, at: time, message.body, secrets)
        let reply = try await sender.post(message.body, headers, to: webhook.url)
        let delivery = Delivery(
            id: message.id, event: message.event, type: message.type, at: time, took: .now - start, reply: reply)
        (delivery.isAccepted ? delivered : failed).increment()
        latest.withLock { latest in
            latest[webhook.id, default: []].append(delivery)
            if latest[webhook.id, default: []].count > Self.remembered { latest[webhook.id]?.removeFirst() }
        }
        return delivery
    }

    /// Records that a message was given up although the receiver accepts others.
    func noteGivenUp(_ message: Outbox.Message, of webhook: Webhook) {
        dropped.increment()
        logger.warning(
            "an event was given up because the receiver of a webhook did not accept it for days",
            metadata: ["webhook": "\(webhook.id)", "event": "\(message.waiting.number)"])
    }

    /// The next events after a number, at most `most`; nil, after a delay, if they cannot be read.
    func events(after number: Int64, atMost most: Int) async -> EventBatch? {
        do { return try await engine.events(after: number, atMost: most) } catch {
            guard !Task.isCancelled else { return nil }
            logger.error("events for webhooks could not be read", metadata: ["error": "\(error)"])
            try? await Task.sleep(for: Self.errorDelay)
            return nil
        }
    }

    private typealias Workers = [WebhookWorker.Job: (worker: WebhookWorker, task: Task<Void, Never>)]

    /// Runs until the task is canceled, then persists the progress.
    package func run() async {
        var workers: Workers = [:]
        var checks = 0
        while !Task.isCancelled {
            await reconcile(&workers)
            checks += 1
            if checks.isMultiple(of: Self.checksPerSave) {
                await note(workers, all: checks.isMultiple(of: Self.checksPerFullSave))
                measure(workers)
            }
            try? await Task.sleep(for: Self.pause)
        }
        for (_, task) in workers.values { task.cancel() }
        for (_, task) in workers.values { await task.value }
        await note(workers, all: true)
    }

    /// Ends the workers of webhooks that are deleted or changed, and starts missing ones.
    private func reconcile(_ workers: inout Workers) async {
        let webhooks = engine.keepsAll ? engine.read { $0.activeWebhooks } : []
        let jobs = Set(webhooks.map { WebhookWorker.Job($0.record, $0.progress) })
        for (job, entry) in workers where !jobs.contains(job) {
            entry.task.cancel()
            await entry.task.value
            workers[job] = nil
        }
        for (record, progress) in webhooks {
            let job = WebhookWorker.Job(record, progress)
            guard workers[job] == nil else { continue }
            do {
                let outbox = try await engine.outbox(of: record.value, progress, at: time)
                let worker = WebhookWorker(record.value, outbox, of: self, engine: engine, now: now)
                workers[job] = (worker, Task { await worker.run() })
            } catch {
                logger.error("a webhook could not be read", metadata: ["error": "\(error)"])
            }
        }
    }

    private func note(_ workers: Workers, all isAll: Bool) async {
        var changed: [(number: WebhookNumber, worker: WebhookWorker, outbox: Outbox)] = []
        for (job, entry) in workers {
            let outbox = entry.worker.takeChange() ?? (isAll ? entry.worker.state : nil)
            guard let outbox, outbox.progress != engine.read({ $0.progress(ofWebhook: entry.worker.webhook.id) }) else {
                continue
            }
            changed.append((job.number, entry.worker, outbox))
        }
        guard !changed.isEmpty else { return }
        do {
            try await engine.note(changed.map { ($0.number, $0.outbox) }, at: now())
        } catch {
            for change in changed { change.worker.returnChange() }
            logger.error("the progress of webhooks could not be written", metadata: ["error": "\(error)"])
            return
        }
        for (_, worker, outbox) in changed { report(worker.webhook, outbox) }
    }

    /// Logs that a webhook was disabled.
    private func report(_ webhook: Webhook, _ outbox: Outbox) {
        let metadata: Logger.Metadata = ["webhook": "\(webhook.id)"]
        switch outbox.disabled {
        case .gone?: logger.warning("a webhook is disabled: its receiver answered 410 Gone", metadata: metadata)
        case .failing?:
            logger.warning("a webhook is disabled: its receiver accepted nothing for days", metadata: metadata)
        case nil: break
        }
    }

    private func measure(_ workers: Workers) {
        let all = engine.read { $0.webhooks(after: nil, atMost: .max) }
        let states = workers.values.map(\.worker.state)
        let late = states.count(where: \.isFailing)
        failing.set(late)
        active.set(states.count - late)
        disabled.set(all.count { $0.value.disabled != nil })
        let oldest = states.compactMap(\.backlog.oldest).min()
        lag.set(oldest.map { max(.zero, now() - $0).seconds } ?? 0)
        let ids = Set(all.map(\.value.id))
        latest.withLock { latest in latest = latest.filter { ids.contains($0.key) } }
        sender.keep(only: Set(all.map(\.value.url)))
    }
}
