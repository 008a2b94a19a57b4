internal import Geo
public import Model
internal import Storage

/// A cursor over the events that a caller may see.
///
/// A person receives only what they could query at that moment: a position is reported when the visible position has
/// changed, not when a ping came.
public struct EventReader: Sendable {
    /// The next events for a caller.
    public struct Batch: Sendable {
        /// Whether events that are not retained are missing; a subscriber must then reload positions and lists.
        public var isReset = false
        /// The events, in order.
        public var events: [EventView] = []
    }

    /// Number of events read at once.
    private static let atOnce = 500
    /// Maximum number of reads for a page.
    private static let maxReadsPerPage = 20
    /// The number of global events after which a person's ``resume`` advances without an event sent.
    static let block: Int64 = 500
    /// The cost of sending an event, and of reading a retained one, in work units; see ``WorkBudget``.
    ///
    /// Events that the caller may not see are free. Otherwise the remaining rate limit would reveal their number.
    static let (sendCost, rowReadCost) = (40, 70)
    /// The polling interval of visible positions, which become hidden or coarser over time without an event.
    public static let pause = Duration.seconds(15)

    /// The immutable part of a reader, shared because readers are many, and copied while they wait.
    private final class Configuration: Sendable {
        let caller: Caller
        let filter: EventFilter
        let numbers: EventNumbers
        let pause: Duration

        init(_ caller: Caller, _ filter: EventFilter, _ numbers: EventNumbers, _ pause: Duration) {
            (self.caller, self.filter, self.numbers, self.pause) = (caller, filter, numbers, pause)
        }
    }

    /// The scope of a poll: the person and all friends, or only people whose position was reported.
    private enum PollScope { case everybody, shown }

    private let configuration: Configuration
    private var caller: Caller { configuration.caller }
    private var filter: EventFilter { configuration.filter }
    /// The event numbers sent to the caller.
    public var numbers: EventNumbers { configuration.numbers }
    /// The number of the last event that was read.
    private var last: Int64
    /// The number of the last event that was sent; initially the start of the reader.
    private var lastSent: Int64
    /// The last move between two stored positions that was read.
    private var lastMove: Int64
    /// The live subscription; nil for a reader that only pages.
    private var subscription: Subscription?
    private var shown = ShownPeople()
    /// The next poll; nil for none before the interval has passed.
    private var look: PollScope? = .everybody
    /// The time of the last poll by the clock of ``next(from:at:)``, and the time of the next.
    private var (lastPoll, nextPoll) = (Timestamp(milliseconds: 0), ContinuousClock.now)
    /// Whether missing events were reported, and the reader is among events that are no longer in memory.
    private var isBehind = false

    /// A reader that resumes after an event, nil for the newest, and polls visible positions after each pause.
    public init(
        for caller: Caller, _ filter: EventFilter, after number: Int64? = nil, of engine: Engine,
        lookingEvery pause: Duration = EventReader.pause
    ) {
        configuration = Configuration(caller, filter, engine.eventNumbers(for: caller), pause)
        nextPoll = .now + pause
        let mark = engine.feed.mark
        (last, lastMove) = (number ?? mark.event, mark.move)
        lastSent = number ?? 0
    }

    /// The cursor after which the caller resumes without missing events.
    ///
    /// For a person it depends on events that are not visible only by whole blocks.
    public var resume: Int64 {
        guard numbers.areHidden else { return last }
        return max(lastSent <= last ? lastSent : 0, last / Self.block * Self.block)
    }

    /// Returns the reader with a live subscription, which makes the phones of people shown exactly send more often.
    public func watching(in engine: Engine) -> EventReader {
        var reader = self
        reader.subscription = filter.watched(by: caller, in: engine).map { engine.subscriptions.begin($0) }
        return reader
    }

    /// The person whose events it waits for; nil for all events.
    private func interest(_ engine: Engine) -> PersonNumber? {
        guard case .person(let id) = caller, !filter.wantsCatalogue else { return nil }
        return engine.read { $0.people.number(of: id) }
    }

