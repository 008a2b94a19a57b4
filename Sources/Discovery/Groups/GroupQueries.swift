internal import Geo
public import Model
internal import Structures

/// A group as somebody may know it.
public struct GroupView: Sendable {
    /// The document.
    public var record: Versioned<Group>
    /// Whether the owner may be named: to the owner and to services.
    ///
    /// Others cannot be told, for an owner who is not named to one of them only would be one who has blocked that one.
    public var tellsOwner: Bool
    /// Whether nobody has changed it since it was made.
    public var isAsMade: Bool
}

/// A group of a person.
public struct OwnGroup: Sendable {
    /// The group.
    public var group: GroupView
    /// How many members the person may know of, themselves included.
    public var members: Int
    /// Since when the person is a member.
    public var since: Timestamp
}

/// An invitation to a group.
public struct GroupInvitation: Sendable {
    /// The group, of which only name and picture are shown.
    public var group: Group
    /// The friend who sent it, as friends are shown.
    public var inviter: Person
    /// When it was sent.
    public var time: Timestamp
}

extension Live {
    /// The groups of a person, by id.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``, or `CancellationError`.
    public func groups(of id: PersonID) async throws -> [OwnGroup] {
        let (number, groups) = try read { picture throws(Refusal) in
            guard let number = picture.people.number(of: id) else { throw .unknown(.person, id.any) }
            return (number, picture.people.groups.joined(by: number))
        }
        return try await read(each: groups, costing: 4 * Groups.mostMembers) { $0.ownGroup($1, of: number, id) }
            .sorted { $0.group.record.value.id < $1.group.record.value.id }
    }

    /// The invitations of a person, by the ids of the groups.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``, or `CancellationError`.
    public func invitations(of id: PersonID) async throws -> [GroupInvitation] {
        let (number, groups) = try read { picture throws(Refusal) in
            guard let number = picture.people.number(of: id) else { throw .unknown(.person, id.any) }
            return (number, picture.people.groups.inviting(number))
        }
        return try await read(each: groups, costing: 10) { $0.invitation(to: $1, of: number) }
            .sorted { $0.group.id < $1.group.id }
    }
}

/// What callers may know of groups. To be a member together shows no more of each other than strangers see.
extension Picture {
    /// A group.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``, also when the caller is no member.
    public func group(_ id: GroupID, knownTo caller: Caller) throws(Refusal) -> GroupView {
        view(of: try group(id, for: caller), for: caller)
    }

    /// A group that the caller may change.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``, also when the caller is no member; ``Refusal/notOwner``.
    public func group(_ id: GroupID, changedBy caller: Caller) throws(Refusal) -> Versioned<Group> {
        try ownedGroup(id, by: caller).record
    }

    /// A group of a person; nil when they are no member any more.
    fileprivate func ownGroup(_ group: GroupNumber, of number: PersonNumber, _ id: PersonID) -> OwnGroup? {
        guard let entry = people.groups[group], let since = entry.members[number] else { return nil }
        let members = entry.members.keys.count { people.mayKnow(number, of: $0) }
        return OwnGroup(group: view(of: entry, for: .person(id)), members: members, since: since)
    }

    /// An invitation of a person; nil when it is over.
    fileprivate func invitation(to group: GroupNumber, of number: PersonNumber) -> GroupInvitation? {
        guard let entry = people.groups[group], let invitation = entry.invitations[number],
            let inviter = people.record(of: invitation.by)?.value
        else { return nil }
        return GroupInvitation(group: entry.group, inviter: inviter.shown(to: .friend), time: invitation.at)
    }

    /// The members of a group whom the caller may know of, by id: name and city, and of friends what friends see.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``, also when the caller is no member.
    public func members(of id: GroupID, for caller: Caller) throws(Refusal) -> [Person] {
        shown(try group(id, for: caller).members.keys, to: caller)
    }

