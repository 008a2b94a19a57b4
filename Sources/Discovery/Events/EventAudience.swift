internal import Geo
internal import Model

/// Visibility of events.
extension LiveState {
    /// Whether a person may see an event: only if they could query what it reports.
    func mayReport(_ payload: EventPayload, to viewer: PersonNumber, at now: Timestamp) -> Bool {
        let participants = [payload.person?.number, payload.other?.number].compactMap(\.self)
        if payload.type == .pingMoved {
            return participants.contains { $0 == viewer || people.isKnown($0, to: viewer) }
        }
        let isOwn = participants.contains(viewer)
        // The end of a friendship is visible, also after a block, because the list of friends shows it too.
        if isOwn, payload.type.isEnd { return true }
        guard !participants.contains(where: { people.isSeparated($0, viewer) || people.isLeaving($0) }) else {
            return false
        }
        if payload.isForOwner { return isOwner(viewer, of: payload.subject) }
        // A deletion reveals no more than a block does.
        if payload.isOfDeletion { return false }
        switch payload.type {
        // A fence is visible to its owner only; a fence without an owner belongs to a service.
        case .fenceEnter, .fenceExit, .fenceDwell, .fenceSilent:
            return payload.other?.number == viewer && mayStillReport(payload, to: viewer, at: now)
        // Visible to the person who caused the omitted events, except events of services' fences.
        case .eventsLimited: return payload.subject == nil && payload.person?.number == viewer
        // The asker must not learn whether the friend wants to be asked.
        case .fenceAsked: return payload.other?.number == viewer
        case .nearEnter, .nearExit:
            return payload.precision != nil && payload.person?.number == viewer
                && mayStillReport(payload, to: viewer, at: now)
        case .groupChanged, .groupJoined, .groupLeft: return isOwn || isMember(viewer, of: payload.subject)
        default: return isOwn || payload.type.isOfCatalogue
        }
    }

    /// Whether a person may still see the others as exactly as when the fence transition was detected.
    private func mayStillReport(_ payload: EventPayload, to viewer: PersonNumber, at now: Timestamp) -> Bool {
        guard let precision = payload.precision else { return true }
        return [payload.person, payload.other].allSatisfy { one in
            one.map { $0.number == viewer || agreed($0.number, viewer, at: now) <= precision } ?? true
        }
    }

    /// Whether all people whom an event names still exist.
    func knowsAll(in payload: EventPayload) -> Bool {
        [payload.person, payload.other].allSatisfy { one in one.map { people.record(of: $0.number) != nil } ?? true }
    }

    private func isMember(_ person: PersonNumber, of group: AnyID?) -> Bool {
        guard let number = group.flatMap({ people.groups.number(of: GroupID($0)) }) else { return false }
        return people.groups[number]?.members[person] != nil
    }

    private func isOwner(_ person: PersonNumber, of group: AnyID?) -> Bool {
        guard let number = group.flatMap({ people.groups.number(of: GroupID($0)) }) else { return false }
        return people.groups[number].map { $0.group.owner == people.record(of: person)?.value.id } ?? false
    }

    /// The candidates whom an event may concern.
    ///
    /// - Complexity: O(friends of the person concerned, or members of the group).
    func audience(of payload: EventPayload, among waiting: Set<PersonNumber>) -> [PersonNumber] {
        var audience = [payload.person?.number, payload.other?.number].compactMap(\.self)
        if payload.type == .pingMoved, let person = audience.first {
            audience += people.friends(of: person).numbers
        } else if let group = payload.subject.flatMap({ people.groups.number(of: GroupID($0)) }) {
            audience += people.groups[group].map { [PersonNumber]($0.members.keys) } ?? []
        }
        WorkBudget.count(audience.count)
        return audience.filter(waiting.contains)
    }

    /// The candidates who may see a person's position exactly, and so its updates between two stored positions.
    func audience(ofMoveOf person: PersonNumber, among waiting: Set<PersonNumber>) -> [PersonNumber] {
        let friends = people.friends(of: person)
        WorkBudget.count(5 + min(friends.count, waiting.count))
        let concerned =
            friends.count < waiting.count
            ? friends.numbers.filter(waiting.contains) : waiting.filter(friends.contains)
        return concerned.filter { mayFollow(person, $0) } + (waiting.contains(person) ? [person] : [])
    }

    /// Whether a viewer sees a person's positions that are not stored: the person does, and friends if both share
    /// exactly.
    func mayFollow(_ person: PersonNumber, _ viewer: PersonNumber) -> Bool {
        person == viewer
            || people.isKnown(person, to: viewer)
                && [person, viewer].allSatisfy { people.record(of: $0)?.value.sharing.precision == .exact }
    }

    /// The people among those who moved whose positions that are not stored the viewer sees.
    ///
    /// - Complexity: O(friends), or O(`moved`) if these are fewer.
    func followed(by viewer: PersonNumber, among moved: Set<PersonNumber>) -> Set<PersonNumber> {
        let friends = people.friends(of: viewer)
        WorkBudget.count(min(friends.count, moved.count))
        let known =
            friends.count < moved.count ? friends.numbers.filter(moved.contains) : moved.filter(friends.contains)
        return Set(known.filter { mayFollow($0, viewer) } + (moved.contains(viewer) ? [viewer] : []))
    }

    /// The place of an event: the person's visible position, or the place that it is about; nil if it has none.
    func place(of payload: EventPayload, _ position: Position?) -> Coordinate? {
        guard payload.type != .pingMoved else { return position?.place }
        guard payload.type.isOfCatalogue, let id = payload.subject else { return nil }
        return (try? place(PlaceID(id)))?.value.coordinate
    }

    /// Whether a change of a person's visible position is reported to a viewer.
    ///
    /// A person who is being deleted looks like one who blocked the viewer: a poll reports that they have no position
    /// any longer, once the friendship has ended.
    ///
    /// - Parameters:
    ///   - position: the visible position now; nil for none.
    ///   - person: the person whose position it is.
    ///   - viewer: the subscriber.
    ///   - before: the position reported last.
    ///   - look: when all visible positions were last polled; nil during a poll, which needs no event.
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

    /// Whether a change of a person's visible position is reported at the person's event, or only at the next poll.
    ///
    /// Positions become hidden or coarser over time. Only a poll reports that, never the next event. Otherwise a
    /// subscriber would learn that a person moved who shows nothing.
    ///
    /// - Parameters:
    ///   - position: the visible position now; nil for none.
    ///   - person: the person whose position it is.
    ///   - before: the position reported last.
    ///   - look: when all visible positions were last polled. Later changes of the person's settings are reported at
    ///     once.
    /// - Returns: whether it is reported at an event.
    func isReportable(
        _ position: Position?, of person: PersonNumber, after before: Position?, lookedAt look: Timestamp
    ) -> Bool {
        let (now, before) = (position?.precision ?? .hidden, before?.precision ?? .hidden)
        return now <= before || people.sharing(of: person, at: look) > before
    }
}
