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
        /// Time is up; of what happened until then nothing concerned the reader.
        case quiet(through: Mark)
        /// The service ends, or the reader.
        case end
    }

    private struct State {
        var events: Deque<Event>
        var last: Int64
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

    /// How many events are in memory at most.
    private let capacity: Int
    private let state: Mutex<State>

    /// A feed whose last event, before this start of the service, had a number.
    init(last: Int64, capacity: Int) {
        self.capacity = capacity
        // Whoever publishes would wait for all to be copied where there is more room.
        let events = Deque<Event>(minimumCapacity: capacity)
        state = Mutex(State(events: events, last: last, heralded: Mark(event: last, move: 0)))
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
            if state.events.count == capacity { state.events.removeFirst() }
            state.events.append(event)
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
    func events(after number: Int64, atMost most: Int) -> [Event]? {
        state.withLock { state in
            guard number <= state.last else { return nil }
            let first = state.last - Int64(state.events.count) + 1
            guard number >= first - 1 else { return nil }
            return Array(state.events.dropFirst(Int(number - first + 1)).prefix(most))
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
            let (count, moves) = (Int(state.last - state.heralded.event), Int(state.lastMove - state.heralded.move))
            guard count > 0 || moves > 0 else { return nil }
            state.heralded = Mark(event: state.last, move: state.lastMove)
            guard !state.waiters.isEmpty else { return nil }
            return News(
                events: Array(state.events.suffix(min(count, most))),
                moved: Array(state.moves.suffix(min(moves, most))),
                waiting: Set(state.waiters.values.compactMap(\.person)), isMore: max(count, moves) > most)
        }
    }

    /// Wakes those who wait for everybody's events if there were any, for those of some people, and those whose time is up.
    func wake(people: Set<PersonNumber>, everybody: Bool) {
        let now = ContinuousClock.now
        let woken = state.withLock { state in
            state.waiters.compactMap { key, waiter -> (CheckedContinuation<Awakening, Never>, Awakening)? in
                let isConcerned = waiter.person.map { people.contains($0) } ?? everybody
                guard isConcerned || waiter.end <= now else { return nil }
                state.waiters[key] = nil
                return (waiter.continuation, isConcerned ? .events : .quiet(through: state.heralded))
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
