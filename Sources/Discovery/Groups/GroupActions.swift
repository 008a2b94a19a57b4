public import Model

/// Something that is to be done with a group, of which the service knows the id.
///
/// Whoever is no member is told that there is no such group, whether there is one or not.
public protocol GroupAction: Action {}

extension GroupAction {
    /// A turn: when a member goes much may change.
    public var weight: Int { Live.turn }
}

/// Makes a group, whose owner is its first member.
public struct CreateGroup: GroupAction {
    let group: Group
    /// Logs of earlier programs do not have it.
    private let beginning: String?

    /// A group with an id that no other has.
    ///
    /// - Parameters:
    ///   - group: the document.
    ///   - beginning: how the ids of groups begin that the same request made. It makes no other while the owner belongs
    ///     to one of them.
    public init(_ group: Group, unlessOwnBegins beginning: String? = nil) {
        (self.group, self.beginning) = (group, beginning)
    }

    /// - Returns: the revision of the document.
    public func carryOut(on draft: inout Draft) throws -> Written {
        let owner = try draft.number(of: group.owner)
        try draft.refuseSameGroup(as: group.id, beginning, of: owner)
        try draft.refuseOneMoreGroup(of: owner)
        let number = draft.picture.people.groups.nextNumber
        let record = Versioned(number: number, revision: draft.received.milliseconds, value: group)
        try draft.follow([.groups(.put(record)), .groups(.joined(number, owner, at: draft.received))])
        return Written(isNew: true, revision: record.revision)
    }
}

/// Replaces the document of a group, which may name another member as its owner.
public struct ReplaceGroup: GroupAction {
    let write: Write<Group>

    /// The document as it is to be.
    public init(_ write: Write<Group>) { self.write = write }

    /// - Returns: the revision of the document.
    public func carryOut(on draft: inout Draft) throws -> Written {
        let entry = try draft.picture.ownedGroup(write.value.id, by: draft.caller)
        let revision = try draft.revision(after: entry.record.revision, if: write.condition)
        guard write.value != entry.group else { return Written(isNew: false, revision: entry.record.revision) }
        if write.value.owner != entry.group.owner { _ = try draft.member(write.value.owner, of: entry) }
        let record = Versioned(number: entry.record.number, revision: revision, value: write.value)
        try draft.follow(.groups(.put(record)))
        return Written(isNew: false, revision: revision)
    }
}

/// Deletes a group.
public struct DeleteGroup: GroupAction {
    let id: GroupID
    let condition: Condition

    /// The group of this id.
    public init(_ id: GroupID, if condition: Condition = .always) { (self.id, self.condition) = (id, condition) }

    /// For its owner.
    public func carryOut(on draft: inout Draft) throws {
        let record = try draft.picture.ownedGroup(id, by: draft.caller).record
        _ = try draft.revision(after: record.revision, if: condition)
        try draft.follow(draft.picture.ending(of: record.number))
    }
}

/// How somebody stands to a group.
public enum MembershipState: String, Hashable, Sendable { case invited, member }

/// Invites a friend of a member to a group.
public struct Invite: GroupAction {
    let person: PersonID, group: GroupID
    let inviter: PersonID?

    /// The member who invites is the caller where nobody is named, or the owner where the caller is a service.
    public init(_ person: PersonID, to group: GroupID, by inviter: PersonID? = nil) {
        (self.person, self.group, self.inviter) = (person, group, inviter)
    }

    /// - Returns: how the friend stands to the group now.
    public func carryOut(on draft: inout Draft) throws -> MembershipState {
        let entry = try draft.picture.group(group, for: draft.caller)
        let inviter = inviter ?? draft.caller.person ?? entry.group.owner
        guard draft.caller.mayAct(for: inviter) else { throw Refusal.notAllowed }
        guard let by = draft.picture.people.number(of: inviter), entry.members[by] != nil else {
            throw Refusal.unknown(.member, inviter.any)
        }
        // Who blocks the inviter, is a stranger, or is nobody: all answered alike.
        guard let other = draft.picture.people.number(of: person), draft.picture.people.isKnown(other, to: by) else {
            throw Refusal.unknown(.friend, person.any)
        }
        if entry.members[other] != nil { return .member }
        // An invitation of which the inviter may not know becomes the inviter's.
        if let known = entry.invitations[other], draft.picture.people.mayKnow(by, of: known.by) { return .invited }
        try draft.picture.refuseOneMore(in: entry, by: by)
        try draft.follow(.groups(.invited(to: entry.record.number, other, by: by, at: draft.received)))
        return .invited
    }
}

/// Makes a member of a person who is invited.
public struct AcceptInvitation: GroupAction {
    let person: PersonID, group: GroupID

