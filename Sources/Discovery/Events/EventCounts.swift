internal import Model

/// How many kept events people brought about lately: of each person no more than `Allowance.events` are told in an hour, and
/// some times as many of what the person does in fences of services.
struct EventCounts: Sendable {
    private var counts: [PersonNumber: EventCount] = [:]

    subscript(person: PersonNumber) -> EventCount? {
        get { counts[person] }
        set { counts[person] = newValue }
    }

    mutating func apply(_ change: PeopleChange) {
        switch change {
        case .eventCounted(let person, let isOfServices, let at):
            alter(person, isOfServices, at) { $0.count += 1 }
        case .eventsLimited(let person, let isOfServices, let at):
            alter(person, isOfServices, at) { $0.isKnown = true }
        case .deleted(let person): counts[person] = nil
        case .put, .shared, .homeCell, .leaving, .tracesErased, .recentlyDeleted: break
        }
    }

    private mutating func alter(
        _ person: PersonNumber, _ isOfServices: Bool, _ at: Timestamp, _ body: (inout EventCount.Part) -> Void
    ) {
        var count = EventCount(counts[person], at: at)
        body(&count[ofServices: isOfServices])
        counts[person] = count
    }
}

/// The kept events of a person in an hour.
///
/// It begins with the first of them, and the next one with the first that comes when it is over.
struct EventCount: Codable, Sendable {
    private static let hour = Duration.seconds(3600)

    /// A part of the events that has a bound of its own.
    struct Part: Codable {
        var count = 0
        /// Whether it was told that events are missing.
        var isKnown = false
    }

    /// How many times as many events a person brings about in fences of services.
    static let shareOfServices = 10

    private var since: Timestamp
    private var (own, inFencesOfServices) = (Part(), Part())

    subscript(ofServices isOfServices: Bool) -> Part {
        get { isOfServices ? inFencesOfServices : own }
        set { if isOfServices { inFencesOfServices = newValue } else { own = newValue } }
    }

    /// The hour that holds an instant: the known one or a new one, also when the clock was set back by an hour.
    init(_ known: EventCount?, at now: Timestamp) {
        guard let known, abs((now - known.since).milliseconds) < Self.hour.milliseconds else {
            since = now
            return
        }
        self = known
    }
}

extension Draft {
    /// Tells of a fact, unless whoever brought it about has too many: then it is told once that some are missing.
    ///
    /// A person brings about what they ask for, what happens in their fences, and what they do in fences of services. All that
    /// services ask for is told.
    ///
    /// - Returns: whether it is told.
    /// - Throws: whatever the storage throws.
    mutating func tell(_ fact: Fact) throws -> Bool {
        if let (person, isOfServices) = picture.cause(of: fact, by: caller),
            try !countEvent(of: person, inFenceOfService: isOfServices ? fact.subject : nil)
        {
            return false
        }
        try announce(fact)
        return true
    }

    /// Counts an event that a person brings about.
    ///
    /// - Parameters:
    ///   - person: the person.
    ///   - fence: the fence of a service in which it happens, if it does.
    /// - Returns: whether the person may bring about one more.
    /// - Throws: whatever the storage throws.
    mutating func countEvent(of person: PersonNumber, inFenceOfService fence: AnyID? = nil) throws -> Bool {
        let isOfServices = fence != nil
        let known = EventCount(picture.eventCounts[person], at: received)[ofServices: isOfServices]
        guard known.count >= rules.allowance.events * (isOfServices ? EventCount.shareOfServices : 1) else {
            try make(.people(.eventCounted(of: person, inFencesOfServices: isOfServices, at: received)))
            return true
        }
        if !known.isKnown {
            // That of services' fences names one of them, and is told to services only.
            try announce(Fact(.eventsLimited, picture.participant(person), about: fence))
            try make(.people(.eventsLimited(of: person, inFencesOfServices: isOfServices, at: received)))
        }
        return false
    }
}

extension Picture {
    /// The person for whom a fact counts, and whether it is of a fence of a service; nil for nobody.
    fileprivate func cause(of fact: Fact, by caller: Caller) -> (person: PersonNumber, isOfServices: Bool)? {
        guard fact.type.isKept else { return nil }
        switch fact.type {
        case .fenceEnter, .fenceExit, .fenceDwell:
            return fact.other.map { ($0.number, false) } ?? fact.person.map { ($0.number, true) }
        // Every question is counted, whether or not the friend wants to be asked.
        case .fenceAsked: return nil
        case .fenceSilent: return fact.other.map { ($0.number, false) }
        // Only that of a person's fence has a precision.
        case .nearEnter, .nearExit: return fact.precision == nil ? nil : fact.person.map { ($0.number, false) }
        default:
            guard case .person(let id) = caller else { return nil }
            return people.number(of: id).map { ($0, false) }
        }
    }
}
