internal import Geo
public import Model
internal import Storage

/// Follows the events for a caller.
///
/// A person is told nothing that they could not have asked for at the moment they are told: a position is told when what is
/// shown of it has changed, not when a ping came.
public struct EventReader: Sendable {
    /// What a reader is told next.
    public struct Batch: Sendable {
        /// Whether events are missing that are not kept: whoever follows positions and lists reads them again.
        public var isReset = false
        /// What is told, in order.
        public var events: [ToldEvent] = []
    }

    /// How many events are looked at in one go.
    private static let atOnce = 500
    /// How often a page looks on for something to tell.
    private static let mostLooks = 20
    /// Of how many events of everybody a person's ``resume`` tells that they happened.
    static let block: Int64 = 500
    /// What it costs to tell one; see ``Effort``.
    static let stepsOfTelling = 40

    /// What a reader is asked once; apart, as readers are many, and copied where they wait.
    private final class Question: Sendable {
        let caller: Caller
        let filter: EventFilter
        let numbers: EventNumbers

        init(_ caller: Caller, _ filter: EventFilter, _ numbers: EventNumbers) {
            (self.caller, self.filter, self.numbers) = (caller, filter, numbers)
        }
    }

    private let question: Question
    private var caller: Caller { question.caller }
    private var filter: EventFilter { question.filter }
    /// By what numbers the caller knows events.
    public var numbers: EventNumbers { question.numbers }
    /// The number of the last event that was looked at.
    private var last: Int64
    /// That of the last event that was told; before the first one, where the reader began.
    private var lastTold: Int64
    /// The last move between two stored positions that was looked at.
    private var lastMove: Int64
    /// Tells that somebody watches; nil for who only reads.
    private var following: Following?
    /// What a person was told of where others are, by their numbers.
    private var shown: [PersonNumber: Position] = [:]
    /// Whether it was told where everybody is, since when it has been told of what changed.
    private var knowsPositions = false
    /// Whether it reads events that are not in memory any more.
    private var isBehind = false

    /// A reader that goes on after an event; nil for the last one that there is.
    public init(for caller: Caller, _ filter: EventFilter, after number: Int64? = nil, of live: Live) {
        question = Question(caller, filter, live.eventNumbers(for: caller))
        let mark = live.feed.mark
        (last, lastMove) = (number ?? mark.event, mark.move)
        lastTold = number ?? 0
    }

    /// The number of an event after which the caller goes on, and misses nothing.
    ///
    /// For a person it does not depend on what happened since an event that the person was told of, but for whole blocks of events.
    public var resume: Int64 {
        guard numbers.areHidden else { return last }
        return max(lastTold <= last ? lastTold : 0, last / Self.block * Self.block)
    }

    /// The same, watching people as long as it is there: so phones of those who are shown exactly send more.
    public func watching(in live: Live) -> EventReader {
        var reader = self
        reader.following = filter.watched(by: caller, in: live).map { live.followers.begin($0) }
        return reader
    }

    /// Whose events are waited for; nil for those of everybody.
    private func interest(_ live: Live) -> PersonNumber? {
        guard case .person(let id) = caller, !filter.wantsCatalogue else { return nil }
        return live.read { $0.people.number(of: id) }
    }

    /// What is to be told now, some of it if that is much; of positions at first where everybody is of whom the person may know.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)`` when the person is gone; ``StorageError``.
    public mutating func next(from live: Live, at now: Timestamp) async throws -> Batch {
        guard let events = live.feed.events(after: last, atMost: Self.atOnce) else {
            return try await nextKept(from: live, at: now)
        }
        var batch = Batch()
        if !knowsPositions { batch.events = try positions(from: live, at: now) }
        let told = try told(events, from: live, at: now)
        batch.events += told
        if let number = events.last?.number { last = number }
        if let number = told.last?.number { lastTold = number }
        try follow(&batch, from: live, at: now)
        return batch
    }

    /// Adds where people are who moved between two stored positions: such an event has the number of the last one.
    private mutating func follow(_ batch: inout Batch, from live: Live, at now: Timestamp) throws {
        guard filter.wantsPositions else {
            lastMove = live.feed.mark.move
            return
        }
        let followed = live.read { picture -> Set<PersonNumber>? in
            guard case .person(let id) = caller else { return nil }
            return picture.people.number(of: id).map { picture.followed(by: $0) } ?? []
        }
        guard let (moved, number) = live.feed.moved(after: lastMove) else {
            lastMove = live.feed.mark.move
            // Where everybody is who may be known is told anew, as far as it has changed; a service reads it again.
            if caller == .service { batch.isReset = true } else { knowsPositions = false }
            return
        }
        lastMove = number
        // Each once, where they were last in order.
        var seen: Set<PersonNumber> = []
        let people = moved.filter { seen.insert($0).inserted && followed?.contains($0) ?? true }.reversed()
        batch.events += try told(people.map { ($0, resume) }, from: live, at: now)
    }

    /// Where some people are, as events of these numbers.
    private mutating func told(
        _ people: [(person: PersonNumber, number: Int64)], from live: Live, at now: Timestamp
    ) throws -> [ToldEvent] {
        var events: [Event] = []
        for part in people.stretches({ _ in 1 }) {
            events += live.read { picture in
                Effort.count(part.count)
                return part.compactMap { one in
                    picture.people.record(of: one.person).map { record in
                        let person = Fact.Participant(one.person, record.value.id)
                        return Event(number: one.number, at: now, Fact(.pingMoved, person))
                    }
                }
            }
        }
        return try told(events, from: live, at: now)
    }

