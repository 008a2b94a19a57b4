internal import Model

/// Whose fences are and whom they name: they end, or lose a name, with those.
struct NamedFences: Sendable {
    /// Those of people by whose they are, and those of services by whom they name.
    private(set) var people: [PersonNumber: SortedNumbers<FenceNumber>] = [:]
    private(set) var groups: [GroupNumber: SortedNumbers<FenceNumber>] = [:]
    /// Those of services among them: that another member has one must not show in a hint.
    private(set) var groupsOfServices: [GroupNumber: SortedNumbers<FenceNumber>] = [:]
    /// How many are about everybody, or whoever has some attributes.
    private(set) var everybody = 0

    /// Whether any is a person's, or a service's that names them.
    func isAny(about person: PersonNumber) -> Bool { people.index(forKey: person) != nil }

    mutating func insert(_ entry: Fences.Entry) {
        change(entry) { $0.insert($1) }
        if entry.isOpen { everybody += 1 }
    }

    mutating func remove(_ entry: Fences.Entry) {
        change(entry) { $0.remove($1) }
        if entry.isOpen { everybody -= 1 }
    }

    private mutating func change(
        _ entry: Fences.Entry, _ change: (inout SortedNumbers<FenceNumber>, FenceNumber) -> Void
    ) {
        func alter<Key>(_ fences: inout [Key: SortedNumbers<FenceNumber>], _ key: Key) {
            change(&fences[key, default: SortedNumbers()], entry.record.number)
            if fences[key]?.isEmpty ?? false { fences[key] = nil }
        }
        for person in entry.owner.map({ [$0] }) ?? entry.people ?? [] { alter(&people, person) }
        guard let group = entry.group else { return }
        alter(&groups, group)
        if entry.owner == nil { alter(&groupsOfServices, group) }
    }
}
