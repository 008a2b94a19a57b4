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
    /// What it costs to tell one, and to read a kept one; see ``Effort``.
    ///
    /// Events that are not for the caller cost the caller nothing: else what is left of a rate would count them.
    static let (stepsOfTelling, stepsOfRow) = (40, 70)
    /// How often a reader looks where people are who are shown: time hides them, or makes their places coarser, without an event.
    public static let pause = Duration.seconds(15)

    /// What a reader is asked once; apart, as readers are many, and copied where they wait.
    private final class Question: Sendable {
        let caller: Caller
        let filter: EventFilter
        let numbers: EventNumbers
        let pause: Duration

        init(_ caller: Caller, _ filter: EventFilter, _ numbers: EventNumbers, _ pause: Duration) {
            (self.caller, self.filter, self.numbers, self.pause) = (caller, filter, numbers, pause)
        }
    }

    /// At whose places a reader looks, whether there was an event or not: its person's and all friends', or only of those shown.
    private enum Look { case everybody, shown }

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
    private var shown = ShownPeople()
    /// At whom it looks next; nil for nobody before the time is up.
    private var look: Look? = .everybody
    /// When it looked, by the clock of ``next(from:at:)``, and when it looks again.
    private var (looked, nextLook) = (Timestamp(milliseconds: 0), ContinuousClock.now)
    /// Whether it told that events are missing, and reads on among those that are not in memory any more.
    private var isBehind = false

    /// A reader that goes on after an event, nil for the last one that there is, and looks at those who are shown after each pause.
    public init(
        for caller: Caller, _ filter: EventFilter, after number: Int64? = nil, of live: Live,
        lookingEvery pause: Duration = EventReader.pause
    ) {
        question = Question(caller, filter, live.eventNumbers(for: caller), pause)
        nextLook = .now + pause
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
            return try await nextPast(from: live, at: now)
        }
        var batch = Batch()
        if let look { batch.events = try positions(look, from: live, at: now) }
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
            if caller == .service { batch.isReset = true } else { look = .everybody }
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
        _ people: [(person: PersonNumber, number: Int64)], looking: Bool = false, from live: Live, at now: Timestamp
    ) throws -> [ToldEvent] {
        var events: [Event] = []
        for part in people.stretches({ _ in 1 }) {
            events += live.read { picture in
                Effort.count(part.count)
                return part.compactMap { one in
                    (picture.participant(one.person) ?? shown.participant(one.person)).map { person in
                        Event(number: one.number, at: now, Fact(.pingMoved, person))
                    }
                }
            }
        }
        return try told(events, looking: looking, from: live, at: now)
    }

    /// The next of the events that are not in memory any more.
    private mutating func nextPast(from live: Live, at now: Timestamp) async throws -> Batch {
        var batch = Batch()
        batch.isReset = !isBehind && live.feed.hasLost(filter.missable(by: caller), after: last)
        if batch.isReset { (shown, lastMove) = (ShownPeople(), live.feed.mark.move) }
        (isBehind, look) = (isBehind || batch.isReset, .everybody)
        let kept = try live.keptEvents(for: caller, filter)
        let (events, through) = try await live.pastEvents(after: last, of: kept, atMost: Self.atOnce)
        batch.events = try told(events, from: live, at: now)
        last = through
        if let number = batch.events.last?.number { lastTold = number }
        return batch
    }

    /// Looks again where those are who are shown, when it is asked next.
    public mutating func lookAgain() {
        nextLook = .now + question.pause
        if look == nil { look = .shown }
    }

    /// Where people are of whom a person may know, as far as that has changed.
    private mutating func positions(_ look: Look, from live: Live, at now: Timestamp) throws -> [ToldEvent] {
        (self.look, looked, isBehind) = (nil, now, false)
        guard case .person(let id) = caller, filter.wantsPositions else { return [] }
        var people = Set(shown.numbers)
        if look == .everybody {
            people.formUnion(
                live.read { picture in
                    picture.people.number(of: id).map { [$0] + picture.people.friends(of: $0).numbers } ?? []
                })
        }
        return try told(people.sorted().map { ($0, resume) }, looking: true, from: live, at: now)
    }

    mutating func told(
        _ events: [Event], looking: Bool = false, from live: Live, at now: Timestamp
    ) throws -> [ToldEvent] {
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
            told += try live.read { picture in
                try part.compactMap { try tell($0, looking: looking, of: picture, at: now) }
            }
        }
        return told
    }

    private mutating func tell(
        _ event: Event, looking: Bool, of picture: borrowing Picture, at now: Timestamp
    ) throws(Refusal) -> ToldEvent? {
        let fact = event.fact
        // Who looks is told that somebody is shown nowhere any more, blocked or deleted.
        guard fact.type.isEnd || looking || picture.knowsAll(in: fact) else { return nil }
        var position: Position?
        switch caller {
        case .service:
            if fact.type == .pingMoved {
                position = fact.person.flatMap { picture.people.position(of: $0.number) }
            }
        case .person(let id):
            guard let viewer = picture.people.number(of: id) else { throw .unknown(.person, id.any) }
            if fact.type == .pingMoved {
                guard let person = fact.person else { return nil }
                position =
                    picture.mayTell(fact, to: viewer, at: now)
                    ? picture.shownPlace(of: person.number, to: viewer, at: now) : nil
                let before = shown[person]
                guard before != position,
                    picture.isReportable(
                        position, of: person.number, to: viewer, after: before, lookedAt: looking ? nil : looked)
                else { return nil }
                shown[person] = position
            } else {
                guard picture.mayTell(fact, to: viewer, at: now), !fact.type.isOfCatalogue || filter.wantsCatalogue
                else {
                    return nil
                }
            }
        }
        Effort.count(Self.stepsOfTelling)
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
            let (events, through): ([Event], Int64)
            if let some = live.feed.events(after: last, atMost: Self.atOnce) {
                (events, through) = (some, some.last?.number ?? last)
            } else {
                if live.feed.hasLost(filter.missable(by: caller), after: last) { batch.isReset = true }
                let kept = try live.keptEvents(for: caller, filter)
                (events, through) = try await live.pastEvents(after: last, of: kept, atMost: Self.atOnce)
            }
            let tellable = caller == .service ? events : events.filter { $0.fact.type != .pingMoved }
            let told = try told(tellable, from: live, at: now)
            let room = most - batch.events.count
            batch.events += told.prefix(room)
            let isOver = through == last
            last = (told.count > room ? batch.events.last : nil)?.number ?? through
            if let number = batch.events.last?.number { lastTold = number }
            if isOver { break }
        }
        return batch
    }

    /// Waits until there may be more to tell, or until an instant.
    public mutating func wait(for live: Live, until end: ContinuousClock.Instant) async -> Wakeup {
        let mark = EventFeed.Mark(event: last, move: lastMove)
        switch await live.feed.wait(for: interest(live), after: mark, until: min(end, nextLook)) {
        case .events: return .ready
        case .late(let mark):
            if let mark { (last, lastMove) = (max(last, mark.event), max(lastMove, mark.move)) }
            if .now >= nextLook { lookAgain() }
            return .late
        case .end: return .over
        }
    }
}
