internal import Geo
public import Model
internal import Structures

/// A filter for friends.
public struct FriendFilter: Sendable {
    /// Only members of this group, to which the person belongs as well; nil for all friends.
    public var group: GroupID?
    /// Only friends with this label; nil for all.
    public var label: String?
    /// The instants at which the group must be open for its members to be shown.
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

extension LiveState {
    /// Returns the numbers of a person's friends that pass a filter.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)`` for the group if the person is not a member, whether or not it exists.
    /// - Complexity: O(friends).
    func friends(of number: PersonNumber, passing filter: FriendFilter) throws(Refusal) -> [PersonNumber] {
        var friends = people.friends(of: number).numbers
        WorkBudget.count(friends.count)
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
