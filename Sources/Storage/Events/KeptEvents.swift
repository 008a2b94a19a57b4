public import Model

/// The kept events that a person may be told of: those that name the person, who came and went in some groups, and comments.
public struct KeptEvents: Sendable {
    let person: PersonNumber
    let groups: [GroupID]
    private let withComments: Bool

    /// Those that name a person, and those of members of some groups, and of all comments.
    public init(of person: PersonNumber, groups: [GroupID] = [], withComments: Bool = false) {
        (self.person, self.groups, self.withComments) = (person, groups, withComments)
    }

    /// The query for their numbers, in order: after ?1, of person ?2 and the groups in the JSON ?3, at most ?4.
    ///
    /// Each part is read by an index, in which events are in order.
    package var sql: String {
        var parts = ["person = ?2", "other = ?2"]
        // In the words of the partial indexes, by which SQLite knows that it may use them.
        if !groups.isEmpty {
            parts.append("type IN (\(Self.ofGroups)) AND subject IN (SELECT value FROM json_each(?3))")
        }
        if withComments {
            parts += ["created", "changed", "deleted"].map {
                "type IN (\(Self.ofComments)) AND type = 'comment.\($0)'"
            }
        }
        let numbers = parts.map { "SELECT number FROM events WHERE \($0) AND number > ?1" }
        return "\(numbers.joined(separator: " UNION ")) ORDER BY number LIMIT ?4"
    }

    private static let ofGroups = "'group.joined', 'group.left'"
    private static let ofComments = "'comment.created', 'comment.changed', 'comment.deleted'"
}
