public import Model

/// A person's document as far as somebody may know it.
public enum PersonView: Sendable {
    /// All of it: the person's own, or for a trusted service.
    case whole(Versioned<Person>)
    /// What others are shown; the rest is empty.
    case part(Person)
}

/// What people may know of each other. Every answer that names a person to another goes through here.
extension Picture {
    /// A person's document as far as a caller may know it.
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

    /// Whether there is a person of this id.
    public func isKnown(_ id: PersonID) -> Bool { people.number(of: id) != nil }

    private func viewer(_ caller: Caller) -> PersonNumber? {
        switch caller {
        case .service: nil
        case .person(let id): people.number(of: id)
        }
    }
}

extension Person {
    /// What another person is to this one.
    enum Other {
        case stranger
        /// One of two who like each other.
        case match
        case friend
    }

    /// What others are shown: everybody a name and a city, matches also the picture that discovery shows, and friends how
    /// to reach the person.
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
