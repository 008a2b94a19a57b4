internal import Model

/// Proximity fences, indexed by the people they watch.
struct ProximityFences: Sendable {
    /// By the person at the center.
    private(set) var around: [PersonNumber: SortedNumbers<FenceNumber>] = [:]
    /// By the people they name.
    private(set) var naming: [PersonNumber: SortedNumbers<FenceNumber>] = [:]
    /// Fences on all friends, or on friends in a group, by the person at the center.
    private(set) var friendly: [PersonNumber: SortedNumbers<FenceNumber>] = [:]
    /// Services' fences by the group whose members they watch.
    private(set) var groups: [GroupNumber: SortedNumbers<FenceNumber>] = [:]

    /// Default hysteresis in meters: how far beyond the radius a person must be to leave.
    static let margin = 50.0
    /// Minimum time between two people's fixes at which their distance is not compared.
    static let longestBetween = Duration.seconds(3600)

    /// Maximum number of people compared after an upload, or examined for a hint.
    ///
    /// It applies to own fences, and separately to others' fences. The rest are compared after later uploads.
    static let mostCompared = 600
    /// Maximum work units of comparing two people, and of looking up a visible position (`WorkBudget`).
    static let (stepsOfPair, stepsOfLook) = (13, 40)
    /// A person's charge per person watched by their own fences, in work units.
    static let price = 6
    /// Maximum number of people who fire a person's own fences at an upload.
    ///
    /// The others fire at the next one.
    static let mostAtOnce = 20

    var isEmpty: Bool { around.isEmpty }

    mutating func insert(_ entry: Fences.Entry) { change(entry) { $0.insert($1) } }

    mutating func remove(_ entry: Fences.Entry) { change(entry) { $0.remove($1) } }

    private mutating func change(
        _ entry: Fences.Entry, _ change: (inout SortedNumbers<FenceNumber>, FenceNumber) -> Void
    ) {
        guard let middle = entry.centerPerson else { return }
        let number = entry.record.number
        func alter<Key>(_ fences: inout [Key: SortedNumbers<FenceNumber>], _ key: Key) {
            change(&fences[key, default: SortedNumbers()], number)
            if fences[key]?.isEmpty ?? false { fences[key] = nil }
        }
        alter(&around, middle)
        if let group = entry.group, entry.owner == nil {
            alter(&groups, group)
        } else if entry.people == nil {
            alter(&friendly, middle)
        }
        for person in entry.people ?? [] { alter(&naming, person) }
    }
}