    /// The next of the events that are not in memory any more, of which only some were kept.
    private mutating func nextKept(from live: Live, at now: Timestamp) async throws -> Batch {
        let end = live.feed.last
        var batch = Batch()
        batch.isReset = !isBehind
        (isBehind, knowsPositions, shown) = (true, false, [:])
        lastMove = live.feed.mark.move
        var kept: [Event] = []
        // A number that there never was is one of another service.
        if last < end {
            // In a task of its own: that of a reader keeps the deepest stack that it ever had.
            let reading = Task { [last] in try await live.store.events(after: last, atMost: Self.atOnce) }
            kept = try await reading.value.filter { $0.number <= end }
        }
        batch.events = try told(kept, from: live, at: now)
        last = kept.count < Self.atOnce ? end : kept.last?.number ?? end
        if let number = batch.events.last?.number { lastTold = number }
        return batch
    }

    /// Where everybody is of whom a person may know, as an answer to the person would tell it.
    private mutating func positions(from live: Live, at now: Timestamp) throws -> [ToldEvent] {
        (knowsPositions, isBehind) = (true, false)
        guard case .person(let id) = caller, filter.wantsPositions else { return [] }
        let known = live.read { picture in
            picture.people.number(of: id).map { [$0] + picture.people.friends(of: $0).numbers } ?? []
        }
        return try told(known.map { ($0, resume) }, from: live, at: now).filter { $0.position != nil }
    }

    mutating func told(_ events: [Event], from live: Live, at now: Timestamp) throws -> [ToldEvent] {
        // Where somebody is now is told once, whatever led there.
        var moved: Set<PersonNumber> = []
        let wanted = events.reversed().filter { event in
            guard filter.passes(event.fact) else { return false }
            guard event.fact.type == .pingMoved else { return true }
            return event.fact.person.map { moved.insert($0.number).inserted } ?? false
        }
        guard !wanted.isEmpty else { return [] }
        var told: [ToldEvent] = []
        for part in Array(wanted.reversed()).stretches({ _ in 1 }) {
            told += try live.read { picture in try part.compactMap { try tell($0, of: picture, at: now) } }
        }
        return told
    }

    private mutating func tell(
        _ event: Event, of picture: borrowing Picture, at now: Timestamp
    ) throws(Refusal) -> ToldEvent? {
        Effort.count(Self.stepsOfTelling)
        let fact = event.fact
        guard fact.type.isEnd || picture.knowsAll(in: fact) else { return nil }
        var position: Position?
        switch caller {
        case .service:
            if fact.type == .pingMoved {
                position = fact.person.flatMap { picture.people.position(of: $0.number) }
            }
        case .person(let id):
            guard let viewer = picture.people.number(of: id) else { throw .unknown(.person, id.any) }
            if fact.type == .pingMoved {
                guard let number = fact.person?.number else { return nil }
                position =
                    picture.mayTell(fact, to: viewer, at: now)
                    ? picture.shownPlace(of: number, to: viewer, at: now) : nil
                guard shown[number] != position else { return nil }
                shown[number] = position
            } else {
                guard picture.mayTell(fact, to: viewer, at: now), !fact.type.isOfCatalogue || filter.wantsCatalogue
                else {
                    return nil
                }
            }
        }
        guard filter.reaches(picture.place(of: fact, position)) else { return nil }
        return ToldEvent(
            number: event.number, at: told(event, position), type: fact.type, person: fact.person?.id,
            other: fact.other?.id, subject: fact.subject, product: fact.product, isThrough: fact.isThrough,
            note: fact.note, precision: fact.precision, position: position)
    }

    /// When it happened: of a position no more than the position itself tells.
    private func told(_ event: Event, _ position: Position?) -> Timestamp {
        guard event.fact.type == .pingMoved, caller != .service else { return event.fact.happened ?? event.at }
        return position?.time ?? Precision.city.rounded(event.at)
    }

    /// The next events, at most so many; a person is told of no positions there, which can be asked for.
    ///
    /// Fewer are told at the end, and where few of very many concern the caller: then ``resume`` has grown.
    ///
    /// - Throws: as ``next(from:at:)``.
    public mutating func page(atMost most: Int, from live: Live, at now: Timestamp) async throws -> Batch {
        var batch = Batch()
        for _ in 0..<Self.mostLooks where batch.events.count < most {
            let events: [Event]
            if let some = live.feed.events(after: last, atMost: Self.atOnce) {
                events = some
            } else {
                batch.isReset = true
                events = try await live.store.events(after: last, atMost: Self.atOnce)
            }
            let tellable = caller == .service ? events : events.filter { $0.fact.type != .pingMoved }
            let told = try told(tellable, from: live, at: now)
            let room = most - batch.events.count
            batch.events += told.prefix(room)
            last = (told.count > room ? batch.events.last : nil)?.number ?? events.last?.number ?? live.feed.last
            if let number = batch.events.last?.number { lastTold = number }
            if events.isEmpty { break }
        }
        return batch
    }

    /// All kept events after the last one that was looked at.
    mutating func kept(from live: Live) async throws -> [ToldEvent] {
        var found: [ToldEvent] = []
        while true {
            let events = try await live.store.events(after: last, atMost: Self.atOnce)
            guard let number = events.last?.number else { return found }
            found += try told(events, from: live, at: events[0].at)
            last = number
        }
    }

    /// Waits until there may be more to tell, or until an instant.
    ///
    /// - Returns: whether the service goes on.
    public mutating func wait(for live: Live, until end: ContinuousClock.Instant) async -> Bool {
        let mark = EventFeed.Mark(event: last, move: lastMove)
        switch await live.feed.wait(for: interest(live), after: mark, until: end) {
        case .events: return true
        case .quiet(let mark):
            (last, lastMove) = (max(last, mark.event), max(lastMove, mark.move))
            return true
        case .end: return false
        }
    }
}
