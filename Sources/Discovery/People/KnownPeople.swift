public import Model
internal import Structures

extension People {
    /// Whether a person's deletion has begun; only services still see such a person.
    func isLeaving(_ number: PersonNumber) -> Bool {
        guard !leaving.isEmpty, let id = reading(number, { $0.person.id }) else { return false }
        return leaving[id] == number
    }

    /// Whether a person may know that another exists: neither blocks the other, and the other is not being deleted.
    func mayKnow(_ person: PersonNumber, of other: PersonNumber) -> Bool {
        !isSeparated(person, other) && !isLeaving(other)
    }
}

extension LiveState {
    /// An upper bound of the number of people hidden from a caller.
    public func hiddenCount(from caller: Caller) -> Int {
        guard case .person(let id) = caller, let state = people.state(of: id) else { return 0 }
        return state.ties.blocks.count + state.ties.blockedBy.count
    }

    /// Returns people by their numbers as a caller may see them, without people separated from the caller by a block.
    public func people(_ numbers: [PersonNumber], knownTo caller: Caller) -> [Person] {
        numbers.compactMap { number in
            // The text index may be a commit ahead.
            guard let id = people[number]?.person.id, let view = try? person(id, for: caller) else { return nil }
            return switch view {
            case .whole(let record): record.value
            case .part(let person): person
            }
        }
    }
}
