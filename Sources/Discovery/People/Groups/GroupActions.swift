public import Model

/// An action on a group.
///
/// A caller who is not a member gets ``Refusal/unknown(_:_:)``, whether or not the group exists.
public protocol GroupAction: Action {}

extension GroupAction {
    /// A writer turn, because the departure of a member may cause many changes.
    public var weight: Int { Engine.turnWeight }
}

/// Creates a group, whose owner is its first member.
public struct CreateGroup: GroupAction {
    let group: Group
    /// nil in logs of earlier versions.
    private let beginning: String?

    /// A group with a new id.
    ///
    /// - Parameters:
    ///   - group: the document.
    ///   - beginning: the id prefix of groups made by the same request. No other group is created while the owner
    ///     belongs to one of them.
    public init(_ group: Group, unlessOwnBegins beginning: String? = nil) {
        (self.group, self.beginning) = (group, beginning)
    }

    /// - Returns: the revision of the document.
    public func apply(to draft: inout Draft) throws -> Written {
        let owner = try draft.number(of: group.owner)
        try draft.refuseSameGroup(as: group.id, beginning, of: owner)
        try draft.refuseOneMoreGroup(of: owner)
        let number = draft.state.people.groups.nextNumber
        let record = Versioned(number: number, revision: draft.received.milliseconds, value: group)
        try draft.write([.groups(.put(record)), .groups(.joined(number, owner, at: draft.received))])
        return Written(isNew: true, revision: record.revision)
    }
}

/// Replaces the document of a group, which may transfer it to another member.
public struct ReplaceGroup: GroupAction {
    let write: Write<Group>

    /// The new document.
    public init(_ write: Write<Group>) { self.write = write }

    /// - Returns: the revision of the document.
    public func apply(to draft: inout Draft) throws -> Written {
        let entry = try draft.state.ownedGroup(write.value.id, by: draft.caller)
        let revision = try draft.revision(after: entry.record.revision, if: write.condition)
        guard write.value != entry.group else { return Written(isNew: false, revision: entry.record.revision) }
        if write.value.owner != entry.group.owner { _ = try draft.member(write.value.owner, of: entry) }
        let record = Versioned(number: entry.record.number, revision: revision, value: write.value)
        try draft.write(.groups(.put(record)))
        return Written(isNew: false, revision: revision)
    }
}

/// Deletes a group.
public struct DeleteGroup: GroupAction {
    let id: GroupID
    let condition: Condition

    /// The group with this id.
    public init(_ id: GroupID, if condition: Condition = .always) { (self.id, self.condition) = (id, condition) }

    /// Deletes the group, on behalf of its owner.
    public func apply(to draft: inout Draft) throws {
        let record = try draft.state.ownedGroup(id, by: draft.caller).record
        _ = try draft.revision(after: record.revision, if: condition)
        try draft.write(draft.state.ending(of: record.number))
    }
}

/// A person's relation to a group.
public enum MembershipState: String, Hashable, Sendable { case invited, member }

/// Invites a friend of a member to a group.
public struct Invite: GroupAction {
    let person: PersonID, group: GroupID
    let inviter: PersonID?

    /// The inviter defaults to the caller, or to the owner if the caller is a service.
    public init(_ person: PersonID, to group: GroupID, by inviter: PersonID? = nil) {
        (self.person, self.group, self.inviter) = (person, group, inviter)
    }

    /// - Returns: the friend's new state in the group.
    public func apply(to draft: inout Draft) throws -> MembershipState {
        let entry = try draft.state.group(group, for: draft.caller)
        let inviter = inviter ?? draft.caller.person ?? entry.group.owner
        guard draft.caller.mayAct(for: inviter) else { throw Refusal.notAllowed }
        guard let by = draft.state.people.number(of: inviter), entry.members[by] != nil else {
            throw Refusal.unknown(.member, inviter.any)
        }
        // A person who blocks the inviter, a stranger and an unknown id get the same answer.
        guard let other = draft.state.people.number(of: person), draft.state.people.isKnown(other, to: by) else {
            throw Refusal.unknown(.friend, person.any)
        }
        if entry.members[other] != nil { return .member }
        // An invitation by a member hidden from the inviter becomes the inviter's.
        if let known = entry.invitations[other], draft.state.people.mayKnow(by, of: known.by) { return .invited }
        try draft.state.refuseOneMore(in: entry, by: by)
        try draft.write(.groups(.invited(to: entry.record.number, other, by: by, at: draft.received)))
        return .invited
    }
}

/// Makes an invited person a member.
public struct AcceptInvitation: GroupAction {
    let person: PersonID, group: GroupID

    /// The person joins the group.
    public init(of person: PersonID, to group: GroupID) { (self.person, self.group) = (person, group) }

