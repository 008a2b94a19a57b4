internal import Geo
internal import Structures

/// How people in the crowd stand to each other.
extension Crowd {
    func friendship(of person: Int32, with other: Int32) -> FriendshipState {
        self[person]?.friendship(with: other) ?? .none
    }

    func isFriend(_ person: Int32, of other: Int32) -> Bool { self[person]?.friends.contains(other) ?? false }

    func blocks(_ person: Int32, _ other: Int32) -> Bool { self[person]?.blocks.contains(other) ?? false }

    func isSeparated(_ person: Int32, _ other: Int32) -> Bool { self[person]?.isSeparated(from: other) ?? false }

    func likes(_ person: Int32, _ other: Int32) -> Bool { self[person]?.likes.contains(other) ?? false }

    /// Whether a person likes another; nil for one who did not decide.
    func decision(of person: Int32, about other: Int32) -> Bool? {
        guard let state = self[person] else { return nil }
        if state.likes.contains(other) { return true }
        return state.dislikes.contains(other) ? false : nil
    }
}

/// How one person stands to another.
public enum FriendshipState: String, Hashable, Sendable {
    case none
    /// The person asked and waits.
    case asked
    /// The other asked and waits.
    case pending
    case friends
}
