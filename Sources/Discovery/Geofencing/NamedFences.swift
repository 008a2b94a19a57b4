internal import Model

/// Fences by owner and by the people they name, with whose deletion they end or lose a name.
struct NamedFences: Sendable {
    /// Fences of people by owner, and fences of services by the people they name.
    private(set) var people: [PersonNumber: SortedNumbers<FenceNumber>] = [:]
    private(set) var groups: [GroupNumber: SortedNumbers<FenceNumber>] = [:]
    /// Only services' fences: a fence of another member must not show in a hint.
    private(set) var groupsOfServices: [GroupNumber: SortedNumbers<FenceNumber>] = [:]
    /// Number of fences that watch all people, or people by attributes.
    private(set) var everybody = 0

    /// Whether the person owns a fence, or a service's fence names them.
    func isAny(about person: PersonNumber) -> Bool { people.index(forKey: person) != nil }

    mutating func insert(_ entry: Fences.Entry) {
        change(entry) { $0.insert($1) }
        if entry.watchesUnnamedPeople { everybody += 1 }
    }

    mutating func remove(_ entry: Fences.Entry) {
        change(entry) { $0.remove($1) }
        if entry.watchesUnnamedPeople { everybody -= 1 }
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
