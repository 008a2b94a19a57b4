internal import Geo
public import Model
internal import Structures

/// A group as shown to a caller.
public struct GroupView: Sendable {
    /// The document.
    public var record: Versioned<Group>
    /// Whether the owner is shown, which is so for the owner and for services.
    ///
    /// Other members never see the owner: an owner hidden from one member only would be known to block that member.
    public var showsOwner: Bool
    /// Whether it is unchanged since its creation.
    public var isAsMade: Bool
}

/// A person's membership in a group.
public struct OwnGroup: Sendable {
    /// The group.
    public var group: GroupView
    /// The number of members visible to the person, themselves included.
    public var members: Int
    /// When the person joined.
    public var since: Timestamp
}

/// An invitation to a group.
public struct GroupInvitation: Sendable {
    /// The group, of which only name and photo are shown.
    public var group: Group
    /// The friend who sent it, in the view for friends.
    public var inviter: Person
    /// When it was sent.
    public var time: Timestamp
}

extension Engine {
    /// Returns a person's groups, by id.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``, or `CancellationError`.
    public func groups(of id: PersonID) async throws -> [OwnGroup] {
        let (number, groups) = try read { state throws(Refusal) in
            guard let number = state.people.number(of: id) else { throw .unknown(.person, id.any) }
            return (number, state.people.groups.joined(by: number))
        }
        return try await read(each: groups, costing: 4 * Groups.mostMembers) { $0.ownGroup($1, of: number, id) }
            .sorted { $0.group.record.value.id < $1.group.record.value.id }
    }

    /// Returns a person's invitations, by group id.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``, or `CancellationError`.
    public func invitations(of id: PersonID) async throws -> [GroupInvitation] {
        let (number, groups) = try read { state throws(Refusal) in
            guard let number = state.people.number(of: id) else { throw .unknown(.person, id.any) }
            return (number, state.people.groups.inviting(number))
        }
        return try await read(each: groups, costing: 10) { $0.invitation(to: $1, of: number) }
            .sorted { $0.group.id < $1.group.id }
    }
}

/// Visibility of groups; being members of the same group shows no more of each other than strangers see.
extension LiveState {
    /// Returns a group as shown to a caller.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``, also if the caller is not a member.
    public func group(_ id: GroupID, knownTo caller: Caller) throws(Refusal) -> GroupView {
        view(of: try group(id, for: caller), for: caller)
    }

    /// Returns a group that the caller may change.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``, also if the caller is not a member; ``Refusal/notOwner``.
    public func group(_ id: GroupID, changedBy caller: Caller) throws(Refusal) -> Versioned<Group> {
        try ownedGroup(id, by: caller).record
    }

    /// A person's group; nil if they are not a member any longer.
    fileprivate func ownGroup(_ group: GroupNumber, of number: PersonNumber, _ id: PersonID) -> OwnGroup? {
        guard let entry = people.groups[group], let since = entry.members[number] else { return nil }
        let members = entry.members.keys.count { people.mayKnow(number, of: $0) }
        return OwnGroup(group: view(of: entry, for: .person(id)), members: members, since: since)
    }

    /// A person's invitation; nil if it ended or its inviter is gone.
    fileprivate func invitation(to group: GroupNumber, of number: PersonNumber) -> GroupInvitation? {
        guard let entry = people.groups[group], let invitation = entry.invitations[number],
            let inviter = people.record(of: invitation.by)?.value
        else { return nil }
        return GroupInvitation(group: entry.group, inviter: inviter.shown(to: .friend), time: invitation.at)
    }

    /// Returns the group members visible to the caller, by id: name and city, and the friends' view of friends.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``, also if the caller is not a member.
    public func members(of id: GroupID, for caller: Caller) throws(Refusal) -> [Person] {
        shown(try group(id, for: caller).members.keys, to: caller)
    }

    /// Returns the invited people by id: to a member their own invitees, to the owner all.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``, also if the caller is not a member.
    public func invited(to id: GroupID, for caller: Caller) throws(Refusal) -> [Person] {
        let entry = try group(id, for: caller)
        return shown(
            entry.invitations.filter { knows($0.value, of: $0.key, to: entry, caller) }.keys, to: caller)
    }

    private func shown(_ numbers: some Sequence<PersonNumber>, to caller: Caller) -> [Person] {
        let viewer = number(calling: caller)
        WorkBudget.count(Groups.mostMembers * Self.stepsOfMember)
        return numbers.compactMap { number -> Person? in
            guard let person = people.record(of: number)?.value else { return nil }
            guard let viewer else { return person }
            guard people.mayKnow(viewer, of: number) else { return nil }
            let isKnown = viewer == number || people.isFriend(number, of: viewer)
            return person.shown(to: isKnown ? .friend : .stranger)
        }.sorted { $0.id < $1.id }
    }

    private static var stepsOfMember: Int { 15 }

    // MARK: - Visibility

    private func view(of entry: Groups.Entry, for caller: Caller) -> GroupView {
        // The founder joined at the creation; after the founder left, the owner was changed.
        let made = entry.members.values.min()
        return GroupView(
            record: entry.record, showsOwner: caller.mayAct(for: entry.group.owner),
            isAsMade: entry.record.revision == made?.milliseconds)
    }

    /// Returns a group of which the caller is a member, or any group for a service.
    func group(_ id: GroupID, for caller: Caller) throws(Refusal) -> Groups.Entry {
        guard let number = people.groups.number(of: id), let entry = people.groups[number],
            caller == .service || self.number(calling: caller).map({ entry.members[$0] != nil }) ?? false
        else { throw .unknown(.group, id.any) }
        return entry
    }

    /// Returns a group that the caller may change.
    func ownedGroup(_ id: GroupID, by caller: Caller) throws(Refusal) -> Groups.Entry {
        let entry = try group(id, for: caller)
        guard caller.mayAct(for: entry.group.owner) else { throw .notOwner }
        return entry
    }

    /// Whether a member may see and withdraw an invitation.
    func knows(_ invitation: Groups.Invitation, of person: PersonNumber, to entry: Groups.Entry, _ caller: Caller)
        -> Bool
    {
        guard let viewer = number(calling: caller) else { return caller == .service }
        return mayKnow(viewer, of: invitation, to: person)
            && (invitation.by == viewer || caller.mayAct(for: entry.group.owner))
    }

    /// Whether an inviter and an invitee are both visible to a person.
    private func mayKnow(_ viewer: PersonNumber, of invitation: Groups.Invitation, to person: PersonNumber) -> Bool {
        people.mayKnow(viewer, of: person) && people.mayKnow(viewer, of: invitation.by)
    }

    /// Refuses another member if the group is full, counting the people visible to the inviter.
    ///
    /// People hidden from the inviter may take as many places again. An attacker who fills those with their own
    /// accounts sees the other members from those accounts.
    func refuseOneMore(in entry: Groups.Entry, by inviter: PersonNumber) throws(Refusal) {
        let known =
            entry.members.keys.count { people.mayKnow(inviter, of: $0) }
            + entry.invitations.count { mayKnow(inviter, of: $0.value, to: $0.key) }
        guard known < Groups.mostMembers, entry.members.count + entry.invitations.count < 2 * Groups.mostMembers else {
            throw .tooManyMembers(Groups.mostMembers)
        }
    }

    /// The caller's person number; nil for a service or an unknown person.
    func number(calling caller: Caller) -> PersonNumber? { caller.person.flatMap { people.number(of: $0) } }
}

extension Caller {
    /// The calling person; nil for a service.
    package var person: PersonID? {
        switch self {
        case .service: nil
        case .person(let id): id
        }
    }
}