    /// Who is invited to a group, by id, as far as the caller is concerned: a member sees those whom they invited, the owner all.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``, also when the caller is no member.
    public func invited(to id: GroupID, for caller: Caller) throws(Refusal) -> [Person] {
        let entry = try group(id, for: caller)
        return shown(
            entry.invitations.filter { knows($0.value, of: $0.key, to: entry, caller) }.keys, to: caller)
    }

    private func shown(_ numbers: some Sequence<PersonNumber>, to caller: Caller) -> [Person] {
        let viewer = number(calling: caller)
        Effort.count(Groups.mostMembers * Self.stepsOfMember)
        return numbers.compactMap { number -> Person? in
            guard let person = people.record(of: number)?.value else { return nil }
            guard let viewer else { return person }
            guard people.mayKnow(viewer, of: number) else { return nil }
            let isKnown = viewer == number || people.isFriend(number, of: viewer)
            return person.shown(to: isKnown ? .friend : .stranger)
        }.sorted { $0.id < $1.id }
    }

    /// What it costs to show a member.
    private static var stepsOfMember: Int { 15 }

    // MARK: - Who knows of what

    private func view(of entry: Groups.Entry, for caller: Caller) -> GroupView {
        // Its founder became a member when it was made; without the founder the owner was changed.
        let made = entry.members.values.min()
        return GroupView(
            record: entry.record, tellsOwner: caller.mayAct(for: entry.group.owner),
            isAsMade: entry.record.revision == made?.milliseconds)
    }

    /// A group of which the caller is a member, or any for a service.
    func group(_ id: GroupID, for caller: Caller) throws(Refusal) -> Groups.Entry {
        guard let number = people.groups.number(of: id), let entry = people.groups[number],
            caller == .service || self.number(calling: caller).map({ entry.members[$0] != nil }) ?? false
        else { throw .unknown(.group, id.any) }
        return entry
    }

    /// A group that the caller may change.
    func ownedGroup(_ id: GroupID, by caller: Caller) throws(Refusal) -> Groups.Entry {
        let entry = try group(id, for: caller)
        guard caller.mayAct(for: entry.group.owner) else { throw .notOwner }
        return entry
    }

    /// Whether a member may know of an invitation and take it back.
    func knows(_ invitation: Groups.Invitation, of person: PersonNumber, to entry: Groups.Entry, _ caller: Caller)
        -> Bool
    {
        guard let viewer = number(calling: caller) else { return caller == .service }
        return mayKnow(viewer, of: invitation, to: person)
            && (invitation.by == viewer || caller.mayAct(for: entry.group.owner))
    }

    /// Whether a person may know of both whom an invitation names.
    private func mayKnow(_ viewer: PersonNumber, of invitation: Groups.Invitation, to person: PersonNumber) -> Bool {
        people.mayKnow(viewer, of: person) && people.mayKnow(viewer, of: invitation.by)
    }

    /// Refuses one more to a group that is full as far as the inviter may know.
    ///
    /// There is as much room again for people of whom the inviter may not know. An attacker who fills that with
    /// accounts of their own sees by those accounts who else is a member.
    func refuseOneMore(in entry: Groups.Entry, by inviter: PersonNumber) throws(Refusal) {
        let known =
            entry.members.keys.count { people.mayKnow(inviter, of: $0) }
            + entry.invitations.count { mayKnow(inviter, of: $0.value, to: $0.key) }
        guard known < Groups.mostMembers, entry.members.count + entry.invitations.count < 2 * Groups.mostMembers else {
            throw .tooManyMembers(Groups.mostMembers)
        }
    }

    /// The number of a caller who is a person; nil for a service, and for a person who is not known.
    func number(calling caller: Caller) -> PersonNumber? { caller.person.flatMap { people.number(of: $0) } }
}

extension Caller {
    /// The person who calls; nil for a service.
    package var person: PersonID? {
        switch self {
        case .service: nil
        case .person(let id): id
        }
    }
}
