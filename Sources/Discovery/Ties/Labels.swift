internal import Model

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

extension Picture {
    /// Calls a friend something, or nothing any more.
    func labelChange(
        _ label: String?, of other: EntityID, by id: EntityID, _ caller: Caller
    ) throws(Refusal) -> (outcome: Outcome, changes: [Change]) {
        guard caller.mayAct(for: id) else { throw .notAllowed }
        guard let number = crowd.number(of: id) else { throw .unknown(.person, id) }
        guard let friend = crowd.number(of: other), crowd.isKnown(friend, to: number) else {
            throw .unknown(.friend, other)
        }
        guard crowd.labels.labels(by: number)[friend] != label else { return (.done, []) }
        return (.done, [.label(label, of: friend, by: number)])
    }
}
