/// What a person notes about a friend, for nobody else to see: a text that ends with the friendship.
///
/// The raw value is the name in paths, answers and the file, where a table of that name in the plural has the texts.
public enum FriendAttribute: String, CaseIterable, Codable, Sendable {
    /// What the person calls the friend.
    case label

    /// The names of all.
    public static let names = allCases.map(\.rawValue)
}
