internal import Model

/// What a person was told of where others are.
struct ShownPeople: Sendable {
    /// With the ids, by which who was deleted meanwhile is told to be nowhere any more.
    private var places: [PersonNumber: (id: PersonID, position: Position)] = [:]

    /// Who is shown.
    var numbers: [PersonNumber] { [PersonNumber](places.keys) }

    subscript(person: Fact.Participant) -> Position? {
        get { places[person.number]?.position }
        set { places[person.number] = newValue.map { (id: person.id, position: $0) } }
    }

    /// Somebody who is shown; nil if somebody else has the id since, and is shown too.
    func participant(_ number: PersonNumber) -> Fact.Participant? {
        guard let id = places[number]?.id, !places.contains(where: { $0.key > number && $0.value.id == id }) else {
            return nil
        }
        return Fact.Participant(number, id)
    }
}
