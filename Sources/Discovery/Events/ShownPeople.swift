internal import Model

/// The positions that were last reported to a person.
struct ShownPeople: Sendable {
    /// With the IDs, by which the end of a deleted person's position is reported.
    private var places: [PersonNumber: (id: PersonID, position: Position)] = [:]

    /// The people whose position was reported.
    var numbers: [PersonNumber] { [PersonNumber](places.keys) }

    subscript(person: EventPayload.Participant) -> Position? {
        get { places[person.number]?.position }
        set { places[person.number] = newValue.map { (id: person.id, position: $0) } }
    }

    /// The newest person of each ID.
    ///
    /// - Complexity: O(people).
    var holders: [PersonID: PersonNumber] { Dictionary(places.map { ($1.id, $0) }, uniquingKeysWith: max) }

    /// A person whose position was reported; nil if another such person has the ID now, by ``holders``.
    func participant(_ number: PersonNumber, _ holders: [PersonID: PersonNumber]) -> EventPayload.Participant? {
        guard let id = places[number]?.id, holders[id] == number else { return nil }
        return EventPayload.Participant(number, id)
    }
}
