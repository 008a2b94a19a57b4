internal import Geo
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

    /// A person whose position was reported; nil if another such person has the ID now.
    ///
    /// `holders` gets the newest person of each ID at the first of a series of calls that needs it.
    func participant(
        _ number: PersonNumber, _ holders: inout [PersonID: PersonNumber]?
    ) -> EventPayload.Participant? {
        guard let id = places[number]?.id else { return nil }
        let newest = holders ?? newestPeople
        holders = newest
        return newest[id] == number ? EventPayload.Participant(number, id) : nil
    }

    private var newestPeople: [PersonID: PersonNumber] {
        WorkBudget.count(places.count)
        return Dictionary(places.map { ($1.id, $0) }, uniquingKeysWith: max)
    }
}
