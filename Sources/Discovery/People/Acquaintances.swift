public import Model
internal import Structures

/// How a person is tied to others.
public enum Tie: Sendable { case friends, asked, askedBy, blocks, matches }

/// Somebody to whom a person is tied.
public struct Acquaintance: Sendable {
    /// As far as the person may know them.
    public var person: Person
    /// What the person notes about them; nothing for who is no friend.
    public var notes: [FriendAttribute: String]
}

/// Some of the people to whom a person is tied.
public struct AcquaintancePage: Sendable {
    /// In the order of their ids.
    public var people: [Acquaintance]
    /// The id after which the list goes on; nil at its end.
    public var next: PersonID?
}

/// Lists of the people to whom somebody is tied, who may be many: they are looked at in parts, and put in order outside.
extension Live {
    /// A list of people to whom a person is tied, by id; matches are of adults only.
    ///
    /// With a `label` only those whom the person calls this, and only those after `last`, if it is given.
    ///
    /// - Returns: at most `limit` of them.
    /// - Throws: ``Refusal/unknown(_:_:)``, or `CancellationError`.
    /// - Complexity: O(n log n) for all who are tied to the person, and nobody waits for more than a part.
    public func people(
        _ tie: Tie, of id: PersonID, label: String? = nil, after last: PersonID? = nil, limit: Int = .max,
        at now: Timestamp
    ) async throws -> AcquaintancePage {
        let (person, others) = try read { picture throws(Refusal) in
            guard let number = picture.people.number(of: id) else { throw .unknown(.person, id.any) }
            return (number, picture.people.numbers(tie, of: number))
        }
        var listed = try await read(each: others, costing: 5) {
            picture, other -> (id: PersonID, number: PersonNumber)? in
            guard picture.lists(other, tie, of: person, label, at: now), let id = picture.people.id(of: other) else {
                return nil
            }
            return last.map { $0 < id } ?? true ? (id, other) : nil
        }
        listed.sort { $0.id < $1.id }
        let page = listed.prefix(limit)
        let people = try await read(each: page, costing: 10) { picture, entry in
            picture.acquaintance(entry.number, tie, of: person)
        }
        return AcquaintancePage(people: people, next: page.count < listed.count ? page.last?.id : nil)
    }

    /// What a person notes about friends, by the friends' ids.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``, or `CancellationError`.
    public func notes(of id: PersonID) async throws -> [(friend: PersonID, notes: [FriendAttribute: String])] {
        let (person, notes) = try read { picture throws(Refusal) in
            guard let number = picture.people.number(of: id) else { throw .unknown(.person, id.any) }
            return (number, picture.people[number]?.ties.notes ?? [:])
        }
        return try await read(each: Set(notes.values.flatMap(\.keys)), costing: 2) { picture, friend in
            picture.people.id(of: friend).map { (friend: $0, notes: picture.people.notes(about: friend, by: person)) }
        }.sorted { $0.friend < $1.friend }
    }

    /// The places that a person owns, by id.
    ///
    /// - Throws: `CancellationError`.
    public func places(ownedBy id: PersonID) async throws -> [Place] {
        let numbers = read { $0.catalogue.placeIndex.places(ownedBy: id).numbers }
        return try await read(each: numbers, costing: 10) { picture, number in
            picture.catalogue.placeIndex[number].flatMap { entry in
                entry.record.value.owner == id ? entry.record.value : nil
            }
        }.sorted { $0.id < $1.id }
    }
}

extension Picture {
    fileprivate func lists(
        _ other: PersonNumber, _ tie: Tie, of person: PersonNumber, _ label: String?, at now: Timestamp
    ) -> Bool {
        if let label, people[person]?.ties.notes[.label]?[other] != label { return false }
        guard tie == .matches else { return true }
        return people.likes(other, person) && !people.isSeparated(person, other)
            && people.record(of: person)?.value.isAdult(at: now) ?? false
            && people.record(of: other)?.value.isToldAdult(at: now) ?? false
    }

    /// Somebody as a person is shown whom they are tied to; nil when either is gone.
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
