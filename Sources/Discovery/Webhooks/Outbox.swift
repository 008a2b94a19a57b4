package import Model

/// What a webhook is to be sent, in which order and when: a plain value that knows no clock and no network.
///
/// All its instants are of a clock that goes on evenly while the service runs. Only what lies between two of them is kept over a
/// stop: see ``resume(at:)``.
///
/// An event waits from the moment it is read until it was delivered or given up. It may be sent when it is due, and nothing that has
/// to come before it waits: in order that is an earlier event of the same person, and always a reset.
package struct Outbox: Sendable {
    /// How many events wait at most; further ones are read when there is room.
    static let capacity = 256
    /// How many are sent at the same time.
    private static let mostAtOnce = 8
    /// How long an event is tried.
    package static let patience = Duration.seconds(3 * 86_400)

    /// How long is waited after the first failure, the second, and so on; after all others as long as after the last.
    private static let pauses: [Duration] = [
        .seconds(5), .seconds(300), .seconds(1800), .seconds(7200), .seconds(18_000), .seconds(28_800),
    ]
    /// How long an event waits at most when the receiver took another.
    private static let pauseOfSuccess = Duration.seconds(300)
    /// Between which a receiver may choose that itself.
    private static let pausesOfReceiver = Duration.seconds(1)...Duration.seconds(28_800)
    /// How long a pause is at most, with the jitter of ``end(_:_:at:jitter:)``.
    private static let longestPause = Duration.seconds(28_800 * 1.2)

    /// Something to be sent.
    package struct Message: Sendable {
        /// The event; nil to say that events are missing.
        package let event: Event?
        package fileprivate(set) var waiting: WebhookProgress.Waiting
        fileprivate var isUnderWay = false
        /// What is sent in order with it; nil for nothing.
        fileprivate let lane: Lane?
    }

    /// Events that are sent one after the other.
    fileprivate enum Lane: Hashable {
        case person(PersonNumber)
        case subject(AnyID)
        case other
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
    private var messages: [Message] = []
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
        if let next, let failed = next.failed, !(now...now + Self.longestPause).contains(next.due) {
            let shift = now - next.due
            let pause = min(max(.zero, next.due - failed), Self.longestPause)
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
        return progress
    }

    /// Whether more events can be read.
    package var hasRoom: Bool { messages.count < Self.capacity }

    /// How many more can be sent now.
    private var isBusy: Bool { messages.count(where: \.isUnderWay) >= Self.mostAtOnce }

    /// How many wait, and when the oldest happened.
    package var backlog: (count: Int, oldest: Timestamp?) {
        (messages.count, messages.lazy.compactMap(\.event?.at).first)
    }

    /// Whether what was tried last failed.
    package var isFailing: Bool { messages.contains { $0.waiting.failed.map { $0 >= succeeded ?? $0 } ?? false } }

    private mutating func add(_ event: Event?, _ waiting: WebhookProgress.Waiting) {
        let lane = isOrdered ? event.map { Lane($0.fact) } : nil
        messages.append(Message(event: event, waiting: waiting, lane: lane))
    }

    private mutating func addReset(at now: Timestamp) {
        guard !messages.contains(where: { $0.event == nil }) else { return }
        add(nil, WebhookProgress.Waiting(through, isReset: true, due: now))
    }

    /// Takes what was read.
    package mutating func take(_ batch: EventBatch, at now: Timestamp) {
        if batch.isBehind, !isBehind, tellsGaps { addReset(at: now) }
        isBehind = batch.isBehind
        for event in batch.events where filter.passes(event.fact) {
            add(event, WebhookProgress.Waiting(event.number, due: now))
        }
        through = batch.through
    }

    /// The next message to be sent at an instant, which is under way from then on; nil for none.
    package mutating func next(at now: Timestamp) -> Message? {
        guard disabled == nil, !isBusy else { return nil }
        var held: Set<Lane> = []
        for index in messages.indices {
            let message = messages[index]
            let isHeld = message.lane.map { !held.insert($0).inserted } ?? false
            if !isHeld, !message.isUnderWay, message.waiting.due <= now {
                messages[index].isUnderWay = true
                return messages[index]
            }
            // Nothing overtakes a reset.
            if message.event == nil { return nil }
        }
        return nil
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
            messages.remove(at: index)
            succeeded = now
            for other in messages.indices {
                messages[other].waiting.due = min(messages[other].waiting.due, now + Self.pauseOfSuccess)
            }
        case .untold: messages.remove(at: index)
        case .gone: disabled = .gone
        case .failed(let wanted):
            let first = messages[index].waiting.failed ?? now
            messages[index].waiting.failed = first
            messages[index].waiting.tries += 1
            guard now - first >= Self.patience else {
                let pause = Self.pause(after: messages[index].waiting.tries, wanted, jitter)
                messages[index].waiting.due = min(now + pause, first + Self.patience)
                return false
            }
            if succeeded.map({ $0 > first }) ?? false {
                messages.remove(at: index)
                return true
            }
            disabled = .failing
        }
        return false
    }

    /// How long is waited after so many failures.
    static func pause(after tries: Int, _ wanted: Duration?, _ jitter: Double) -> Duration {
        if let wanted { return min(max(wanted, pausesOfReceiver.lowerBound), pausesOfReceiver.upperBound) }
        return pauses[min(tries, pauses.count) - 1] * jitter
    }
}

extension Outbox.Lane {
    fileprivate init(_ fact: Fact) {
        if let person = fact.person {
            self = .person(person.number)
        } else {
            self = (fact.subject ?? fact.product?.any).map { .subject($0) } ?? .other
        }
    }
}

extension EventFilter {
    /// What a webhook wants.
    init(_ webhook: Webhook) {
        self.init()
        (types, person, subject) = (Set(webhook.types), webhook.person, webhook.subject?.any)
    }
}