    /// The person comes into the group.
    public init(of person: PersonID, to group: GroupID) { (self.person, self.group) = (person, group) }

    /// - Returns: how the person stands to the group now.
    public func carryOut(on draft: inout Draft) throws -> MembershipState {
        guard draft.caller.mayAct(for: person) else {
            _ = try draft.picture.group(group, for: draft.caller)
            throw Refusal.notAllowed
        }
        if let known = draft.picture.people.groups.number(of: group),
            let number = draft.picture.people.number(of: person),
            draft.picture.people.groups[known]?.members[number] != nil
        {
            return .member
        }
        let (known, number) = try draft.invitation(of: person, to: group)
        try draft.refuseOneMoreGroup(of: number)
        try draft.follow(.groups(.joined(known, number, at: draft.received)))
        return .member
    }
}

/// Refuses an invitation, or withdraws one.
public struct Uninvite: GroupAction {
    let person: PersonID, group: GroupID

    /// The person is not to come into the group.
    public init(_ person: PersonID, from group: GroupID) { (self.person, self.group) = (person, group) }

    /// For the person, whoever invited them, the owner, or a service.
    public func carryOut(on draft: inout Draft) throws {
        let (group, number) = try draft.invitation(of: person, to: group)
        try draft.follow(.groups(.left(group, number)))
    }
}

/// Leaves a group, or sends a member away.
public struct RemoveMember: GroupAction {
    let person: PersonID, group: GroupID

    /// The person goes out of the group.
    public init(_ person: PersonID, from group: GroupID) { (self.person, self.group) = (person, group) }

    /// For the person, or the owner.
    public func carryOut(on draft: inout Draft) throws {
        try draft.follow(draft.departure(of: person, from: group))
    }
}

extension Draft {
    fileprivate func refuseSameGroup(
        as id: GroupID, _ beginning: String?, of owner: PersonNumber
    ) throws(Refusal) {
        if picture.people.groups.number(of: id) != nil { throw .groupExists(id) }
        guard let beginning else { return }
        for number in picture.people.groups.joined(by: owner) {
            guard let known = picture.people.groups[number]?.group.id, known.text.hasPrefix(beginning) else { continue }
            throw .groupExists(known)
        }
    }

    fileprivate func refuseOneMoreGroup(of person: PersonNumber) throws(Refusal) {
        guard picture.people.groups.joined(by: person).count < Groups.mostOfPerson else {
            throw .tooManyGroups(Groups.mostOfPerson)
        }
    }

    /// The group to which a person is invited, for the person, whoever invited them, the owner, or a service.
    fileprivate func invitation(of person: PersonID, to id: GroupID) throws(Refusal) -> (
        group: GroupNumber, person: PersonNumber
    ) {
        if let group = picture.people.groups.number(of: id), let entry = picture.people.groups[group],
            let number = picture.people.number(of: person), let invitation = entry.invitations[number],
            caller.mayAct(for: person) || picture.knows(invitation, of: number, to: entry, caller)
        {
            return (group, number)
        }
        _ = try picture.group(id, for: caller)
        throw .unknown(.invitation, person.any)
    }

    /// A member of a group whom the caller may send away: themselves, or anybody the owner knows of.
    fileprivate func member(_ person: PersonID, of entry: Groups.Entry) throws(Refusal) -> PersonNumber {
        if !caller.mayAct(for: person) { _ = try picture.ownedGroup(entry.group.id, by: caller) }
        guard let number = picture.people.number(of: person), entry.members[number] != nil,
            picture.number(calling: caller).map({ picture.people.mayKnow($0, of: number) }) ?? true
        else { throw .unknown(.member, person.any) }
        return number
    }

    fileprivate func departure(of person: PersonID, from group: GroupID) throws(Refusal) -> [Change] {
        let entry = try picture.group(group, for: caller)
        return picture.departure(of: try member(person, of: entry), from: entry, received)
    }
}

extension Picture {
    /// The changes when a member goes: an heir takes over from an owner, invitations by the member are void, the
    /// member's fence about who of the group comes near is deleted, and a group of nobody is gone.
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

    /// The member who inherits a group: the one of longest standing, or one whom all of longer standing have blocked;
    /// nil when there is no other.
    ///
    /// A member whom those have blocked sees none of them, and would find that nobody owns the group. Nobody else sees
    /// a difference, because members see no owner but themselves.
    private func heir(to person: PersonNumber, in entry: Groups.Entry) -> PersonNumber? {
        let others = entry.members.filter { $0.key != person }
            .sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map { $0.key }
        return others.indices.last { index in
            others[..<index].allSatisfy { people.blocks($0, others[index]) }
        }.map { others[$0] }
    }
}
