public import Model
internal import Structures

/// A kind of tie.
public enum Tie: Sendable { case friends, asked, askedBy, blocks, matches }

/// A person with a tie to the viewer.
public struct Acquaintance: Sendable {
    /// The document, reduced to what the viewer may see.
    public var person: Person
    /// The viewer's notes; empty unless they are friends.
    public var notes: [FriendAttribute: String]
}

/// A page of people with ties to a person.
public struct AcquaintancePage: Sendable {
    /// In the order of their ids.
    public var people: [Acquaintance]
    /// The id after which the list continues; nil at its end.
    public var next: PersonID?
}

/// Lists of people with a tie; they may be long, so they are read in parts and sorted outside the reads.
extension Engine {
    /// Returns the people with a tie to a person, by id; matches only between adults.
    ///
    /// `label` restricts the list to friends with that label, `last` to ids after it.
    ///
    /// - Returns: at most `limit` people.
    /// - Throws: ``Refusal/unknown(_:_:)``, or `CancellationError`.
    /// - Complexity: O(n log n) for all people with the tie, in parts that block no other read for long.
    public func people(
        _ tie: Tie, of id: PersonID, label: String? = nil, after last: PersonID? = nil, limit: Int = .max,
        at now: Timestamp
    ) async throws -> AcquaintancePage {
        let (person, others) = try read { state throws(Refusal) in
            guard let number = state.people.number(of: id) else { throw .unknown(.person, id.any) }
            return (number, state.people.numbers(tie, of: number))
        }
        var listed = try await read(each: others, costing: 5) {
            state, other -> (id: PersonID, number: PersonNumber)? in
            guard state.lists(other, tie, of: person, label, at: now), let id = state.people.id(of: other) else {
                return nil
            }
            return last.map { $0 < id } ?? true ? (id, other) : nil
        }
        listed.sort { $0.id < $1.id }
        let page = listed.prefix(limit)
        let people = try await read(each: page, costing: 10) { state, entry in
            state.acquaintance(entry.number, tie, of: person)
        }
        return AcquaintancePage(people: people, next: page.count < listed.count ? page.last?.id : nil)
    }

    /// Returns a person's notes about friends, by the friends' ids.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``, or `CancellationError`.
    public func notes(of id: PersonID) async throws -> [(friend: PersonID, notes: [FriendAttribute: String])] {
        let (person, notes) = try read { state throws(Refusal) in
            guard let number = state.people.number(of: id) else { throw .unknown(.person, id.any) }
            return (number, state.people[number]?.ties.notes ?? [:])
        }
        return try await read(each: Set(notes.values.flatMap(\.keys)), costing: 2) { state, friend in
            state.people.id(of: friend).map { (friend: $0, notes: state.people.notes(about: friend, by: person)) }
        }.sorted { $0.friend < $1.friend }
    }

    /// Returns the places that a person owns, by id.
    ///
    /// - Throws: `CancellationError`.
    public func places(ownedBy id: PersonID) async throws -> [Place] {
        let numbers = read { $0.catalogue.placeIndex.places(ownedBy: id).numbers }
        return try await read(each: numbers, costing: 10) { state, number in
            state.catalogue.placeIndex[number].flatMap { entry in
                entry.record.value.owner == id ? entry.record.value : nil
            }
        }.sorted { $0.id < $1.id }
    }
}

extension LiveState {
    fileprivate func lists(
        _ other: PersonNumber, _ tie: Tie, of person: PersonNumber, _ label: String?, at now: Timestamp
    ) -> Bool {
        if let label, people[person]?.ties.notes[.label]?[other] != label { return false }
        guard tie == .matches else { return true }
        return people.likes(other, person) && !people.isSeparated(person, other)
            && people.record(of: person)?.value.isAdult(at: now) ?? false
            && people.record(of: other)?.value.isShownAdult(at: now) ?? false
    }

    /// The viewer's entry for a person; nil if either person is gone.
    fileprivate func acquaintance(_ other: PersonNumber, _ tie: Tie, of person: PersonNumber) -> Acquaintance? {
        guard let own = people.record(of: person)?.value, let record = people.record(of: other) else {
            return nil
        }
        let isFriend = people.isFriend(other, of: person)
        let isMatch = tie == .matches && own.isDiscoverable
        let relation: Person.Other = isFriend ? .friend : isMatch ? .match : .stranger
        return Acquaintance(
            person: record.value.shown(to: relation),
            notes: tie == .friends ? people.notes(about: other, by: person) : [:])
    }
}

extension People {
    fileprivate func numbers(_ tie: Tie, of number: PersonNumber) -> [PersonNumber] {
        guard let ties = self[number]?.ties else { return [] }
        return switch tie {
        case .friends: ties.friends.numbers
        case .asked: ties.asked.numbers
        case .askedBy: ties.askedBy.numbers
        case .blocks: ties.blocks.numbers
        case .matches: ties.likes.numbers
        }
    }

    fileprivate func id(of number: PersonNumber) -> PersonID? { record(of: number)?.value.id }
}
