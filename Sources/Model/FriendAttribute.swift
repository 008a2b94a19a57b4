/// What a person notes about a friend, for nobody else to see: a text that ends with the friendship.
///
/// The raw value is the name in paths, answers and the file.
public enum FriendAttribute: String, CaseIterable, Codable, Sendable {
    /// What the person calls the friend.
    case label
    /// Whose fences may tell of the person, as far as they are this friend's: less than the person allows friends in general.
    case alerts

    /// The texts that are possible; nil for any.
    public var words: [Alerts]? { self == .alerts ? [.nobody, .asked] : nil }

    /// The table of the file.
    package var table: String {
        switch self {
        case .label: "labels"
        case .alerts: "friend_alerts"
        }
    }

    /// The names of all.
    public static let names = allCases.map(\.rawValue)
}
