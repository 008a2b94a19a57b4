public import Model

/// A person's document, reduced to what a viewer may see.
public enum PersonView: Sendable {
    /// The whole document, which the person and trusted services get.
    case whole(Versioned<Person>)
    /// The part shown to others; the rest is empty.
    case part(Person)
}

/// Visibility of people; every answer that names a person to another person goes through here.
extension LiveState {
    /// Returns a person's document as far as a caller may see it.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``, also when one of the two has blocked the other.
    public func person(_ id: PersonID, for caller: Caller) throws(Refusal) -> PersonView {
        let record = try person(id)
        guard !caller.mayAct(for: id) else { return .whole(record) }
        let viewer = viewer(caller)
        guard viewer.map({ !people.isSeparated($0, record.number) }) ?? true else {
            throw defences.hidesBlocks ? .unknown(.person, id.any) : .separated
        }
        return .part(
            record.value.shown(
                to: viewer.map { people.isFriend(record.number, of: $0) } ?? false ? .friend : .stranger)
        )
    }

    /// Whether a person with this id exists.
    public func isKnown(_ id: PersonID) -> Bool { people.number(of: id) != nil }

    private func viewer(_ caller: Caller) -> PersonNumber? {
        switch caller {
        case .service: nil
        case .person(let id): people.number(of: id)
        }
    }
}

extension Person {
    /// The relation of a viewer to this person.
    enum Other {
        case stranger
        /// A mutual like.
        case match
        case friend
    }

    /// The part shown to others: strangers see given name and city, matches also the photo of a discoverable person,
    /// friends also the contact details.
    func shown(to other: Other) -> Person {
        var person = Person(id: id)
        person.name = name
        person.city = city
        if other == .friend || other == .match && isDiscoverable { person.photo = photo }
        guard other == .friend else { return person }
        person.surname = surname
        person.about = about
        person.email = email
        person.phone = phone
        return person
    }
}
