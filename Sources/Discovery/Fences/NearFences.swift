internal import Model

/// The fences that tell who comes near to whom, found by the people whom they are about.
struct NearFences: Sendable {
    /// Of somebody whom others may come near.
    private(set) var around: [PersonNumber: SortedNumbers<FenceNumber>] = [:]
    /// Those that name somebody who may come near.
    private(set) var naming: [PersonNumber: SortedNumbers<FenceNumber>] = [:]
    /// Of somebody whom all friends may come near, or those of a group.
    private(set) var friendly: [PersonNumber: SortedNumbers<FenceNumber>] = [:]
    /// Those of services about the members of a group.
    private(set) var groups: [GroupNumber: SortedNumbers<FenceNumber>] = [:]

    /// How much farther than near somebody is who has left, in metres, where nothing is said.
    static let margin = 50.0
    /// What is known of two people at instants so far apart says nothing of how near they are.
    static let longestBetween = Duration.seconds(3600)

    /// How many people at most are compared after an upload, or looked at for a hint.
    ///
    /// That counts for own fences, and again for those of others. The rest have their turn after later uploads.
    static let mostCompared = 600
    /// What it costs at most to compare two people, and to look up where one is shown, in steps of `Effort`.
    static let (stepsOfPair, stepsOfLook) = (13, 40)
    /// What a person is charged for each of those whom own fences are about.
    static let price = 6
    /// How many people at most ring the own fences of a person by an upload.
    ///
    /// The others ring by the next one.
    static let mostAtOnce = 20

    var isEmpty: Bool { around.isEmpty }

    mutating func insert(_ entry: Fences.Entry) { change(entry) { $0.insert($1) } }

    mutating func remove(_ entry: Fences.Entry) { change(entry) { $0.remove($1) } }

    private mutating func change(
        _ entry: Fences.Entry, _ change: (inout SortedNumbers<FenceNumber>, FenceNumber) -> Void
    ) {
        guard let middle = entry.middle else { return }
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
