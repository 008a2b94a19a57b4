internal import Model

/// How many kept events people brought about lately: of each person no more than `Allowance.events` are told in an hour.
struct EventCounts: Sendable {
    private var counts: [PersonNumber: EventCount] = [:]

    subscript(person: PersonNumber) -> EventCount? {
        get { counts[person] }
        set { counts[person] = newValue }
    }

    mutating func apply(_ change: PeopleChange) {
        switch change {
        case .eventCounted(let person, let at): counts[person] = EventCount(counts[person], at: at).counting()
        case .eventsLimited(let person, let at): counts[person] = EventCount(counts[person], at: at).telling()
        case .deleted(let person): counts[person] = nil
        case .put, .shared, .homeCell, .leaving, .tracesErased, .recentlyDeleted: break
        }
    }
}

/// The kept events of a person in an hour.
///
/// It begins with the first of them, and the next one with the first that comes when it is over.
struct EventCount: Codable, Sendable {
    private static let hour = Duration.seconds(3600)

    private var since: Timestamp
    private var count = 0
    /// Whether the person knows that events are missing.
    private(set) var isKnown = false

    /// The hour that holds an instant: the known one or a new one, also when the clock was set back by an hour.
    init(_ known: EventCount?, at now: Timestamp) {
        guard let known, abs((now - known.since).milliseconds) < Self.hour.milliseconds else {
            since = now
            return
        }
        self = known
    }

    func isFull(atMost most: Int) -> Bool { count >= most }

    fileprivate func counting() -> EventCount {
        var count = self
        count.count += 1
        return count
    }

    fileprivate func telling() -> EventCount {
        var count = self
        count.isKnown = true
        return count
    }
}

extension Draft {
    /// Tells of a fact, unless whoever brought it about has too many: then the person is told once that some are missing.
    ///
    /// A person brings about what they ask for, and what happens in their fences. What services ask for, and what happens in
    /// fences of services, is told whatever people do.
    ///
    /// - Returns: whether it is told.
    /// - Throws: whatever the storage throws.
    mutating func tell(_ fact: Fact) throws -> Bool {
        guard let person = picture.cause(of: fact, by: caller) else {
            try announce(fact)
            return true
        }
        let count = EventCount(picture.eventCounts[person], at: received)
        guard count.isFull(atMost: rules.allowance.events) else {
            try announce(fact)
            try make(.people(.eventCounted(of: person, at: received)))
            return true
        }
        if !count.isKnown {
            try announce(Fact(.eventsLimited, picture.participant(person)))
            try make(.people(.eventsLimited(of: person, at: received)))
        }
        return false
    }
}

extension Picture {
    /// The person for whom a fact counts; nil for none.
    fileprivate func cause(of fact: Fact, by caller: Caller) -> PersonNumber? {
        guard fact.type.isKept else { return nil }
        switch fact.type {
        case .fenceEnter, .fenceExit, .fenceDwell, .fenceSilent: return fact.other?.number
        // Only that of a person's fence has a precision.
        case .nearEnter, .nearExit: return fact.precision == nil ? nil : fact.person?.number
        default:
            guard case .person(let id) = caller else { return nil }
            return people.number(of: id)
        }
    }
}
