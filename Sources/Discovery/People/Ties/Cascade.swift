internal import Model
internal import Structures

/// Cascading deletions of friendships, people and groups.
extension LiveState {
    /// The records that end with a friendship besides fences: both friends' notes and group invitations.
    func cascade(_ a: PersonNumber, _ b: PersonNumber) -> [Change] {
        [(a, b), (b, a)].flatMap { one, other -> [Change] in
            let known = people.notes(about: other, by: one)
            let notes = FriendAttribute.allCases.filter { known[$0] != nil }
            let void = people.groups.inviting(one).filter { people.groups[$0]?.invitations[one]?.by == other }
            return notes.map { .ties(.noted($0, nil, about: other, by: one)) }
                + void.map { .groups(.left($0, one)) }
        }
    }

    /// The final changes before a person is deleted, who leaves all groups.
    func changesBeforeDeletion(of person: PersonNumber, _ received: Timestamp) -> [Change] {
        let joined = people.groups.joined(by: person).compactMap { people.groups[$0] }
        let departures = joined.flatMap { departure(of: person, from: $0, received) }
        return people.friends(of: person).numbers.flatMap { cascade(person, $0) } + departures
    }

    /// The end of a group and of the fences for its members.
    func ending(of group: GroupNumber) -> [Change] {
        (fences.named.groups[group]?.numbers ?? []).map { .fences(.deleted($0)) } + [.groups(.deleted(group))]
    }
}