    /// Returns the next events, in part if there are many; the first batch has all positions that the person may see.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)`` when the person is gone; ``StorageError``.
    public mutating func next(from engine: Engine, at now: Timestamp) async throws -> Batch {
        guard let events = engine.feed.events(after: last, atMost: Self.atOnce) else {
            return try await nextPast(from: engine, at: now)
        }
        var batch = Batch()
        if let look { batch.events = try positions(look, from: engine, at: now) }
        let reported = try visibleEvents(events, from: engine, at: now)
        batch.events += reported
        if let number = events.last?.number { last = number }
        if let number = reported.last?.number { lastSent = number }
        try appendMoves(to: &batch, from: engine, at: now)
        return batch
    }

    /// Adds the people who moved between two stored positions; these events have the cursor as their number.
    private mutating func appendMoves(to batch: inout Batch, from engine: Engine, at now: Timestamp) throws {
        guard filter.wantsPositions else {
            lastMove = engine.feed.mark.move
            return
        }
        guard let (moved, number) = engine.feed.moved(after: lastMove) else {
            lastMove = engine.feed.mark.move
            // All visible positions are compared again; a service must reload them.
            if caller == .service { batch.isReset = true } else { look = .everybody }
            return
        }
        lastMove = number
        let followed = engine.read { state -> Set<PersonNumber>? in
            guard case .person(let id) = caller else { return nil }
            return state.people.number(of: id).map { state.followed(by: $0, among: Set(moved)) } ?? []
        }
        // Each person once, in the order of their last moves.
        var seen: Set<PersonNumber> = []
        let people = moved.filter { seen.insert($0).inserted && followed?.contains($0) ?? true }.reversed()
        batch.events += try moveEvents(people.map { ($0, resume) }, from: engine, at: now)
    }

    /// Reports the positions of people, as events with these numbers.
    private mutating func moveEvents(
        _ people: [(person: PersonNumber, number: Int64)], looking: Bool = false, from engine: Engine, at now: Timestamp
    ) throws -> [EventView] {
        var events: [Event] = []
        var holders: [PersonID: PersonNumber]?
        for part in people.stretches({ _ in 1 }) {
            events += engine.read { state in
                WorkBudget.count(part.count)
                return part.compactMap { one in
                    (state.participant(one.person) ?? shown.participant(one.person, &holders)).map { person in
                        Event(number: one.number, at: now, EventPayload(.pingMoved, person))
                    }
                }
            }
        }
        return try visibleEvents(events, looking: looking, from: engine, at: now)
    }

    /// Reads the next of the events that are no longer in memory.
    private mutating func nextPast(from engine: Engine, at now: Timestamp) async throws -> Batch {
        var batch = Batch()
        batch.isReset = !isBehind && engine.feed.hasLost(filter.missable(by: caller), after: last)
        if batch.isReset { (shown, lastMove) = (ShownPeople(), engine.feed.mark.move) }
        (isBehind, look) = (isBehind || batch.isReset, .everybody)
        let kept = try engine.keptEvents(for: caller, filter)
        let (events, through) = try await engine.pastEvents(after: last, of: kept, atMost: Self.atOnce)
        batch.events = try visibleEvents(events, from: engine, at: now)
        last = through
        if let number = batch.events.last?.number { lastSent = number }
        return batch
    }

    /// Polls visible positions at the next call.
    public mutating func lookAgain() {
        nextPoll = .now + configuration.pause
        if look == nil { look = .shown }
    }

    /// Reports the visible positions that have changed.
    private mutating func positions(_ look: PollScope, from engine: Engine, at now: Timestamp) throws -> [EventView] {
        (self.look, lastPoll, isBehind) = (nil, now, false)
        guard case .person(let id) = caller, filter.wantsPositions else { return [] }
        var people = Set(shown.numbers)
        if look == .everybody {
            people.formUnion(
                engine.read { state in
                    state.people.number(of: id).map { [$0] + state.people.friends(of: $0).numbers } ?? []
                })
        }
        return try moveEvents(people.sorted().map { ($0, resume) }, looking: true, from: engine, at: now)
    }

    mutating func visibleEvents(
        _ events: [Event], looking: Bool = false, from engine: Engine, at now: Timestamp
    ) throws -> [EventView] {
        // Only the newest position is reported.
        var moved: Set<PersonNumber> = []
        let wanted = events.reversed().filter { event in
            guard filter.passes(event.payload) else { return false }
            guard event.payload.type == .pingMoved else { return true }
            return event.payload.person.map { moved.insert($0.number).inserted } ?? false
        }
        guard !wanted.isEmpty else { return [] }
        var reported: [EventView] = []
        for part in Array(wanted.reversed()).stretches({ _ in 1 }) {
            reported += try engine.read { state in
                try part.compactMap { try view($0, looking: looking, of: state, at: now) }
            }
        }
        return reported
    }

