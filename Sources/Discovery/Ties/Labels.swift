public import Model

/// What people call their friends: seen by nobody but themselves.
struct Labels: Sendable {
    /// By person and friend.
    private var given: [Int32: [Int32: String]] = [:]

    func labels(by person: Int32) -> [Int32: String] { given[person] ?? [:] }

    /// What a person calls a friend; nil for nothing.
    func label(of friend: Int32, by person: Int32) -> String? { given[person]?[friend] }

    mutating func put(_ label: String?, of friend: Int32, by person: Int32) {
        given[person, default: [:]][friend] = label
        if given[person]?.isEmpty ?? false { given[person] = nil }
    }

    /// A line for each label.
    var account: [String] {
        given.flatMap { person, labels in labels.map { "label \(person) \($0.key) \($0.value)" } }.sorted()
    }
}

/// Lets a person call a friend something.
public struct LabelFriend: Action {
    let person, friend: EntityID
    let label: String?

    /// What the first calls the second; nil for nothing any more.
    public init(_ person: EntityID, _ friend: EntityID, _ label: String?) {
        (self.person, self.friend, self.label) = (person, friend, label)
    }

    /// Nobody but the first sees it.
    public func carryOut(on draft: inout Draft) throws {
        let number = try draft.number(of: person)
        guard let other = draft.picture.people.number(of: friend), draft.picture.people.isKnown(other, to: number)
        else {
            throw Refusal.unknown(.friend, friend)
        }
        guard draft.picture.people.labels.label(of: other, by: number) != label else { return }
        try draft.follow(.ties(.label(label, of: other, by: number)))
    }
}
