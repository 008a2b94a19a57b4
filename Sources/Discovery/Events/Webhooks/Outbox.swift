package import Model

/// The delivery queue of a webhook: a plain value without clock or network.
///
/// Its times are of a steady clock. Only their differences survive a restart; see ``resume(at:)``.
///
/// An event is queued from when it is read until it is delivered or given up. It can be sent when it is due and nothing
/// that must precede it is queued: with ordering an earlier event of the same person, and always a reset.
///
/// The events of a person, or of another subject, are a *lane*. Each lane has a share of the queue's capacity, and the
/// lanes take turns. A lane whose share is full is deferred: reading continues without it, and its further events are
/// read again when it has room. So no lane delays another, however many events it has.
package struct Outbox: Sendable {
    private typealias Lane = WebhookProgress.Lane

    /// Approximate maximum length of the queue; reading pauses until there is room.
    package static let capacity = 256
    /// Maximum number of queued events of a lane.
    package static let mostOfLane = 8
    /// A lane may use one in this number of free places, so that a few lanes cannot use all.
    private static let freePlacesForEach = 16
    /// Maximum number of concurrent deliveries, and how many are reserved for lanes with none in flight.
    private static let (mostAtOnce, reservedSlots) = (8, 2)
    /// How long delivery of an event is retried.
    package static let retryPeriod = Duration.seconds(3 * 86_400)

    /// A queued delivery.
    package struct Message: Sendable {
        /// The event; nil for a reset, which reports missing events.
        package let event: Event?
        package fileprivate(set) var waiting: WebhookProgress.Waiting
        fileprivate var isInFlight = false
        /// Nil for a reset.
        fileprivate let lane: WebhookProgress.Lane?
    }

    /// A lane with queued or deferred events.
    private struct LaneState {
        /// Number of queued events.
        var count = 0
        /// The lane with the lowest number sends next, and then gets the highest.
        var turn: Int
        /// The number of the first event without a place; nil if all up to ``Outbox/through`` had one.
        var deferred: Int64?
    }

    /// The result of a delivery.
    package enum Outcome: Sendable {
        case delivered
        /// The event is dropped, because a person whom it names was deleted.
        case dropped
        /// It was not accepted; the receiver may have sent `Retry-After`.
        case failed(retryAfter: Duration?)
        /// The receiver responded that it no longer exists.
        case gone
    }

    private let isOrdered: Bool
    /// Whether it subscribes to events that are not retained, so that gaps must be reported.
    private let reportsGaps: Bool
    private let filter: EventFilter
    /// In order of their events.
    private var messages: [Message] = []
    private var lanes: [Lane: LaneState] = [:]
    private var nextTurn = 0
    /// The last event covered by a reset: the receiver knows that events up to it may be missing.
    private var resetThrough: Int64 = 0
    private var epoch: Int64
    private var succeeded: Timestamp?
    /// Whether reading is among events that are no longer in memory.
    private var isBehind = false
    package private(set) var through: Int64
    /// Why delivery stopped; nil while it runs.
    package private(set) var disabled: Webhook.Disablement?
    /// Whether a message was completed or failed since this was set to false.
    package var isChanged = false

    /// An outbox that resumes from stored progress, with its queued events as far as they still exist.
    package init(of webhook: Webhook, _ progress: WebhookProgress, waiting events: [Event], at now: Timestamp) {
        isOrdered = webhook.isOrdered
        reportsGaps = webhook.types.contains { !$0.isKept }
        filter = EventFilter(webhook)
        (epoch, succeeded, through) = (progress.epoch, progress.succeeded, progress.through)
        // In the order of their turns.
        for entry in progress.deferred ?? [] { change(entry.lane) { $0.deferred = entry.from } }
        let events = Dictionary(uniqueKeysWithValues: events.map { ($0.number, $0) })
        for waiting in progress.waiting {
            if waiting.isReset {
                add(nil, waiting)
            } else if let event = events[waiting.number], filter.passes(event.payload) {
                add(event, waiting)
            }
        }
        if events.count < progress.waiting.count(where: { !$0.isReset }), reportsGaps { addReset(at: now) }
        resume(at: now)
    }

    /// Moves the times of an earlier run to the clock of this one.
    ///
    /// They stay if the next retry is due within the longest pause. Otherwise the service was stopped for long, or one
    /// of the clocks is wrong. The next retry is then due now, and the others keep their distance from it. Of the time
    /// that the receiver has been failing only the certain part counts: all but the last pause.
    private mutating func resume(at now: Timestamp) {
        for index in messages.indices where messages[index].waiting.failed == nil {
            messages[index].waiting.due = min(messages[index].waiting.due, now)
        }
        let next = messages.lazy.map(\.waiting).filter { $0.failed != nil }.min { $0.due < $1.due }
        if let next, let failed = next.failed, !(now...now + RetryBackoff.longest).contains(next.due) {
            let shift = now - next.due
            let pause = min(max(.zero, next.due - failed), RetryBackoff.longest)
            for index in messages.indices {
                guard let failed = messages[index].waiting.failed else { continue }
                messages[index].waiting.failed = min(now, failed + shift + pause)
                messages[index].waiting.due = messages[index].waiting.due + shift
            }
            succeeded = succeeded.map { $0 + shift + pause }
        }
        succeeded = succeeded.map { min($0, now) }
    }

    /// The state to store.
    package var progress: WebhookProgress {
        var progress = WebhookProgress(through: through)
        (progress.epoch, progress.waiting, progress.succeeded) = (epoch, messages.map(\.waiting), succeeded)
        let deferred = lanes.sorted { $0.value.turn < $1.value.turn }.compactMap { lane, state in
            state.deferred.map { WebhookProgress.Deferred(lane, from: $0) }
        }
        progress.deferred = deferred.isEmpty ? nil : deferred
        return progress
    }

    package var hasRoom: Bool { messages.count < Self.capacity }

    /// The number after which deferred events should be read now; nil when no deferred lane has room.
    ///
    /// A lane has room when few of its events are queued, because each read of events costs as much as many of them.
    package var deferredAfter: Int64? {
        let share = share
        return lanes.values.lazy.compactMap { $0.count * 4 <= share ? $0.deferred : nil }.min().map { $0 - 1 }
    }

    /// Current maximum of queued events of a lane, lower when fewer places are free (dynamic thresholds of Choudhury
    /// and Hahne, 1998).
    private var share: Int {
        max(1, min(Self.mostOfLane, (Self.capacity - messages.count) / Self.freePlacesForEach))
    }

    /// The number of queued messages, and the time of the oldest.
    package var backlog: (count: Int, oldest: Timestamp?) {
        (messages.count, messages.lazy.compactMap(\.event?.at).first)
    }

    /// Whether the latest attempt failed.
    package var isFailing: Bool { messages.contains { $0.waiting.failed.map { $0 >= succeeded ?? $0 } ?? false } }

    private mutating func change(_ lane: Lane, _ body: (inout LaneState) -> Void) {
        var state = lanes[lane] ?? LaneState(turn: takeTurn())
        body(&state)
        lanes[lane] = state.count == 0 && state.deferred == nil ? nil : state
    }

    private mutating func takeTurn() -> Int {
        nextTurn += 1
        return nextTurn
    }

    private mutating func add(_ event: Event?, _ waiting: WebhookProgress.Waiting) {
        let lane = event.map { Lane($0.payload) }
        if let lane { change(lane) { $0.count += 1 } }
        // A reset follows the event with its number.
        let before = messages.lastIndex { $0.waiting.number < waiting.number || event == nil }
        messages.insert(Message(event: event, waiting: waiting, lane: lane), at: before.map { $0 + 1 } ?? 0)
    }

    private mutating func remove(at index: Int) {
        if let lane = messages.remove(at: index).lane { change(lane) { $0.count -= 1 } }
    }

    private mutating func addReset(at now: Timestamp) {
        resetThrough = through
        guard !messages.contains(where: { $0.event == nil }) else { return }
        add(nil, WebhookProgress.Waiting(through, isReset: true, due: now))
    }

    /// Enqueues the events read after ``through``.
    package mutating func take(_ batch: EventBatch, at now: Timestamp) {
        if batch.isBehind, !isBehind, reportsGaps { addReset(at: now) }
        isBehind = batch.isBehind
        if isBehind { resetThrough = batch.through }
        for event in batch.events where filter.passes(event.payload) {
            let lane = Lane(event.payload)
            guard lanes[lane]?.deferred == nil else { continue }
            if lanes[lane]?.count ?? 0 < share {
                add(event, WebhookProgress.Waiting(event.number, due: now))
            } else {
                change(lane) { $0.deferred = event.number }
            }
        }
        through = batch.through
    }

    /// Enqueues the events of deferred lanes, read after `number`.
    package mutating func take(deferred batch: EventBatch, after number: Int64, at now: Timestamp) {
        if batch.isBehind, reportsGaps, min(batch.through, through) > resetThrough { addReset(at: now) }
        // Deferred lanes may have events before those that were read.
        var open = Set(lanes.compactMap { lane, state in state.deferred.map { $0 > number } ?? false ? lane : nil })
        for event in batch.events where event.number <= through && filter.passes(event.payload) {
            let lane = Lane(event.payload)
            guard open.contains(lane), let state = lanes[lane], state.deferred.map({ $0 <= event.number }) ?? false
            else { continue }
            if state.count < share {
                add(event, WebhookProgress.Waiting(event.number, due: now))
            } else {
                change(lane) { $0.deferred = event.number }
                open.remove(lane)
            }
        }
        let next = min(batch.through, through) + 1
        for lane in open where lanes[lane]?.deferred.map({ $0 < next }) ?? false {
            let deferred = next > through ? nil : next
            change(lane) { $0.deferred = deferred }
        }
    }

    /// Returns the next message to send at a time and marks it as in flight; nil for none.
    ///
    /// - Complexity: O(queued messages).
    package mutating func next(at now: Timestamp) -> Message? {
        guard disabled == nil, let index = nextIndex(at: now) else { return nil }
        messages[index].isInFlight = true
        if let lane = messages[index].lane {
            let turn = takeTurn()
            change(lane) { $0.turn = turn }
        }
        return messages[index]
    }

    private func nextIndex(at now: Timestamp) -> Int? {
        let underWay = messages.lazy.filter(\.isInFlight)
        guard underWay.count < Self.mostAtOnce else { return nil }
        // These lanes must wait; with ordering also each lane after its first message.
        var held = Set(underWay.count < Self.mostAtOnce - Self.reservedSlots ? [] : underWay.compactMap(\.lane))
        var next: (index: Int, turn: Int)?
        for index in messages.indices {
            let message = messages[index]
            let isReady = !message.isInFlight && message.waiting.due <= now
            // No message overtakes a reset.
            guard let lane = message.lane else { return next?.index ?? (isReady ? index : nil) }
            let isHeld = held.contains(lane)
            if isOrdered { held.insert(lane) }
            guard !isHeld, isReady, let turn = lanes[lane]?.turn, turn < next?.turn ?? .max else { continue }
            next = (index, turn)
        }
        return next?.index
    }

    /// Records the result of a delivery.
    ///
    /// - Parameters:
    ///   - message: the message in flight.
    ///   - outcome: the result.
    ///   - now: the time of the result.
    ///   - jitter: a factor for the pause, such as 0.9.
    /// - Returns: whether the message was given up, though the receiver accepts others.
    package mutating func end(_ message: Message, _ outcome: Outcome, at now: Timestamp, jitter: Double) -> Bool {
        let index = messages.firstIndex {
            $0.waiting.number == message.waiting.number && $0.waiting.isReset == message.waiting.isReset
        }
        guard let index else { return false }
        isChanged = true
        messages[index].isInFlight = false
        switch outcome {
        case .delivered:
            remove(at: index)
            succeeded = now
            for other in messages.indices {
                messages[other].waiting.due = min(messages[other].waiting.due, now + RetryBackoff.ofSuccess)
            }
        case .dropped: remove(at: index)
        case .gone: disabled = .gone
        case .failed(let wanted):
            let first = messages[index].waiting.failed ?? now
            messages[index].waiting.failed = first
            messages[index].waiting.tries += 1
            guard now - first >= Self.retryPeriod else {
                let pause = RetryBackoff.after(messages[index].waiting.tries, wanted, jitter)
                messages[index].waiting.due = min(now + pause, first + Self.retryPeriod)
                return false
            }
            if succeeded.map({ $0 > first }) ?? false {
                remove(at: index)
                return true
            }
            disabled = .failing
        }
        return false
    }
}
