internal import Geo
internal import Model

/// Who may be told of what happened.
extension Picture {
    /// Whether a person may be told of a fact: what they could have asked for.
    func mayTell(_ fact: Fact, to viewer: PersonNumber, at now: Timestamp) -> Bool {
        let participants = [fact.person?.number, fact.other?.number].compactMap(\.self)
        if fact.type == .pingMoved { return participants.contains { $0 == viewer || people.isKnown($0, to: viewer) } }
        let isOwn = participants.contains(viewer)
        // That a friendship ended is told, also when a block ended it, as the list of friends tells it.
        if isOwn, fact.type.isEnd { return true }
        guard !participants.contains(where: { people.isSeparated($0, viewer) || people.isLeaving($0) }) else {
            return false
        }
        if fact.isForOwner { return isOwner(viewer, of: fact.subject) }
        // Of a deletion no more than of a block.
        if fact.isOfDeletion { return false }
        switch fact.type {
        // A fence is its owner's business; one without an owner is a service's.
        case .fenceEnter, .fenceExit, .fenceDwell, .fenceSilent:
            return fact.other?.number == viewer && mayStillTell(fact, to: viewer, at: now)
        // Whoever brought about what is missing, but for what services' fences tell.
        case .eventsLimited: return fact.subject == nil && fact.person?.number == viewer
        // Whether a friend wants to be asked is not told to who asks.
        case .fenceAsked: return fact.other?.number == viewer
        case .nearEnter, .nearExit:
            return fact.precision != nil && fact.person?.number == viewer && mayStillTell(fact, to: viewer, at: now)
        case .groupChanged, .groupJoined, .groupLeft: return isOwn || isMember(viewer, of: fact.subject)
        default: return isOwn || fact.type.isOfCatalogue
        }
    }

    /// Whether a person may still be told as exactly as they could be when a friend's fence was judged.
    private func mayStillTell(_ fact: Fact, to viewer: PersonNumber, at now: Timestamp) -> Bool {
        guard let precision = fact.precision else { return true }
        return [fact.person, fact.other].allSatisfy { one in
            one.map { $0.number == viewer || agreed($0.number, viewer, at: now) <= precision } ?? true
        }
    }

    /// Whether nobody whom a fact names was deleted since.
    func knowsAll(in fact: Fact) -> Bool {
        [fact.person, fact.other].allSatisfy { one in one.map { people.record(of: $0.number) != nil } ?? true }
    }

    private func isMember(_ person: PersonNumber, of group: AnyID?) -> Bool {
        guard let number = group.flatMap({ people.groups.number(of: GroupID($0)) }) else { return false }
        return people.groups[number]?.members[person] != nil
    }

    private func isOwner(_ person: PersonNumber, of group: AnyID?) -> Bool {
        guard let number = group.flatMap({ people.groups.number(of: GroupID($0)) }) else { return false }
        return people.groups[number].map { $0.group.owner == people.record(of: person)?.value.id } ?? false
    }

    /// Those of some people whom a fact may concern.
    ///
    /// - Complexity: O(friends of the person it is about, or members of the group).
    func audience(of fact: Fact, among waiting: Set<PersonNumber>) -> [PersonNumber] {
        var audience = [fact.person?.number, fact.other?.number].compactMap(\.self)
        if fact.type == .pingMoved, let person = audience.first {
            audience += people.friends(of: person).numbers
        } else if let group = fact.subject.flatMap({ people.groups.number(of: GroupID($0)) }) {
            audience += people.groups[group].map { [PersonNumber]($0.members.keys) } ?? []
        }
        Effort.count(audience.count)
        return audience.filter(waiting.contains)
    }

    /// Those of some people whom it concerns that somebody moved between two stored positions: who may be shown it exactly.
    func audience(ofMoveOf person: PersonNumber, among waiting: Set<PersonNumber>) -> [PersonNumber] {
        let friends = people.friends(of: person)
        Effort.count(5 + min(friends.count, waiting.count))
        let concerned =
            friends.count < waiting.count
            ? friends.numbers.filter(waiting.contains) : waiting.filter(friends.contains)
        return concerned.filter { mayFollow(person, $0) } + (waiting.contains(person) ? [person] : [])
    }

    /// Whether somebody follows a person from one position to the next that is not stored: the person, and friends of whom both
    /// chose to share exactly.
    func mayFollow(_ person: PersonNumber, _ viewer: PersonNumber) -> Bool {
        person == viewer
            || people.isKnown(person, to: viewer)
                && [person, viewer].allSatisfy { people.record(of: $0)?.value.sharing.precision == .exact }
    }

    /// The people whom somebody follows so.
    ///
    /// - Complexity: O(friends).
    func followed(by viewer: PersonNumber) -> Set<PersonNumber> {
        let friends = people.friends(of: viewer).numbers
        Effort.count(friends.count)
        return Set(friends.filter { mayFollow($0, viewer) } + [viewer])
    }

    /// Where an event is told to be: where the person is shown, or the place that it is about; nil for nowhere.
    func place(of fact: Fact, _ position: Position?) -> Coordinate? {
        guard fact.type != .pingMoved else { return position?.place }
        guard fact.type.isOfCatalogue, let id = fact.subject else { return nil }
        return (try? place(PlaceID(id)))?.value.coordinate
    }

    /// Whether what is shown of a person is reported to a viewer.
    ///
    /// Who is being deleted is like somebody who blocked the viewer: who looks is told that they are nowhere any more,
    /// once the friendship has ended.
    ///
    /// - Parameters:
    ///   - position: what is shown now; nil for nothing.
    ///   - person: who is shown.
    ///   - viewer: to whom.
    ///   - before: what was reported.
    ///   - look: when all who are shown were looked at; nil for now, whether there was an event or not.
    /// - Returns: whether it is reported.
    func isReportable(
        _ position: Position?, of person: PersonNumber, to viewer: PersonNumber, after before: Position?,
        lookedAt look: Timestamp?
    ) -> Bool {
        if person == viewer { return true }
        if people.isLeaving(person) { return look == nil && !people.isFriend(person, of: viewer) }
        guard let look else { return true }
        return isReportable(position, of: person, after: before, lookedAt: look)
    }

    /// Whether a position that is shown of a person is reported when there was an event of the person, or only when a reader looks
    /// next.
    ///
    /// Time hides people, and makes their places coarser. That is seen by who looks, and not from the next event after it: else a
    /// follower would learn that somebody moved who shows nothing.
    ///
    /// - Parameters:
    ///   - position: what is shown now; nil for nothing.
    ///   - person: who is shown.
    ///   - before: what was reported.
    ///   - look: when all who are shown were looked at. What the person chose since is reported at once.
    /// - Returns: whether it is reported at an event.
    func isReportable(
        _ position: Position?, of person: PersonNumber, after before: Position?, lookedAt look: Timestamp
    ) -> Bool {
        let (now, before) = (position?.precision ?? .hidden, before?.precision ?? .hidden)
        return now <= before || people.sharing(of: person, at: look) > before
    }
}
