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
        case .eventsLimited(let person, let owner, let at):
            counts[person] = EventCount(counts[person], at: at).telling(owner)
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
    /// Who knows that events are missing: the person, for nil, and owners of fences about the person.
    private var told: [PersonNumber?] = []

    /// The hour that holds an instant: the known one or a new one, also when the clock was set back by an hour.
    init(_ known: EventCount?, at now: Timestamp) {
        guard let known, abs((now - known.since).milliseconds) < Self.hour.milliseconds else {
            since = now
            return
        }
        self = known
    }

    func isFull(atMost most: Int) -> Bool { count >= most }

    /// Whether it was told that events are missing.
    func isKnown(to owner: PersonNumber?) -> Bool { told.contains(owner) }

    fileprivate func counting() -> EventCount {
        var count = self
        count.count += 1
        return count
    }

    fileprivate func telling(_ owner: PersonNumber?) -> EventCount {
        var count = self
        count.told.append(owner)
        return count
    }
}

extension Draft {
    /// Tells of a fact, unless its person has too many: then it is told once that some are missing, to whoever would have been
    /// told of the first of them.
    ///
    /// What counts is what people bring about: what they ask for themselves, and what happens in their fences. What services ask
    /// for, and what happens in fences of services, is told whatever people do.
    ///
    /// - Returns: whether it is told.
    /// - Throws: whatever the storage throws.
    mutating func tell(_ fact: Fact) throws -> Bool {
        guard let person = fact.person?.number, picture.counts(fact, by: caller) else {
            try announce(fact)
            return true
        }
        let count = EventCount(picture.eventCounts[person], at: received)
        guard count.isFull(atMost: rules.allowance.events) else {
            try announce(fact)
            try make(.people(.eventCounted(of: person, at: received)))
            return true
        }
        let owner = fact.type.isOfFence ? fact.other.flatMap { $0.number == person ? nil : $0 } : nil
        if !count.isKnown(to: owner?.number) {
            var notice = Fact(.eventsLimited, fact.person, owner)
            // As exactly as the event would have told, and no more.
            (notice.happened, notice.precision) = (fact.happened, fact.precision)
            try announce(notice)
            try make(.people(.eventsLimited(of: person, to: owner?.number, at: received)))
        }
        return false
    }
}

extension Picture {
    /// Whether a fact counts for its person.
    fileprivate func counts(_ fact: Fact, by caller: Caller) -> Bool {
        guard fact.type.isKept else { return false }
        switch fact.type {
        case .fenceEnter, .fenceExit, .fenceDwell, .fenceSilent: return fact.other != nil
        // Only that of a person's fence has a precision.
        case .nearEnter, .nearExit: return fact.precision != nil
        default: return caller != .service
        }
    }
}

extension EventType {
    /// Whether it tells of an area, or of silence.
    fileprivate var isOfFence: Bool {
        switch self {
        case .fenceEnter, .fenceExit, .fenceDwell, .fenceSilent: true
        default: false
        }
    }
}
