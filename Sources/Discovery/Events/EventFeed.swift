internal import Algorithms
internal import DequeModule
internal import Model
internal import Synchronization

/// The newest events in memory, and the subscribers that wait for more.
///
/// The cost of publishing does not grow with the number of subscribers. ``Engine/publishEvents()`` wakes those concerned, and
/// each reads at its own pace.
final class EventFeed: Sendable {
    /// A subscriber's position in the feed.
    struct Mark: Sendable {
        /// The number of the last event.
        var event: Int64
        /// The number of the last position update that was not stored.
        ///
        /// These numbers are never sent, because their growth would reveal pings to strangers.
        var move: Int64
    }

    private struct Waiter {
        /// The person whose events it waits for; nil for all events.
        var person: PersonNumber?
        var end: ContinuousClock.Instant
        var continuation: CheckedContinuation<Awakening, Never>
    }

    /// The reason why a wait ended.
    enum Awakening {
        /// There may be events to read.
        case events
        /// Timeout; no event up to the mark concerns the subscriber. Without a mark there may be events.
        case late(through: Mark?)
        /// The service or the subscriber ended.
        case end
    }

    private struct State {
        /// The newest events, in order; of consecutive moves of one person only the last.
        var events: Deque<Event>
        var last: Int64
        /// The number of the newest event that was dropped from ``events``.
        var gone: Int64
        /// Ends of ties and changes of groups among the dropped events: they are few, and are not in the database.
        var ends: Deque<Event> = []
        /// The newest lost event number by type; all that were not retained before this start are lost too.
        var lost: [EventType: Int64] = [:]
        /// The newest lost move; moves are most events.
        var lostMove: Int64
        let start: Int64
        /// People who moved between two stored positions.
        var moves: Deque<PersonNumber> = []
        var lastMove: Int64 = 0
        /// A lower bound of the times at which geofence events happened.
        var earliest = Timestamp(milliseconds: .max)
        /// The number of the last event of each type.
        var newest: [EventType: Int64] = [:]
        /// The mark up to which subscribers were woken.
        var published: Mark
        var waiters: [Int: Waiter] = [:]
        var nextWaiter = 0
        var isOver = false
    }

    /// Maximum number of moves in memory: some seconds on a large service.
    private static let mostMoves = 20_000

    /// Maximum number of ends of ties and changes of groups in memory besides the newest events.
    private static let mostEnds = 20_000

    /// Maximum number of events in memory.
    private let capacity: Int
    private let state: Mutex<State>

    /// A feed with the number of the last event before this start of the service.
    init(last: Int64, capacity: Int) {
        self.capacity = capacity
        // Growing the buffer would copy all of it while the writer waits.
        let events = Deque<Event>(minimumCapacity: capacity)
        state = Mutex(
            State(
                events: events, last: last, gone: last, lostMove: last, start: last,
                published: Mark(event: last, move: 0)))
    }

    var last: Int64 { state.withLock { $0.last } }

    /// The position of a new subscriber.
    var mark: Mark { state.withLock { Mark(event: $0.last, move: $0.lastMove) } }

    /// Appends the events of changes, removes deleted ones, and records moves.
    func follow(_ changes: some Sequence<Change>) {
        state.withLock { state in
            for change in changes { follow(change, &state) }
            if state.moves.count > Self.mostMoves { state.moves.removeFirst(state.moves.count - Self.mostMoves) }
        }
    }

    private func follow(_ change: Change, _ state: inout State) {
        switch change {
        case .reported(let event):
            append(event, &state)
            state.last = event.number
            state.newest[event.payload.type] = event.number
            if let happened = event.payload.happened { state.earliest = min(state.earliest, happened) }
        case .pings(.livePositionChanged(let person, _, _)):
            state.moves.append(person)
            state.lastMove += 1
        case .pings(.eventsErased(let person, let times)): forget(person, times, &state)
        case .pings(.erased(let person, let keys, _, _)):
            if let first = keys.min(), let last = keys.max() { forget(person, first.time...last.time, &state) }
        default: break
        }
    }

    private func append(_ event: Event, _ state: inout State) {
        // Only the newest position is reported: an upload of many positions takes one slot.
        let isRepeated =
            event.payload.type == .pingMoved
            && state.events.last.map { last in
                last.payload.type == .pingMoved && last.payload.person?.number == event.payload.person?.number
            } ?? false
        if isRepeated {
            state.events.removeLast()
        } else if state.events.count == capacity, let oldest = state.events.popFirst() {
            drop(oldest, &state)
        }
        state.events.append(event)
    }

    /// Records that an event is no longer among the newest.
    private func drop(_ event: Event, _ state: inout State) {
        state.gone = event.number
        switch event.payload.type {
        case .pingMoved: state.lostMove = event.number
        case .friendEnded, .matchUndone, .groupChanged:
            if state.ends.count == Self.mostEnds, let first = state.ends.popFirst() {
                state.lost[first.payload.type] = first.number
            }
            state.ends.append(event)
        case let type where !type.isKept: state.lost[type] = event.number
        default: break
        }
    }

