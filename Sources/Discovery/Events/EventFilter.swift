public import Geo
public import Model

/// Which events are wanted.
public struct EventFilter: Sendable {
    /// None for all.
    public var types: Set<EventType> = []
    /// Only those about a person.
    public var person: PersonID?
    /// Only those about a place, a product, a group or a fence.
    public var subject: AnyID?
    /// Only those with a place that is told to the caller and lies in an area.
    public var area: Region?
    /// Only those with a place that is told to the caller and lies in a circle.
    public var circle: Circle?

    /// All events.
    public init() {}

    func passes(_ fact: Fact) -> Bool {
        // That events are missing is told whichever are wanted.
        (types.isEmpty || types.contains(fact.type) || fact.type == .eventsLimited)
            && (person == nil || fact.person?.id == person || fact.other?.id == person)
            && (subject == nil || fact.subject == subject || fact.product?.any == subject)
    }

    /// Whether an event that is told to be somewhere, or nowhere, is wanted for that.
    func reaches(_ place: Coordinate?) -> Bool {
        guard area != nil || circle != nil else { return true }
        guard let place, circle?.contains(place) ?? true else { return false }
        var steps = 0
        defer { Effort.count(steps) }
        return area?.contains(place, steps: &steps) ?? true
    }

    /// Whether it wants to be told where people are.
    var wantsPositions: Bool { subject == nil && (types.isEmpty || types.contains(.pingMoved)) }

    /// Whether a person wants to be told of what everybody may read: that is more than concerns them.
    var wantsCatalogue: Bool { subject != nil || types.contains(where: \.isOfCatalogue) }

    /// The types of which a caller misses events that are neither kept nor in memory; a person's positions are reported again.
    func missable(by caller: Caller) -> Set<EventType> {
        let wanted = types.isEmpty ? Set(EventType.allCases) : types
        guard caller != .service else { return wanted }
        return wanted.filter { $0 != .pingMoved && (!$0.isOfCatalogue || wantsCatalogue) }
    }
}