    /// - Returns: the person's new state in the group.
    public func apply(to draft: inout Draft) throws -> MembershipState {
        guard draft.caller.mayAct(for: person) else {
            _ = try draft.state.group(group, for: draft.caller)
            throw Refusal.notAllowed
        }
        if let known = draft.state.people.groups.number(of: group),
            let number = draft.state.people.number(of: person),
            draft.state.people.groups[known]?.members[number] != nil
        {
            return .member
        }
        let (known, number) = try draft.invitation(of: person, to: group)
        try draft.refuseOneMoreGroup(of: number)
        try draft.write(.groups(.joined(known, number, at: draft.received)))
        return .member
    }
}

/// Declines or withdraws an invitation.
public struct Uninvite: GroupAction {
    let person: PersonID, group: GroupID

    /// The invited person, and the group.
    public init(_ person: PersonID, from group: GroupID) { (self.person, self.group) = (person, group) }

    /// Removes the invitation, on behalf of the person, the inviter, the owner or a service.
    public func apply(to draft: inout Draft) throws {
        let (group, number) = try draft.invitation(of: person, to: group)
        try draft.write(.groups(.left(group, number)))
    }
}

/// Leaves a group, or removes a member.
public struct RemoveMember: GroupAction {
    let person: PersonID, group: GroupID

    /// The member, and the group.
    public init(_ person: PersonID, from group: GroupID) { (self.person, self.group) = (person, group) }

    /// Removes the membership, on behalf of the person or the owner.
    public func apply(to draft: inout Draft) throws {
        try draft.write(draft.departure(of: person, from: group))
    }
}

extension Draft {
    fileprivate func refuseSameGroup(
        as id: GroupID, _ beginning: String?, of owner: PersonNumber
    ) throws(Refusal) {
        if state.people.groups.number(of: id) != nil { throw .groupExists(id) }
        guard let beginning else { return }
        for number in state.people.groups.joined(by: owner) {
            guard let known = state.people.groups[number]?.group.id, known.text.hasPrefix(beginning) else { continue }
            throw .groupExists(known)
        }
    }

    fileprivate func refuseOneMoreGroup(of person: PersonNumber) throws(Refusal) {
        guard state.people.groups.joined(by: person).count < Groups.mostOfPerson else {
            throw .tooManyGroups(Groups.mostOfPerson)
        }
    }

    /// Returns the numbers of an invitation, on behalf of the person, the inviter, the owner or a service.
    fileprivate func invitation(of person: PersonID, to id: GroupID) throws(Refusal) -> (
        group: GroupNumber, person: PersonNumber
    ) {
        if let group = state.people.groups.number(of: id), let entry = state.people.groups[group],
            let number = state.people.number(of: person), let invitation = entry.invitations[number],
            caller.mayAct(for: person) || state.knows(invitation, of: number, to: entry, caller)
        {
            return (group, number)
        }
        _ = try state.group(id, for: caller)
        throw .unknown(.invitation, person.any)
    }

    /// Returns the number of a member whom the caller may remove: themselves, or a member visible to the owner.
    fileprivate func member(_ person: PersonID, of entry: Groups.Entry) throws(Refusal) -> PersonNumber {
        if !caller.mayAct(for: person) { _ = try state.ownedGroup(entry.group.id, by: caller) }
        guard let number = state.people.number(of: person), entry.members[number] != nil,
            state.number(calling: caller).map({ state.people.mayKnow($0, of: number) }) ?? true
        else { throw .unknown(.member, person.any) }
        return number
    }

    fileprivate func departure(of person: PersonID, from group: GroupID) throws(Refusal) -> [Change] {
        let entry = try state.group(group, for: caller)
        return state.departure(of: try member(person, of: entry), from: entry, received)
    }
}

extension LiveState {
    /// The changes when a member leaves: an owner gets an heir, the member's invitations become void, the member's
    /// proximity fence for the group is deleted, and an empty group ends.
    func departure(of person: PersonNumber, from entry: Groups.Entry, _ received: Timestamp) -> [Change] {
        let number = entry.record.number
        guard let heir = heir(to: person, in: entry).flatMap({ people[$0]?.person.id }) else {
            return ending(of: number)
        }
        var changes: [Change] = []
        if people[person]?.person.id == entry.group.owner {
            changes.append(.groups(.put(entry.record.changed(at: received) { $0.owner = heir })))
        }
        let fences = fences.near.around[person]?.numbers.filter { fence in
            self.fences[fence].map { $0.owner == person && $0.group == number } ?? false
        }
        changes += (fences ?? []).map { .fences(.deleted($0)) }
        let void = entry.invitations.filter { $0.value.by == person }.keys.sorted()
        return changes + ([person] + void).map { .groups(.left(number, $0)) }
    }

    /// The heir of a group: the longest-standing member, or a member blocked by all longer-standing ones; nil if none
    /// is left.
    ///
    /// A member blocked by all of those sees none of them, and would find the group without an owner. Other members see
    /// no difference, because owners are visible only to themselves.
    private func heir(to person: PersonNumber, in entry: Groups.Entry) -> PersonNumber? {
        let others = entry.members.filter { $0.key != person }
            .sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map { $0.key }
        return others.indices.last { index in
            others[..<index].allSatisfy { people.blocks($0, others[index]) }
        }.map { others[$0] }
    }
}
