internal import Geo
public import Model
internal import Structures

/// Which friends are wanted.
public struct FriendFilter: Sendable {
    /// Only members of this group, to which the person belongs as well; nil for all friends.
    public var group: GroupID?
    /// Only those whom the person calls this; nil for all.
    public var label: String?
    /// The instants at all of which the group has to be open for anybody to be shown through it.
    public var instants: [Timestamp]

    /// A filter by group and label.
    public init(group: GroupID? = nil, label: String? = nil, at instants: [Timestamp] = []) {
        self.group = group
        self.label = label
        self.instants = instants
    }

    /// All friends.
    public static let none = FriendFilter()
}

extension Picture {
    /// The friends of a person that pass a filter, by their numbers.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``, of the group, when the person is no member, whether there is such a group or not.
    /// - Complexity: O(friends).
    func friends(of number: PersonNumber, passing filter: FriendFilter) throws(Refusal) -> [PersonNumber] {
        var friends = people.friends(of: number).numbers
        Effort.count(friends.count)
        if let id = filter.group {
            guard let group = people.groups.number(of: id), let entry = people.groups[group],
                entry.members[number] != nil
            else { throw .unknown(.group, id.any) }
            guard filter.instants.allSatisfy(entry.isOpen) else { return [] }
            friends = friends.filter { entry.members[$0] != nil }
        }
        if let label = filter.label {
            let labels = people[number]?.ties.notes[.label]
            friends = friends.filter { labels?[$0] == label }
        }
        return friends
    }
}
