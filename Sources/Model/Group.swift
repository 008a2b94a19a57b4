/// A named group of people, each of whom accepted an invitation.
public struct Group: Codable, Hashable, Sendable {
    /// The id, unique among groups.
    public var id: GroupID
    /// The name that members see.
    public var name: String
    /// The URL of a picture.
    public var photo: String?
    /// When members' locations are shared through it; nil for always.
    public var timetable: ZonedHours?
    /// The member who may change the group.
    public var owner: PersonID

    /// Creates a group with an owner, without a picture or a timetable.
    public init(id: GroupID, name: String, owner: PersonID) {
        self.id = id
        self.name = name
        self.owner = owner
    }
}

/// A change of a group or its members; groups and people are identified by their numbers.
public enum GroupChange: Sendable {
    /// A group was created or changed.
    case put(Versioned<Group>)
    /// A group was deleted, with all memberships and invitations.
    case deleted(GroupNumber)
    /// A member invited a person.
    case invited(to: GroupNumber, PersonNumber, by: PersonNumber, at: Timestamp)
    /// A person became a member and is not invited any longer.
    case joined(GroupNumber, PersonNumber, at: Timestamp)
    /// A person is neither a member nor invited any longer.
    case left(GroupNumber, PersonNumber)
}
