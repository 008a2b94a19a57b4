internal import Geo
internal import Model
internal import Structures

/// Of whom it is told when nothing is heard of them for long enough, and when that will be.
struct Silences: Sendable {
    private struct Wait: Comparable, Hashable {
        let due: Timestamp
        let fence: FenceNumber
        let person: PersonNumber

        static func < (a: Wait, b: Wait) -> Bool { (a.due, a.fence, a.person) < (b.due, b.fence, b.person) }
    }

    /// The fences that wait to hear of somebody, or have told that nothing was heard.
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

    /// A fence is about somebody no more.
    mutating func forget(_ person: PersonNumber, _ fence: FenceNumber) {
        wait(until: nil, fence, person)
        naming[person]?.remove(fence)
        if naming[person]?.isEmpty ?? false { naming[person] = nil }
    }

    /// Waits until an instant, in place of another; not for nil.
    mutating func wait(until due: Timestamp?, _ fence: FenceNumber, _ person: PersonNumber) {
        Effort.count(10)
        if let old = dues[person]?[fence] { waits.remove(Wait(due: old, fence: fence, person: person)) }
        dues[person, default: [:]][fence] = due
        if dues[person]?.isEmpty ?? false { dues[person] = nil }
        if let due { waits.insert(Wait(due: due, fence: fence, person: person)) }
    }

    /// Until when fences wait to hear of somebody.
    func dues(of person: PersonNumber) -> [FenceNumber: Timestamp] { dues[person] ?? [:] }

    /// Who was not heard of by a time, the earliest first; `silence` gives how long a fence waits.
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
