public import Model

/// What is to be done with a group, of which the service knows the id.
public enum GroupAction: Sendable {
    /// Makes a group, whose owner is its first member.
    case create(Group)
    /// Replaces the document of a group, which may name another member as its owner.
    case replace(Write<Group>)
    /// Deletes a group.
    case delete(EntityID, Condition)
    /// Invites a friend of a member, who is the caller, or the owner where nobody is named.
    case invite(EntityID, to: EntityID, by: EntityID?)
    /// Makes a member of a person who is invited.
    case accept(EntityID, EntityID)
    /// Refuses an invitation, or withdraws one.
    case uninvite(EntityID, EntityID)
    /// Leaves a group, or sends a member away.
    case remove(EntityID, from: EntityID)
}

/// How somebody stands to a group.
public enum MembershipState: String, Hashable, Sendable { case invited, member }

extension Picture {
    /// What an action does to groups.
    ///
    /// Whoever is no member is told that there is no such group, whether there is one or not.
    func groupChange(_ action: GroupAction, _ command: Command) throws(Refusal) -> (outcome: Outcome, changes: [Change])
    {
        let (caller, received) = (command.caller, command.received)
        switch action {
        case .create(let group): return try create(group, caller, received)
        case .replace(let write): return try replace(write, caller, received)
        case .delete(let id, let condition):
            let entry = try ownedGroup(id, by: caller)
            _ = try Self.revision(of: entry.record.revision, condition, received)
            return (.done, [.group(.deleted(entry.record.number))])
        case .invite(let person, let id, let inviter): return try invite(person, id, inviter, caller, received)
        case .accept(let person, let id): return try accept(person, id, caller, received)
        case .uninvite(let person, let id):
            let (group, number) = try invitation(of: person, to: id, caller)
            return (.done, [.group(.left(group, number))])
        case .remove(let person, let id):
            let entry = try group(id, for: caller)
            let member = try self.member(person, of: entry, caller)
            return (.done, departure(of: member, from: entry, received).map { .group($0) })
        }
    }

    // MARK: - Groups

    private func create(_ group: Group, _ caller: Caller, _ received: Timestamp) throws(Refusal) -> (Outcome, [Change])
    {
        guard caller.mayAct(for: group.owner) else { throw .notAllowed }
        guard let owner = crowd.number(of: group.owner) else { throw .unknown(.person, group.owner) }
        guard crowd.groups.number(of: group.id) == nil else { throw .groupExists(group.id) }
        try refuseOneMore(of: owner)
        let record = Versioned(number: crowd.groups.nextNumber, revision: received.milliseconds, value: group)
        return (
            .written([.success(Written(isNew: true, revision: record.revision))]),
            [.group(.put(record)), .group(.joined(record.number, owner, at: received))]
        )
    }

    private func replace(
        _ write: Write<Group>, _ caller: Caller, _ received: Timestamp
    ) throws(Refusal) -> (Outcome, [Change]) {
        let entry = try ownedGroup(write.value.id, by: caller)
        let revision = try Self.revision(of: entry.record.revision, write.condition, received)
        guard write.value != entry.group else {
            return (.written([.success(Written(isNew: false, revision: entry.record.revision))]), [])
        }
        if write.value.owner != entry.group.owner { _ = try member(write.value.owner, of: entry, caller) }
        let record = Versioned(number: entry.record.number, revision: revision, value: write.value)
        return (.written([.success(Written(isNew: false, revision: revision))]), [.group(.put(record))])
    }

    private func refuseOneMore(of person: Int32) throws(Refusal) {
        guard crowd.groups.joined(by: person).count < Groups.mostOfPerson else {
            throw .tooManyGroups(Groups.mostOfPerson)
        }
    }

    // MARK: - Members

    private func invite(
        _ person: EntityID, _ id: EntityID, _ named: EntityID?, _ caller: Caller, _ received: Timestamp
    ) throws(Refusal) -> (Outcome, [Change]) {
        let entry = try group(id, for: caller)
        let inviter = named ?? caller.person ?? entry.group.owner
        guard caller.mayAct(for: inviter) else { throw .notAllowed }
        guard let by = crowd.number(of: inviter), entry.members[by] != nil else { throw .unknown(.member, inviter) }
        // Who blocks the inviter, is a stranger, or is nobody: all answered alike.
        guard let other = crowd.number(of: person), crowd.isKnown(other, to: by) else {
            throw .unknown(.friend, person)
        }
        if entry.members[other] != nil { return (.membership(.member), []) }
        if entry.invitations[other] != nil { return (.membership(.invited), []) }
        guard entry.members.count + entry.invitations.count < Groups.mostMembers else {
            throw .tooManyMembers(Groups.mostMembers)
        }
        return (.membership(.invited), [.group(.invited(to: entry.record.number, other, by: by, at: received))])
    }

    private func accept(
        _ person: EntityID, _ id: EntityID, _ caller: Caller, _ received: Timestamp
    ) throws(Refusal) -> (Outcome, [Change]) {
        guard caller.mayAct(for: person) else {
            _ = try group(id, for: caller)
            throw .notAllowed
        }
        if let group = crowd.groups.number(of: id), let number = crowd.number(of: person),
            crowd.groups[group]?.members[number] != nil
        {
            return (.membership(.member), [])
        }
        let (group, number) = try invitation(of: person, to: id, caller)
        try refuseOneMore(of: number)
        return (.membership(.member), [.group(.joined(group, number, at: received))])
    }

    /// The group to which a person is invited, for the person, whoever invited them, the owner, or a service.
    private func invitation(of person: EntityID, to id: EntityID, _ caller: Caller) throws(Refusal) -> (
        group: Int32, person: Int32
    ) {
        if let group = crowd.groups.number(of: id), let entry = crowd.groups[group],
            let number = crowd.number(of: person), let invitation = entry.invitations[number],
            caller.mayAct(for: person) || knows(invitation, of: number, to: entry, caller)
        {
            return (group, number)
        }
        _ = try group(id, for: caller)
        throw .unknown(.invitation, person)
    }

    /// A member of a group whom the caller may send away: themselves, or anybody the owner knows of.
    private func member(_ person: EntityID, of entry: Groups.Entry, _ caller: Caller) throws(Refusal) -> Int32 {
        if !caller.mayAct(for: person) { _ = try ownedGroup(entry.group.id, by: caller) }
        guard let number = crowd.number(of: person), entry.members[number] != nil,
            self.number(calling: caller).map({ !crowd.isSeparated($0, number) }) ?? true
        else { throw .unknown(.member, person) }
        return number
    }

    /// What changes when a member goes: the one of longest standing takes over from an owner, what the member invited is void,
    /// and a group of nobody is gone.
    func departure(of person: Int32, from entry: Groups.Entry, _ received: Timestamp) -> [GroupChange] {
        let number = entry.record.number
        guard let heir = entry.eldest(but: person).flatMap({ crowd[$0]?.person.id }) else { return [.deleted(number)] }
        var changes: [GroupChange] = []
        if crowd[person]?.person.id == entry.group.owner {
            var record = entry.record
            record.value.owner = heir
            record.revision = max(record.revision + 1, received.milliseconds)
            changes.append(.put(record))
        }
        let void = entry.invitations.filter { $0.value.by == person }.keys.sorted()
        return changes + ([person] + void).map { .left(number, $0) }
    }
}
