/// Some people who meet under a name, each of whom was invited and accepted.
public struct Group: Codable, Hashable, Sendable {
    /// The id, unique among groups.
    public var id: GroupID
    /// What its members call it.
    public var name: String
    /// An address (URL) of a picture.
    public var photo: String?
    /// When its members' places are shown through it; nil for always.
    public var timetable: ZonedHours?
    /// The member who may change it.
    public var owner: PersonID

    /// A group of somebody, without a picture or a timetable.
    public init(id: GroupID, name: String, owner: PersonID) {
        self.id = id
        self.name = name
        self.owner = owner
    }
}

/// One change of a group or of who belongs to it; groups and people are named by their numbers.
public enum GroupChange: Sendable {
    /// A group was made or changed.
    case put(Versioned<Group>)
    /// A group is gone, with all memberships and invitations.
    case deleted(GroupNumber)
    /// A member invited a person.
    case invited(to: GroupNumber, PersonNumber, by: PersonNumber, at: Timestamp)
    /// A person is a member from now on, and no longer invited.
    case joined(GroupNumber, PersonNumber, at: Timestamp)
    /// A person is neither a member any more nor invited.
    case left(GroupNumber, PersonNumber)
}
