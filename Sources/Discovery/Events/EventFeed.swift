internal import Algorithms
internal import DequeModule
internal import Model
internal import Synchronization

/// The newest events in memory, and those who wait for more.
///
/// Whoever publishes does nothing that grows with the readers: those who are concerned are woken by ``Live/herald()``, and follow
/// at their own pace.
final class EventFeed: Sendable {
    /// How far somebody has followed.
    struct Mark: Sendable {
        /// The number of the last event.
        var event: Int64
        /// That of the last move between two stored positions.
        ///
        /// Those have numbers that are told to nobody: how many there are would tell strangers of pings.
        var move: Int64
    }

    /// Who waits.
    private struct Waiter {
        /// Whose events are waited for; nil for those of everybody.
        var person: PersonNumber?
        var end: ContinuousClock.Instant
        var continuation: CheckedContinuation<Awakening, Never>
    }

    /// Why a wait is over.
    enum Awakening {
        /// There may be something to read.
        case events
        /// Time is up; nothing until the mark concerned the reader. Without a mark there may be something to read as well.
        case late(through: Mark?)
        /// The service ends, or the reader.
        case end
    }

    private struct State {
        /// The newest events, in order; of moves of one person that follow each other only the last.
        var events: Deque<Event>
        var last: Int64
        /// The number of the newest event that was in ``events``, and no longer is.
        var gone: Int64
        /// Ends of ties and changes of groups among those events: they are few, and can be read again nowhere else.
        var ends: Deque<Event> = []
        /// By type, the number of the newest event that can no longer be read; before this start all that was not kept.
        var lost: [EventType: Int64] = [:]
        /// The same of moves, which are most events.
        var lostMove: Int64
        let start: Int64
        /// Who moved between two stored positions.
        var moves: Deque<PersonNumber> = []
        var lastMove: Int64 = 0
        /// No event that happened to somebody is known to have happened before.
        var earliest = Timestamp(milliseconds: .max)
        /// The number of the last event of each type.
        var newest: [EventType: Int64] = [:]
        /// Up to which event those who wait were woken.
        var heralded: Mark
        var waiters: [Int: Waiter] = [:]
        var nextWaiter = 0
        var isOver = false
    }

    /// How many moves are in memory at most: some seconds' of a large service.
    private static let mostMoves = 20_000

    /// How many ends of ties and changes of groups are in memory beside the newest events.
    private static let mostEnds = 20_000

    /// How many events are in memory at most.
    private let capacity: Int
    private let state: Mutex<State>

    /// A feed whose last event, before this start of the service, had a number.
    init(last: Int64, capacity: Int) {
        self.capacity = capacity
        // Whoever publishes would wait for all to be copied where there is more room.
        let events = Deque<Event>(minimumCapacity: capacity)
        state = Mutex(
            State(
                events: events, last: last, gone: last, lostMove: last, start: last,
                heralded: Mark(event: last, move: 0)))
    }

    /// The number of the last event.
    var last: Int64 { state.withLock { $0.last } }

    /// Where whoever follows from now on begins.
    var mark: Mark { state.withLock { Mark(event: $0.last, move: $0.lastMove) } }

    /// Adds what followed from changes, takes what was deleted out, and counts who moved.
    func follow(_ changes: some Sequence<Change>) {
        state.withLock { state in
            for change in changes { follow(change, &state) }
            if state.moves.count > Self.mostMoves { state.moves.removeFirst(state.moves.count - Self.mostMoves) }
        }
    }

    private func follow(_ change: Change, _ state: inout State) {
        switch change {
        case .told(let event):
            append(event, &state)
            state.last = event.number
            state.newest[event.fact.type] = event.number
            if let happened = event.fact.happened { state.earliest = min(state.earliest, happened) }
        case .pings(.located(let person, _, _)):
            state.moves.append(person)
            state.lastMove += 1
        case .pings(.untold(let person, let times)): forget(person, times, &state)
        case .pings(.erased(let person, let keys, _, _)):
            if let first = keys.min(), let last = keys.max() { forget(person, first.time...last.time, &state) }
        default: break
        }
    }

    private func append(_ event: Event, _ state: inout State) {
        // Where a person is now is reported once: an upload of many positions takes the room of one.
        let isRepeated =
            event.fact.type == .pingMoved
            && state.events.last.map { last in
                last.fact.type == .pingMoved && last.fact.person?.number == event.fact.person?.number
            } ?? false
        if isRepeated {
            state.events.removeLast()
        } else if state.events.count == capacity, let oldest = state.events.popFirst() {
            drop(oldest, &state)
        }
        state.events.append(event)
    }

    /// Takes note that an event is no longer among the newest.
    private func drop(_ event: Event, _ state: inout State) {
        state.gone = event.number
        switch event.fact.type {
        case .pingMoved: state.lostMove = event.number
        case .friendEnded, .matchUndone, .groupChanged:
            if state.ends.count == Self.mostEnds, let first = state.ends.popFirst() {
                state.lost[first.fact.type] = first.number
            }
            state.ends.append(event)
        case let type where !type.isKept: state.lost[type] = event.number
        default: break
        }
    }

