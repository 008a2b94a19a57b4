internal import Geo
internal import Model
internal import Structures

/// How people stand to each other.
extension People {
    func friendship(of person: Int32, with other: Int32) -> FriendshipState {
        self[person]?.friendship(with: other) ?? .none
    }

    /// What a person notes about a friend.
    func notes(about friend: Int32, by person: Int32) -> [FriendAttribute: String] {
        self[person]?.notes.compactMapValues { $0[friend] } ?? [:]
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

extension People {
    /// Follows a change of how people stand to each other.
    mutating func apply(_ change: TieChange) {
        switch change {
        case .asked(let asker, let other, _):
            tie(asker) { $0.asked.insert(other) }
            tie(other) { $0.askedBy.insert(asker) }
        case .made(let a, let b, _):
            separate(a, b)
            tie(a) { $0.friends.insert(b) }
            tie(b) { $0.friends.insert(a) }
        case .ended(let a, let b, _): separate(a, b)
        case .blocked(let person, let other, _):
            tie(person) { $0.blocks.insert(other) }
            tie(other) { $0.blockedBy.insert(person) }
        case .unblocked(let person, let other):
            tie(person) { $0.blocks.remove(other) }
            tie(other) { $0.blockedBy.remove(person) }
        case .decided(let person, let other, let likes, _): tie(person) { $0.decide(about: other, likes: likes) }
        case .undecided(let person, let other): tie(person) { $0.decide(about: other, likes: nil) }
        case .noted(let attribute, let text, let friend, let person):
            tie(person) { $0.note(attribute, text, about: friend) }
        }
    }

    private mutating func separate(_ a: Int32, _ b: Int32) {
        for (one, other) in [(a, b), (b, a)] {
            tie(one) { state in
                state.friends.remove(other)
                state.asked.remove(other)
                state.askedBy.remove(other)
            }
        }
    }
}

extension PersonState {
    /// Takes a decision about another person; nil takes it back.
    fileprivate mutating func decide(about other: Int32, likes: Bool?) {
        self.likes.remove(other)
        dislikes.remove(other)
        switch likes {
        case true?: self.likes.insert(other)
        case false?: dislikes.insert(other)
        case nil: break
        }
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
