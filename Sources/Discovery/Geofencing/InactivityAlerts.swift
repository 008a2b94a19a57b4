internal import Geo
internal import Model
internal import Structures

/// Inactivity alerts: the watched people, and when each alert is due.
struct InactivityAlerts: Sendable {
    private struct Wait: Comparable, Hashable {
        let due: Timestamp
        let fence: FenceNumber
        let person: PersonNumber

        static func < (a: Wait, b: Wait) -> Bool { (a.due, a.fence, a.person) < (b.due, b.fence, b.person) }
    }

    /// The fences that wait for a person's contact, or have reported its absence.
    private(set) var naming: [PersonNumber: SortedNumbers<FenceNumber>] = [:]
    private var dues: [PersonNumber: [FenceNumber: Timestamp]] = [:]
    private var waits = SortedBlocks<Wait>()

    mutating func insert(_ entry: Fences.Entry) {
        guard entry.fence.silence != nil else { return }
        for person in entry.people ?? [] { naming[person, default: SortedNumbers()].insert(entry.record.number) }
    }

    mutating func remove(_ entry: Fences.Entry, but rest: Set<PersonNumber> = []) {
        guard entry.fence.silence != nil else { return }
        for person in entry.people ?? [] where !rest.contains(person) { forget(person, entry.record.number) }
    }

    /// Stops watching a person.
    mutating func forget(_ person: PersonNumber, _ fence: FenceNumber) {
        wait(until: nil, fence, person)
        naming[person]?.remove(fence)
        if naming[person]?.isEmpty ?? false { naming[person] = nil }
    }

    /// Sets or replaces the due time of a wait; nil ends it.
    mutating func wait(until due: Timestamp?, _ fence: FenceNumber, _ person: PersonNumber) {
        WorkBudget.count(10)
        if let old = dues[person]?[fence] { waits.remove(Wait(due: old, fence: fence, person: person)) }
        dues[person, default: [:]][fence] = due
        if dues[person]?.isEmpty ?? false { dues[person] = nil }
        if let due { waits.insert(Wait(due: due, fence: fence, person: person)) }
    }

    /// The due times of a person's waits.
    func dues(of person: PersonNumber) -> [FenceNumber: Timestamp] { dues[person] ?? [:] }

    /// The waits that are due, earliest first; `silence` is the length of a fence's wait.
    func due(
        by time: DueTime, atMost most: Int, _ silence: (FenceNumber) -> Duration?
    ) -> [(fence: FenceNumber, person: PersonNumber)] {
        var due: [(fence: FenceNumber, person: PersonNumber)] = []
        for (after, through) in time.spans {
            waits.visit(after: Wait(due: after, fence: 0, person: 0)) { wait in
                guard wait.due <= through, due.count < most else { return false }
                if wait.due > after, time.reaches(wait.due, after: silence(wait.fence) ?? .zero) {
                    due.append((wait.fence, wait.person))
                }
                return true
            }
        }
        return due
    }
}
