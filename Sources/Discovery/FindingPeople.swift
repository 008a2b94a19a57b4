public import Storage

extension Picture {
    /// The people of some numbers whom a caller may come to know of: nobody learns of people they blocked, or who blocked them.
    public func people(_ numbers: [Int32], knownTo caller: Caller) -> [Person] {
        numbers.compactMap { number in
            // The index of text may be a commit ahead.
            guard let state = crowd[number] else { return nil }
            if case .person(let id) = caller {
                guard let own = crowd.number(of: id), !state.isSeparated(from: own) else { return nil }
            }
            return state.person
        }
    }
}