    /// Replaces a person's events in an interval by placeholders that are never sent, as ``Transaction`` does in the
    /// file.
    private func forget(_ person: PersonNumber, _ times: ClosedRange<Timestamp>, _ state: inout State) {
        guard times.upperBound >= state.earliest else { return }
        for index in state.events.indices where state.events[index].payload.happened(to: person, in: times) {
            let event = state.events[index]
            state.events[index] = Event(number: event.number, at: event.at, EventPayload(.pingMoved))
        }
    }

    /// Whether the service is ending.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Whether there are events of some types after `number`.
    func hasAny(of types: Set<EventType>, after number: Int64) -> Bool {
        state.withLock { state in types.contains { state.newest[$0, default: 0] > number } }
    }

    /// Returns up to `most` events after `number`, in order; nil when some of them are no longer in memory.
    ///
    /// - Complexity: O(log of the events in memory + events returned).
    func events(after number: Int64, atMost most: Int) -> [Event]? {
        state.withLock { state in
            guard (state.gone...state.last).contains(number) else { return nil }
            return Array(state.events[state.events.firstIndex(after: number)...].prefix(most))
        }
    }

    /// Returns up to `most` dropped ends of ties and changes of groups after `number`, in order, and the newest dropped
    /// number.
    func ends(after number: Int64, atMost most: Int) -> (events: [Event], gone: Int64) {
        state.withLock { state in
            (Array(state.ends[state.ends.firstIndex(after: number)...].prefix(most)), state.gone)
        }
    }

    /// Whether an event of some types after `number` was not retained and is no longer in memory.
    func hasLost(_ types: some Sequence<EventType>, after number: Int64) -> Bool {
        state.withLock { state in
            number > state.last
                || types.contains { type in
                    !type.isKept
                        && number < max(state.start, type == .pingMoved ? state.lostMove : state.lost[type, default: 0])
                }
        }
    }

    /// People who moved after move `number`, the latest first; nil if some are no longer in memory.
    func moved(after number: Int64) -> (people: [PersonNumber], last: Int64)? {
        state.withLock { state in
            let count = Int(state.lastMove - number)
            guard count <= state.moves.count else { return nil }
            return (state.moves.suffix(count).reversed(), state.lastMove)
        }
    }

    /// Waits until events after a mark concern a person, or any event comes for nil; or until a time, or the end of the
    /// service.
    func wait(for person: PersonNumber?, after mark: Mark, until end: ContinuousClock.Instant) async -> Awakening {
        let key = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ready = state.withLock { state -> Awakening? in
                    if state.isOver || Task.isCancelled { return .end }
                    if state.published.event > mark.event || state.published.move > mark.move { return .events }
                    state.waiters[key] = Waiter(person: person, end: end, continuation: continuation)
                    return nil
                }
                if let ready { continuation.resume(returning: ready) }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: key) }?.continuation.resume(returning: .end)
        }
    }

    /// Events and moves of which subscribers were not notified.
    struct News {
        var events: [Event] = []
        var moved: [PersonNumber] = []
        /// The people for whom a subscriber waits.
        var waiting: Set<PersonNumber>
        /// Whether there were more.
        var isMore: Bool
    }

    /// Takes the events and moves to notify of, up to `most` each; nil if there are none, or no subscriber waits.
    func unpublished(atMost most: Int) -> News? {
        state.withLock { state in
            let events = state.events[state.events.firstIndex(after: state.published.event)...]
            let moves = Int(state.lastMove - state.published.move)
            guard !events.isEmpty || moves > 0 else { return nil }
            state.published = Mark(event: state.last, move: state.lastMove)
            guard !state.waiters.isEmpty else { return nil }
            return News(
                events: Array(events.suffix(most)), moved: Array(state.moves.suffix(min(moves, most))),
                waiting: Set(state.waiters.values.compactMap(\.person)), isMore: max(events.count, moves) > most)
        }
    }

    /// Wakes subscribers: of all events if `everybody`, of the people concerned, and with `late` those timed out.
    ///
    /// Events do not hasten timeouts. Otherwise the time of a timeout would depend on events that the subscriber may
    /// not see.
    func wake(people: Set<PersonNumber>, everybody: Bool, late: Bool) {
        let now = ContinuousClock.now
        let woken = state.withLock { state in
            state.waiters.compactMap { key, waiter -> (CheckedContinuation<Awakening, Never>, Awakening)? in
                let isConcerned = waiter.person.map { people.contains($0) } ?? everybody
                let isLate = late && waiter.end <= now
                guard isConcerned || isLate else { return nil }
                state.waiters[key] = nil
                return (
                    waiter.continuation, isLate ? .late(through: isConcerned ? nil : state.published) : .events
                )
            }
        }
        for (continuation, awakening) in woken { continuation.resume(returning: awakening) }
    }

    /// Ends all waits permanently.
    func end() {
        let woken = state.withLock { state in
            state.isOver = true
            defer { state.waiters = [:] }
            return state.waiters.values.map(\.continuation)
        }
        for continuation in woken { continuation.resume(returning: .end) }
    }
}

extension Deque<Event> {
    /// The index of the first event after `number`; events are in order.
    fileprivate func firstIndex(after number: Int64) -> Int { partitioningIndex { $0.number > number } }
}

/// The reason why a subscriber polls again.
public enum Wakeup: Sendable {
    /// There may be events to report.
    case ready
    /// Timeout.
    case late
    /// The service or the subscriber ended.
    case over
}
