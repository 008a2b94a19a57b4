public import Model
internal import Structures

extension People {
    /// Whether the deletion of somebody has begun: nobody but services learns of them any more.
    func isLeaving(_ number: PersonNumber) -> Bool {
        guard !leaving.isEmpty, let id = reading(number, { $0.person.id }) else { return false }
        return leaving[id] == number
    }

    /// Whether a person may know that another is there: neither has blocked the other, nor is the other being deleted.
    func mayKnow(_ person: PersonNumber, of other: PersonNumber) -> Bool {
        !isSeparated(person, other) && !isLeaving(other)
    }
}

extension Picture {
    /// How many people at most a caller does not learn of.
    public func hiddenCount(from caller: Caller) -> Int {
        guard case .person(let id) = caller, let state = people.state(of: id) else { return 0 }
        return state.ties.blocks.count + state.ties.blockedBy.count
    }

    /// The people of some numbers as a caller may know them: nobody learns of people they blocked, or who blocked them.
    public func people(_ numbers: [PersonNumber], knownTo caller: Caller) -> [Person] {
        numbers.compactMap { number in
            // The index of text may be a commit ahead.
            guard let id = people[number]?.person.id, let view = try? person(id, for: caller) else { return nil }
            return switch view {
            case .whole(let record): record.value
            case .part(let person): person
            }
        }
    }
}
