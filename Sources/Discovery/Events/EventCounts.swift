internal import Model

/// Rate limit of retained events: at most `Allowance.events` per person and hour, and a multiple of that in services'
/// fences.
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
        case .put, .shared, .homeCell, .leaving, .tracesErased, .recentlyDeleted, .endedTokensKept: break
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

/// A person's retained events in a window of an hour.
///
/// The window begins with its first event, and the next window with the first event after its end.
struct EventCount: Codable, Sendable {
    private static let hour = Duration.seconds(3600)

    /// The counter of events with a limit of their own.
    struct Part: Codable {
        var count = 0
        /// Whether the omission of events was reported.
        var isKnown = false
    }

    /// The limit for events in services' fences, as a multiple of the person's own limit.
    static let shareOfServices = 10

    private var since: Timestamp
    private var (own, inFencesOfServices) = (Part(), Part())

    subscript(ofServices isOfServices: Bool) -> Part {
        get { isOfServices ? inFencesOfServices : own }
        set { if isOfServices { inFencesOfServices = newValue } else { own = newValue } }
    }

    /// The window at an instant: the known one or a new one, also after the clock was set back by an hour.
    init(_ known: EventCount?, at now: Timestamp) {
        guard let known, abs((now - known.since).milliseconds) < Self.hour.milliseconds else {
            since = now
            return
        }
        self = known
    }
}

extension Draft {
    /// Publishes an event unless the person who caused it exceeds the limit; the omission is then reported once.
    ///
    /// A person causes the events of their own requests and fences, and of their transitions in services' fences.
    /// Events of services' requests are not limited.
    ///
    /// - Returns: whether the event is published.
    /// - Throws: errors of the storage.
    mutating func report(_ payload: EventPayload) throws -> Bool {
        if let (person, isOfServices) = state.cause(of: payload, by: caller),
            try !countEvent(of: person, inFenceOfService: isOfServices ? payload.subject : nil)
        {
            return false
        }
        try publish(payload)
        return true
    }

    /// Counts an event that a person causes.
    ///
    /// - Parameters:
    ///   - person: the person.
    ///   - fence: the service's fence in which it occurs, if any.
    /// - Returns: whether the person is within the limit.
    /// - Throws: errors of the storage.
    mutating func countEvent(of person: PersonNumber, inFenceOfService fence: AnyID? = nil) throws -> Bool {
        let isOfServices = fence != nil
        let known = EventCount(state.eventCounts[person], at: received)[ofServices: isOfServices]
        guard known.count >= rules.allowance.events * (isOfServices ? EventCount.shareOfServices : 1) else {
            try apply(.people(.eventCounted(of: person, inFencesOfServices: isOfServices, at: received)))
            return true
        }
        if !known.isKnown {
            // The event for services' fences names one of them, and is visible to services only.
            try publish(EventPayload(.eventsLimited, state.participant(person), about: fence))
            try apply(.people(.eventsLimited(of: person, inFencesOfServices: isOfServices, at: received)))
        }
        return false
    }
}

extension LiveState {
    /// The person whose limit an event counts against, and whether it is in a service's fence; nil for none.
    fileprivate func cause(of payload: EventPayload, by caller: Caller) -> (person: PersonNumber, isOfServices: Bool)? {
        guard payload.type.isKept else { return nil }
        switch payload.type {
        case .fenceEnter, .fenceExit, .fenceDwell:
            return payload.other.map { ($0.number, false) } ?? payload.person.map { ($0.number, true) }
        // Every ask is counted, whether or not the friend wants to be asked.
        case .fenceAsked: return nil
        case .fenceSilent: return payload.other.map { ($0.number, false) }
        // Only an event of a person's fence has a precision.
        case .nearEnter, .nearExit: return payload.precision == nil ? nil : payload.person.map { ($0.number, false) }
        default:
            guard case .person(let id) = caller else { return nil }
            return people.number(of: id).map { ($0, false) }
        }
    }
}
