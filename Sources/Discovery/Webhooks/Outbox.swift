package import Model

/// What a webhook is to be sent, in which order and when: a plain value that knows no clock and no network.
///
/// Its instants are of a steady clock. Only their differences are kept over a stop; see ``resume(at:)``.
///
/// An event waits from the moment it is read until it was delivered or given up. It may be sent when it is due, and nothing that has
/// to come before it waits: in order that is an earlier event of the same person, and always a reset.
///
/// The events of a person, or of what else they are about, are a *lane*. Each lane has a share of the places for
/// waiting events, and the lanes take turns. A lane whose share is full is deferred. Reading goes on without it, and its
/// further events are read again when it has places. So no lane delays another, however many events it has.
package struct Outbox: Sendable {
    private typealias Lane = WebhookProgress.Lane

    /// How many events wait at most, about; no further ones are read until there is room.
    package static let capacity = 256
    /// How many events of a lane wait at most.
    package static let mostOfLane = 8
    /// A lane may have one place of so many that are free, so that some lanes cannot take all.
    private static let freePlacesForEach = 16
    /// How many are sent at the same time, and how many of these places are for lanes of which nothing is under way.
    private static let (mostAtOnce, keptFree) = (8, 2)
    /// How long an event is tried.
    package static let patience = Duration.seconds(3 * 86_400)

    /// Something to be sent.
    package struct Message: Sendable {
        /// The event; nil to say that events are missing.
        package let event: Event?
        package fileprivate(set) var waiting: WebhookProgress.Waiting
        fileprivate var isUnderWay = false
        /// Nil for a reset.
        fileprivate let lane: WebhookProgress.Lane?
    }

    /// A lane of which events wait or are deferred.
    private struct LaneState {
        /// How many wait.
        var count = 0
        /// The lane with the lowest number sends next; it is the last one then.
        var turn: Int
        /// The number of the first event that found no place; nil if all up to ``Outbox/through`` did.
        var deferred: Int64?
    }

    /// How a delivery ended.
    package enum Outcome: Sendable {
        case delivered
        /// The event is not told any more, because somebody whom it names was deleted.
        case untold
        /// It was not taken; the receiver may have said when to come again.
        case failed(retryAfter: Duration?)
        /// The receiver says that it is no more.
        case gone
    }

    private let isOrdered: Bool
    /// Whether it wants events that are not kept, so that a gap has to be told.
    private let tellsGaps: Bool
    private let filter: EventFilter
    /// In the order of their events.
    private var messages: [Message] = []
    private var lanes: [Lane: LaneState] = [:]
    private var nextTurn = 0
    /// The last event that a reset covers: of those up to it the receiver knows that some may be missing.
    private var resetThrough: Int64 = 0
    private var epoch: Int64
    private var succeeded: Timestamp?
    /// Whether events are read that are not in memory any more.
    private var isBehind = false
    /// The number of the last event that was read.
    package private(set) var through: Int64
    /// Why nothing is sent any more.
    package private(set) var disabled: Webhook.Disablement?
    /// Whether something became of a message since this was set to false.
    package var isChanged = false

    /// An outbox that goes on where progress says, with the events that are still there of those that wait.
    package init(of webhook: Webhook, _ progress: WebhookProgress, waiting events: [Event], at now: Timestamp) {
        isOrdered = webhook.isOrdered
        tellsGaps = webhook.types.contains { !$0.isKept }
        filter = EventFilter(webhook)
        (epoch, succeeded, through) = (progress.epoch, progress.succeeded, progress.through)
        // In the order in which they took turns.
        for entry in progress.deferred ?? [] { change(entry.lane) { $0.deferred = entry.from } }
        let events = Dictionary(uniqueKeysWithValues: events.map { ($0.number, $0) })
        for waiting in progress.waiting {
            if waiting.isReset {
                add(nil, waiting)
            } else if let event = events[waiting.number], filter.passes(event.fact) {
                add(event, waiting)
            }
        }
        if events.count < progress.waiting.count(where: { !$0.isReset }), tellsGaps { addReset(at: now) }
        resume(at: now)
    }

    /// Moves the instants of an earlier run to the clock of this one.
    ///
    /// If the next try is due within the longest pause, they stay. Otherwise the service was stopped for long, or one of the two
    /// clocks is wrong. Then it is due now, the other tries keep their distance from it, and of the time in which the receiver
    /// failed only as much counts as passed for certain: all but the last pause.
    private mutating func resume(at now: Timestamp) {
        for index in messages.indices where messages[index].waiting.failed == nil {
            messages[index].waiting.due = min(messages[index].waiting.due, now)
        }
        let next = messages.lazy.map(\.waiting).filter { $0.failed != nil }.min { $0.due < $1.due }
        if let next, let failed = next.failed, !(now...now + DeliveryPause.longest).contains(next.due) {
            let shift = now - next.due
            let pause = min(max(.zero, next.due - failed), DeliveryPause.longest)
            for index in messages.indices {
                guard let failed = messages[index].waiting.failed else { continue }
                messages[index].waiting.failed = min(now, failed + shift + pause)
                messages[index].waiting.due = messages[index].waiting.due + shift
            }
            succeeded = succeeded.map { $0 + shift + pause }
        }
        succeeded = succeeded.map { min($0, now) }
    }

    /// How far it has come.
    package var progress: WebhookProgress {
        var progress = WebhookProgress(through: through)
        (progress.epoch, progress.waiting, progress.succeeded) = (epoch, messages.map(\.waiting), succeeded)
        let deferred = lanes.sorted { $0.value.turn < $1.value.turn }.compactMap { lane, state in
            state.deferred.map { WebhookProgress.Deferred(lane, from: $0) }
        }
        progress.deferred = deferred.isEmpty ? nil : deferred
        return progress
    }

    /// Whether more events can be read.
    package var hasRoom: Bool { messages.count < Self.capacity }

    /// After which event deferred ones should be read now; nil when no deferred lane has room.
    ///
    /// A lane has room when few of its events still wait, for each look at the events costs as much as many of them.
    package var deferredAfter: Int64? {
        let share = share
        return lanes.values.lazy.compactMap { $0.count * 4 <= share ? $0.deferred : nil }.min().map { $0 - 1 }
    }

    /// How many events of one lane may wait now: fewer, the fewer places are free (dynamic thresholds of Choudhury and
    /// Hahne, 1998).
    private var share: Int {
        max(1, min(Self.mostOfLane, (Self.capacity - messages.count) / Self.freePlacesForEach))
    }

    /// How many wait, and when the oldest happened.
    package var backlog: (count: Int, oldest: Timestamp?) {
        (messages.count, messages.lazy.compactMap(\.event?.at).first)
    }

    /// Whether what was tried last failed.
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
        let lane = event.map { Lane($0.fact) }
        if let lane { change(lane) { $0.count += 1 } }
        // A reset stands after the event of its number.
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

    /// Takes what was read after ``through``.
    package mutating func take(_ batch: EventBatch, at now: Timestamp) {
        if batch.isBehind, !isBehind, tellsGaps { addReset(at: now) }
        isBehind = batch.isBehind
        if isBehind { resetThrough = batch.through }
        for event in batch.events where filter.passes(event.fact) {
            let lane = Lane(event.fact)
            guard lanes[lane]?.deferred == nil else { continue }
            if lanes[lane]?.count ?? 0 < share {
                add(event, WebhookProgress.Waiting(event.number, due: now))
            } else {
                change(lane) { $0.deferred = event.number }
            }
        }
        through = batch.through
    }

    /// Takes what was read for deferred lanes after an event.
    package mutating func take(deferred batch: EventBatch, after number: Int64, at now: Timestamp) {
        if batch.isBehind, tellsGaps, min(batch.through, through) > resetThrough { addReset(at: now) }
        // Events of other lanes that are deferred may lie before those that were read.
        var open = Set(lanes.compactMap { lane, state in state.deferred.map { $0 > number } ?? false ? lane : nil })
        for event in batch.events where event.number <= through && filter.passes(event.fact) {
            let lane = Lane(event.fact)
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

    /// The next message to be sent at an instant, which is under way from then on; nil for none.
    ///
    /// - Complexity: O(messages that wait).
    package mutating func next(at now: Timestamp) -> Message? {
        guard disabled == nil, let index = nextIndex(at: now) else { return nil }
        messages[index].isUnderWay = true
        if let lane = messages[index].lane {
            let turn = takeTurn()
            change(lane) { $0.turn = turn }
        }
        return messages[index]
    }

    private func nextIndex(at now: Timestamp) -> Int? {
        let underWay = messages.lazy.filter(\.isUnderWay)
        guard underWay.count < Self.mostAtOnce else { return nil }
        // These lanes wait, and in order each lane does after its first message.
        var held = Set(underWay.count < Self.mostAtOnce - Self.keptFree ? [] : underWay.compactMap(\.lane))
        var next: (index: Int, turn: Int)?
        for index in messages.indices {
            let message = messages[index]
            let isReady = !message.isUnderWay && message.waiting.due <= now
            // Nothing overtakes a reset.
            guard let lane = message.lane else { return next?.index ?? (isReady ? index : nil) }
            let isHeld = held.contains(lane)
            if isOrdered { held.insert(lane) }
            guard !isHeld, isReady, let turn = lanes[lane]?.turn, turn < next?.turn ?? .max else { continue }
            next = (index, turn)
        }
        return next?.index
    }

    /// Takes note of how the delivery of a message ended.
    ///
    /// - Parameters:
    ///   - message: what was under way.
    ///   - outcome: how that ended.
    ///   - now: when.
    ///   - jitter: by how much a pause is longer or shorter, such as 0.9.
    /// - Returns: whether the message was given up, though the receiver takes others.
    package mutating func end(_ message: Message, _ outcome: Outcome, at now: Timestamp, jitter: Double) -> Bool {
        let index = messages.firstIndex {
            $0.waiting.number == message.waiting.number && $0.waiting.isReset == message.waiting.isReset
        }
        guard let index else { return false }
        isChanged = true
        messages[index].isUnderWay = false
        switch outcome {
        case .delivered:
            remove(at: index)
            succeeded = now
            for other in messages.indices {
                messages[other].waiting.due = min(messages[other].waiting.due, now + DeliveryPause.ofSuccess)
            }
        case .untold: remove(at: index)
        case .gone: disabled = .gone
        case .failed(let wanted):
            let first = messages[index].waiting.failed ?? now
            messages[index].waiting.failed = first
            messages[index].waiting.tries += 1
            guard now - first >= Self.patience else {
                let pause = DeliveryPause.after(messages[index].waiting.tries, wanted, jitter)
                messages[index].waiting.due = min(now + pause, first + Self.patience)
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
