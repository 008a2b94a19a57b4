internal import Geo
internal import Model
internal import Structures

/// Reads of ties between people.
extension People {
    func friendship(of person: PersonNumber, with other: PersonNumber) -> FriendshipState {
        reading(person) { $0.friendship(with: other) } ?? .none
    }

    func notes(about friend: PersonNumber, by person: PersonNumber) -> [FriendAttribute: String] {
        reading(person) { $0.ties.notes.compactMapValues { $0[friend] } } ?? [:]
    }

    func isFriend(_ person: PersonNumber, of other: PersonNumber) -> Bool {
        reading(person) { $0.ties.friends.contains(other) } ?? false
    }

    func blocks(_ person: PersonNumber, _ other: PersonNumber) -> Bool {
        reading(person) { $0.ties.blocks.contains(other) } ?? false
    }

    func isSeparated(_ person: PersonNumber, _ other: PersonNumber) -> Bool {
        reading(person) { $0.isSeparated(from: other) } ?? false
    }

    func likes(_ person: PersonNumber, _ other: PersonNumber) -> Bool {
        reading(person) { $0.ties.likes.contains(other) } ?? false
    }

    /// A person's decision about another person; nil if there is none.
    func decision(of person: PersonNumber, about other: PersonNumber) -> Bool? {
        if likes(person, other) { return true }
        return reading(person) { $0.ties.dislikes.contains(other) } ?? false ? false : nil
    }
}

extension People {
    /// When a friendship began, if that is at most about a day ago; otherwise nil.
    func beginningOfFriendship(_ person: PersonNumber, _ other: PersonNumber) -> Timestamp? {
        reading(person) { $0.ties.newFriends[other] } ?? nil
    }

    mutating func apply(_ change: TieChange) {
        switch change {
        case .asked(let asker, let other, _):
            updateUnindexed(asker) { $0.ties.asked.insert(other) }
            updateUnindexed(other) { $0.ties.askedBy.insert(asker) }
        case .made(let a, let b, let time):
            separate(a, b)
            befriend(a, b, since: time)
        case .ended(let a, let b, _): separate(a, b)
        case .blocked(let person, let other, _):
            updateUnindexed(person) { $0.ties.blocks.insert(other) }
            updateUnindexed(other) { $0.ties.blockedBy.insert(person) }
        case .unblocked(let person, let other):
            updateUnindexed(person) { $0.ties.blocks.remove(other) }
            updateUnindexed(other) { $0.ties.blockedBy.remove(person) }
        case .decided(let person, let other, let likes, _):
            updateUnindexed(person) { $0.decide(about: other, likes: likes) }
        case .undecided(let person, let other): updateUnindexed(person) { $0.decide(about: other, likes: nil) }
        case .allUndecided(let person, let first):
            updateUnindexed(person) { state in
                state.ties.likes.removeAll(from: first)
                state.ties.dislikes.removeAll(from: first)
            }
        case .noted(let attribute, let text, let friend, let person):
            updateUnindexed(person) { $0.note(attribute, text, about: friend) }
        }
    }

    /// Adds a friendship.
    ///
    /// - Parameters:
    ///   - a: the first person.
    ///   - b: the second person.
    ///   - time: when it began; nil for more than a day ago.
    mutating func befriend(_ a: PersonNumber, _ b: PersonNumber, since time: Timestamp?) {
        for (one, other) in [(a, b), (b, a)] {
            updateUnindexed(one) { $0.ties.befriend(other, since: time) }
        }
    }

    /// Removes a person from another's friends, in one direction.
    mutating func unfriend(_ friend: PersonNumber, of person: PersonNumber) {
        updateUnindexed(person) { state in
            state.ties.friends.remove(friend)
            state.ties.newFriends[friend] = nil
        }
    }

    private mutating func separate(_ a: PersonNumber, _ b: PersonNumber) {
        for (one, other) in [(a, b), (b, a)] {
            let isTied = reading(one) { $0.ties.hasFriendship(with: other) } ?? false
            if isTied { updateUnindexed(one) { $0.ties.endFriendship(with: other) } }
        }
    }
}

extension PersonState {
    /// Sets or, with nil, removes a decision about another person.
    fileprivate mutating func decide(about other: PersonNumber, likes: Bool?) {
        ties.likes.remove(other)
        ties.dislikes.remove(other)
        switch likes {
        case true?: ties.likes.insert(other)
        case false?: ties.dislikes.insert(other)
        case nil: break
        }
    }
}

/// A person's relation to another person.
public enum FriendshipState: String, Hashable, Sendable {
    case none
    /// The person has requested the friendship.
    case asked
    /// The other person has requested the friendship.
    case pending
    case friends
}
