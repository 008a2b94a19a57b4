public import Model

/// The stored events visible to a person: events that name the person, membership events of some groups, and comments.
public struct KeptEvents: Sendable {
    let person: PersonNumber
    let groups: [GroupID]
    private let withComments: Bool

    /// Selects the events that name a person, the membership events of some groups, and optionally all comments.
    public init(of person: PersonNumber, groups: [GroupID] = [], withComments: Bool = false) {
        (self.person, self.groups, self.withComments) = (person, groups, withComments)
    }

    /// The query for the event numbers, in order: after ?1, of person ?2 and the groups in the JSON ?3, at most ?4.
    ///
    /// Each part reads an index in which events are in order.
    package var sql: String {
        var parts = ["person = ?2", "other = ?2"]
        // The conditions repeat the partial indexes' text, so that SQLite can use these.
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
