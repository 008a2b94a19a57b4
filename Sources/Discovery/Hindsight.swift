internal import Storage

/// What later pings tell of stored positions, of the few people of whom there is something to tell.
struct Hindsight: Sendable {
    /// What speaks against stored positions.
    private(set) var doubts: [Int32: Doubt] = [:]
    /// The fix time of the newest suspect position.
    private(set) var newestSuspects: [Int32: Timestamp] = [:]

    mutating func doubt(_ person: Int32, _ doubt: Doubt?) { doubts[person] = doubt }

    mutating func suspect(_ person: Int32, at time: Timestamp) {
        newestSuspects[person] = max(time, newestSuspects[person] ?? time)
        doubts[person] = nil
    }

    /// Forgets a person who was deleted.
    mutating func forget(_ person: Int32) {
        doubts[person] = nil
        newestSuspects[person] = nil
    }
}
