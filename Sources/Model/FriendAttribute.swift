/// A private note of a person about a friend: a text that is deleted with the friendship.
///
/// The raw value is the name in paths, answers and the file.
public enum FriendAttribute: String, CaseIterable, Codable, Sendable {
    /// The person's name for the friend.
    case label
    /// A limit on this friend's fences for the person, which may be stricter than the limit for all friends.
    case alerts

    /// The allowed texts; nil for any text.
    public var words: [Alerts]? { self == .alerts ? [.nobody, .asked] : nil }

    /// The attribute in words, for descriptions.
    package var subject: String {
        switch self {
        case .label: "the label of a friend"
        case .alerts: "what the fences of a friend may report"
        }
    }

    /// The table in the file.
    package var table: String {
        switch self {
        case .label: "labels"
        case .alerts: "friend_alerts"
        }
    }

    /// The names of all attributes.
    public static let names = allCases.map(\.rawValue)
}
