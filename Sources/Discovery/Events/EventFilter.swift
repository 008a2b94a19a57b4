public import Geo
public import Model

/// A filter for events.
public struct EventFilter: Sendable {
    /// Empty for all types.
    public var types: Set<EventType> = []
    /// Only events about a person.
    public var person: PersonID?
    /// Only events about a place, a product, a group or a fence.
    public var subject: AnyID?
    /// Only events whose place is visible to the caller and lies in an area.
    public var area: Region?
    /// Only events whose place is visible to the caller and lies in a circle.
    public var circle: Circle?

    /// Matches all events.
    public init() {}

    func passes(_ payload: EventPayload) -> Bool {
        // Missing events are reported whatever the filter.
        (types.isEmpty || types.contains(payload.type) || payload.type == .eventsLimited)
            && (person == nil || payload.person?.id == person || payload.other?.id == person)
            && (subject == nil || payload.subject == subject || payload.product?.any == subject)
    }

    /// Whether an event's place, or its lack of one, matches the area and the circle.
    func reaches(_ place: Coordinate?) -> Bool {
        guard area != nil || circle != nil else { return true }
        guard let place, circle?.contains(place) ?? true else { return false }
        var steps = 0
        defer { WorkBudget.count(steps) }
        return area?.contains(place, steps: &steps) ?? true
    }

    /// Whether it matches changes of positions.
    var wantsPositions: Bool { subject == nil && (types.isEmpty || types.contains(.pingMoved)) }

    /// Whether a person wants public events too, beyond those that concern them.
    var wantsCatalogue: Bool { subject != nil || types.contains(where: \.isOfCatalogue) }

    /// The types whose events a caller can miss for good; a person's positions are reported again.
    func missable(by caller: Caller) -> Set<EventType> {
        let wanted = types.isEmpty ? Set(EventType.allCases) : types
        guard caller != .service else { return wanted }
        return wanted.filter { $0 != .pingMoved && (!$0.isOfCatalogue || wantsCatalogue) }
    }
}
