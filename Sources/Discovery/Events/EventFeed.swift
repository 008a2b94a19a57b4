internal import DequeModule
internal import Model
internal import Synchronization

/// The newest events in memory, and those who wait for more.
///
/// Whoever publishes does nothing that grows with the readers: those who are concerned are woken by ``Live/herald()``, and follow
/// at their own pace.
final class EventFeed: Sendable {
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
        /// Time is up; of the events up to one none concerned the reader.
        case quiet(through: Int64)
        /// The service ends, or the reader.
        case end
    }

    private struct State {
        var events: Deque<Event> = []
        var last: Int64
        /// The number of the last event of each type.
        var newest: [EventType: Int64] = [:]
        /// Up to which event those who wait were woken.
        var heralded: Int64
        var waiters: [Int: Waiter] = [:]
        var nextWaiter = 0
        var isOver = false
    }

    /// How many events are in memory at most.
    private let capacity: Int
    private let state: Mutex<State>

    /// A feed whose last event, before this start of the service, had a number.
    init(last: Int64, capacity: Int) {
        self.capacity = capacity
        state = Mutex(State(last: last, heralded: last))
    }

    /// The number of the last event.
    var last: Int64 { state.withLock { $0.last } }

    func append(_ events: some Sequence<Event>) {
        state.withLock { state in
            for event in events {
                state.events.append(event)
                state.last = event.number
                state.newest[event.fact.type] = event.number
            }
            if state.events.count > capacity { state.events.removeFirst(state.events.count - capacity) }
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

    /// Waits until there is an event after one that concerns a person, or anybody for nil; or until an instant, or the end of the
    /// service.
    ///
    func wait(for person: PersonNumber?, after number: Int64, until end: ContinuousClock.Instant) async -> Awakening {
        let key = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ready = state.withLock { state -> Awakening? in
                    if state.isOver || Task.isCancelled { return .end }
                    if state.heralded > number { return .events }
                    state.waiters[key] = Waiter(person: person, end: end, continuation: continuation)
                    return nil
                }
                if let ready { continuation.resume(returning: ready) }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: key) }?.continuation.resume(returning: .end)
        }
    }

    /// The events of which those who wait were not told, and for which people somebody waits; nil if nobody has to be told.
    func unheralded(atMost most: Int) -> (events: [Event], people: Set<PersonNumber>)? {
        state.withLock { state in
            let count = Int(state.last - state.heralded)
            guard count > 0 else { return nil }
            state.heralded = state.last
            guard !state.waiters.isEmpty else { return nil }
            let people = Set(state.waiters.values.compactMap(\.person))
            return (Array(state.events.suffix(min(count, most))), people)
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