    private mutating func view(
        _ event: Event, looking: Bool, of state: borrowing LiveState, at now: Timestamp
    ) throws(Refusal) -> EventView? {
        let payload = event.payload
        // A poll reports that a blocked or deleted person has no position any longer.
        guard payload.type.isEnd || looking || state.knowsAll(in: payload) else { return nil }
        var position: Position?
        switch caller {
        case .service:
            if payload.type == .pingMoved {
                position = payload.person.flatMap { state.people.position(of: $0.number) }
            }
        case .person(let id):
            guard let viewer = state.people.number(of: id) else { throw .unknown(.person, id.any) }
            if payload.type == .pingMoved {
                guard let person = payload.person else { return nil }
                position =
                    state.mayReport(payload, to: viewer, at: now)
                    ? state.shownPlace(of: person.number, to: viewer, at: now) : nil
                let before = shown[person]
                guard before != position,
                    state.isReportable(
                        position, of: person.number, to: viewer, after: before, lookedAt: looking ? nil : lastPoll)
                else { return nil }
                shown[person] = position
            } else {
                guard state.mayReport(payload, to: viewer, at: now),
                    !payload.type.isOfCatalogue || filter.wantsCatalogue
                else {
                    return nil
                }
            }
        }
        WorkBudget.count(Self.sendCost)
        guard filter.reaches(state.place(of: payload, position)) else { return nil }
        return EventView(
            number: event.number, at: eventTime(event, position), type: payload.type, person: payload.person?.id,
            other: payload.other?.id, subject: payload.subject, product: payload.product, isThrough: payload.isThrough,
            note: payload.note, precision: payload.precision, position: position)
    }

    /// The event's time; for a position no more precise than the position's own time.
    private func eventTime(_ event: Event, _ position: Position?) -> Timestamp {
        guard event.payload.type == .pingMoved, caller != .service else { return event.payload.happened ?? event.at }
        return position?.time ?? Precision.city.rounded(event.at)
    }

    /// Returns the next events, at most `most`; a person gets no positions here, which can be queried.
    ///
    /// The page is shorter at the end, and where few of very many events are visible: ``resume`` has then advanced.
    ///
    /// - Throws: as ``next(from:at:)``.
    public mutating func page(atMost most: Int, from engine: Engine, at now: Timestamp) async throws -> Batch {
        var batch = Batch()
        for _ in 0..<Self.maxReadsPerPage where batch.events.count < most {
            let (events, through): ([Event], Int64)
            if let some = engine.feed.events(after: last, atMost: Self.atOnce) {
                (events, through) = (some, some.last?.number ?? last)
            } else {
                if engine.feed.hasLost(filter.missable(by: caller), after: last) { batch.isReset = true }
                let kept = try engine.keptEvents(for: caller, filter)
                (events, through) = try await engine.pastEvents(after: last, of: kept, atMost: Self.atOnce)
            }
            let reportable = caller == .service ? events : events.filter { $0.payload.type != .pingMoved }
            let reported = try visibleEvents(reportable, from: engine, at: now)
            let room = most - batch.events.count
            batch.events += reported.prefix(room)
            let isOver = through == last
            last = (reported.count > room ? batch.events.last : nil)?.number ?? through
            if let number = batch.events.last?.number { lastSent = number }
            if isOver { break }
        }
        return batch
    }

    /// Waits until there may be more events, or until a time.
    public mutating func wait(for engine: Engine, until end: ContinuousClock.Instant) async -> Wakeup {
        let mark = EventFeed.Mark(event: last, move: lastMove)
        switch await engine.feed.wait(for: interest(engine), after: mark, until: min(end, nextPoll)) {
        case .events: return .ready
        case .late(let mark):
            if let mark { (last, lastMove) = (max(last, mark.event), max(lastMove, mark.move)) }
            if .now >= nextPoll { lookAgain() }
            return .late
        case .end: return .over
        }
    }
}
