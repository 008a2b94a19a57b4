public import Model
internal import Structures

/// Records, or withdraws, a person's like or dislike of another person, whom discovery then no longer shows.
public struct Decide: Action {
    let person, other: PersonID
    let likes: Bool?

    /// The person, the other person, and the decision; nil withdraws it.
    public init(_ person: PersonID, _ other: PersonID, likes: Bool?) {
        (self.person, self.other, self.likes) = (person, other, likes)
    }

    /// - Returns: whether the like is mutual.
    public func apply(to draft: inout Draft) throws -> Bool {
        let (a, b) = try draft.visiblePair(person, other)
        let (old, received) = (draft.state.people.decision(of: a, about: b), draft.received)
        guard let likes else {
            if old != nil { try draft.write(.ties(.undecided(by: a, about: b))) }
            return false
        }
        guard draft.state.people[a]?.person.isAdult(at: received) == true else { throw Refusal.notAdult(person) }
        guard let stranger = draft.state.people[b]?.person, stranger.isShownAdult(at: received),
            stranger.isDiscoverable
        else { throw Refusal.unknown(.person, other.any) }
        if old == nil {
            let count = draft.state.people[a].map { $0.ties.likes.count + $0.ties.dislikes.count } ?? 0
            try draft.refuse(.decision, after: count)
        }
        if old != likes { try draft.write(.ties(.decided(by: a, about: b, likes: likes, at: received))) }
        return likes && draft.state.people.likes(b, a)
    }
}
