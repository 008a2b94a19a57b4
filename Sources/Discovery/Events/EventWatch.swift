internal import Geo
public import Model

/// A long poll that waits for events which may change an answer.
///
/// It ends only at its own regular ticks. So the time of the client's next request, or of its timeout, does not
/// depend on events that the client may not see.
public struct EventWatch: Sendable {
    /// The events that may change the answer.
    public enum Subject: Sendable {
        /// Events of some types, about any person.
        case types(Set<EventType>)
        /// Events that concern a person.
        case person(PersonID)
    }

    /// The time between two ticks.
    private let pause: Duration
    /// Maximum number of events checked; with more of them the answer may have changed.
    private static let most = 500

    private let subject: Subject
    /// The position up to which events are known.
    private var last: EventFeed.Mark
    private let start = ContinuousClock.now
    /// The live subscription to positions.
    private var subscription: Subscription?

    /// A watch that begins with the next event, with ticks at least `pause` apart.
    public init(for subject: Subject, of engine: Engine, every pause: Duration = .seconds(1)) {
        (self.subject, self.pause) = (subject, pause)
        last = engine.feed.mark
        if case .person(let id) = subject {
            subscription = engine.read { $0.people.number(of: id) }.map { engine.subscriptions.begin(.friends(of: $0)) }
        }
    }

    /// Marks all events so far as known, because the answer is computed now.
    public mutating func look(at engine: Engine) { last = engine.feed.mark }

    /// Waits until the next tick after a relevant event, or until the first tick at or after a time.
    public mutating func wait(for engine: Engine, until end: ContinuousClock.Instant) async -> Wakeup {
        let final = tick(from: end)
        // Timeouts of the feed are checked once a second.
        let endOfWaiting = final - pause * 2
        while true {
            if .now < endOfWaiting, !isConcerned(in: engine), case .person(let id) = subject,
                let person = engine.read({ $0.people.number(of: id) })
            {
                switch await engine.feed.wait(for: person, after: last, until: endOfWaiting) {
                case .events: break
                case .late(let mark): last = mark ?? last
                case .end: return .over
                }
            }
            let next = tick(from: .now)
            do { try await Task.sleep(until: next) } catch { return .over }
            if engine.feed.isOver { return .over }
            if next >= final { return .late }
            if isConcerned(in: engine) { return .ready }
        }
    }

    /// The first tick at or after an instant.
    private func tick(from instant: ContinuousClock.Instant) -> ContinuousClock.Instant {
        let count = ((instant - start) / pause).rounded(.up)
        return start + pause * max(1, count)
    }

    /// Whether a relevant event came; others are skipped.
    private mutating func isConcerned(in engine: Engine) -> Bool {
        switch subject {
        case .types(let types): return engine.feed.hasAny(of: types, after: last.event)
        case .person(let id):
            guard let events = engine.feed.events(after: last.event, atMost: Self.most), events.count < Self.most,
                let (moved, move) = engine.feed.moved(after: last.move)
            else { return true }
            let isConcerned = engine.read { state in
                // The answer for a deleted person reports that.
                guard let person = state.people.number(of: id) else { return true }
                return events.contains { state.mayChangeFriends(of: person, $0.payload) }
                    || !state.followed(by: person, among: Set(moved)).isEmpty
            }
            if !isConcerned { last = EventFeed.Mark(event: events.last?.number ?? last.event, move: move) }
            return isConcerned
        }
    }
}

extension LiveState {
    /// Whether an event may change a person's list of friends.
    fileprivate func mayChangeFriends(of person: PersonNumber, _ payload: EventPayload) -> Bool {
        WorkBudget.count(10)
        let participants = [payload.person?.number, payload.other?.number]
        switch payload.type {
        case .pingMoved:
            return participants.contains { $0.map { $0 == person || people.isKnown($0, to: person) } ?? false }
        case .groupChanged, .groupJoined, .groupLeft: return true
        default: return participants.contains(person)
        }
    }
}