    /// Takes out what happened to a person in an interval, as ``Transaction`` does in the file: events in their place that are told
    /// to nobody.
    private func forget(_ person: PersonNumber, _ times: ClosedRange<Timestamp>, _ state: inout State) {
        guard times.upperBound >= state.earliest else { return }
        for index in state.events.indices where state.events[index].fact.happened(to: person, in: times) {
            let event = state.events[index]
            state.events[index] = Event(number: event.number, at: event.at, Fact(.pingMoved))
        }
    }

    /// Whether the service ends.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Whether there were events of some types after one.
    func hasAny(of types: Set<EventType>, after number: Int64) -> Bool {
        state.withLock { state in types.contains { state.newest[$0, default: 0] > number } }
    }

    /// The events after one, in order, at most so many; nil when some of them are not in memory.
    ///
    /// - Complexity: O(log of the events in memory + those that are returned).
    func events(after number: Int64, atMost most: Int) -> [Event]? {
        state.withLock { state in
            guard (state.gone...state.last).contains(number) else { return nil }
            return Array(state.events[state.events.firstIndex(after: number)...].prefix(most))
        }
    }

    /// Ends of ties and changes of groups after an event that are no longer among the newest events, in order, at most a number,
    /// and the number of the newest event that is not.
    func ends(after number: Int64, atMost most: Int) -> (events: [Event], gone: Int64) {
        state.withLock { state in
            (Array(state.ends[state.ends.firstIndex(after: number)...].prefix(most)), state.gone)
        }
    }

    /// Whether an event of some types after one was neither kept nor is in memory.
    func hasLost(_ types: some Sequence<EventType>, after number: Int64) -> Bool {
        state.withLock { state in
            number > state.last
                || types.contains { type in
                    !type.isKept
                        && number < max(state.start, type == .pingMoved ? state.lostMove : state.lost[type, default: 0])
                }
        }
    }

    /// Who moved between two stored positions after a move, the last to move first; nil when some of that is not in memory.
    func moved(after number: Int64) -> (people: [PersonNumber], last: Int64)? {
        state.withLock { state in
            let count = Int(state.lastMove - number)
            guard count <= state.moves.count else { return nil }
            return (state.moves.suffix(count).reversed(), state.lastMove)
        }
    }

    /// Waits until there is something after a mark that concerns a person, or anybody for nil; or until an instant, or the end of
    /// the service.
    func wait(for person: PersonNumber?, after mark: Mark, until end: ContinuousClock.Instant) async -> Awakening {
        let key = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ready = state.withLock { state -> Awakening? in
                    if state.isOver || Task.isCancelled { return .end }
                    if state.heralded.event > mark.event || state.heralded.move > mark.move { return .events }
                    state.waiters[key] = Waiter(person: person, end: end, continuation: continuation)
                    return nil
                }
                if let ready { continuation.resume(returning: ready) }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: key) }?.continuation.resume(returning: .end)
        }
    }

    /// What happened of which those who wait were not told.
    struct News {
        var events: [Event] = []
        var moved: [PersonNumber] = []
        /// For which people somebody waits.
        var waiting: Set<PersonNumber>
        /// Whether there was more than that.
        var isMore: Bool
    }

    /// What those who wait are to be told of, at most so many events and moves; nil if nobody has to be told.
    func unheralded(atMost most: Int) -> News? {
        state.withLock { state in
            let events = state.events[state.events.firstIndex(after: state.heralded.event)...]
            let moves = Int(state.lastMove - state.heralded.move)
            guard !events.isEmpty || moves > 0 else { return nil }
            state.heralded = Mark(event: state.last, move: state.lastMove)
            guard !state.waiters.isEmpty else { return nil }
            return News(
                events: Array(events.suffix(most)), moved: Array(state.moves.suffix(min(moves, most))),
                waiting: Set(state.waiters.values.compactMap(\.person)), isMore: max(events.count, moves) > most)
        }
    }

    /// Wakes those who wait for everybody's events if there were any, and for those of some people; when it is time for that, also
    /// those whose time is up.
    ///
    /// Events do not hasten that: else when a reader finds its time up would depend on events that the reader may not see.
    func wake(people: Set<PersonNumber>, everybody: Bool, late: Bool) {
        let now = ContinuousClock.now
        let woken = state.withLock { state in
            state.waiters.compactMap { key, waiter -> (CheckedContinuation<Awakening, Never>, Awakening)? in
                let isConcerned = waiter.person.map { people.contains($0) } ?? everybody
                let isLate = late && waiter.end <= now
                guard isConcerned || isLate else { return nil }
                state.waiters[key] = nil
                return (
                    waiter.continuation, isLate ? .late(through: isConcerned ? nil : state.heralded) : .events
                )
            }
        }
        for (continuation, awakening) in woken { continuation.resume(returning: awakening) }
    }

    /// Wakes everybody for good.
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
    /// Where the events after one begin, which are in order.
    fileprivate func firstIndex(after number: Int64) -> Int { partitioningIndex { $0.number > number } }
}

/// Why a follower looks again.
public enum Wakeup: Sendable {
    /// There may be something to report.
    case ready
    /// Time is up.
    case late
    /// The service ends, or the follower.
    case over
}
