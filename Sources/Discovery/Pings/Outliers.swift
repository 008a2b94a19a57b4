internal import Model

/// What later pings say against stored positions, of those people of whom there is something to say.
struct Outliers: Sendable {
    /// Refused pings that contradict stored positions.
    private(set) var runs: [PersonNumber: OutlierRun] = [:]
    /// The fix time of the newest suspect position.
    private(set) var newestSuspects: [PersonNumber: Timestamp] = [:]
    /// The suspect positions that are in the table already, with the rows of the log that have them still.
    private(set) var loggedSuspects: [PersonNumber: [PingKey: Int64]] = [:]

    mutating func setRun(_ run: OutlierRun?, of person: PersonNumber) { runs[person] = run }

    mutating func suspect(_ person: PersonNumber, at time: Timestamp) {
        newestSuspects[person] = max(time, newestSuspects[person] ?? time)
        runs[person] = nil
    }

    /// Takes note of a suspect position, and of the row of the log that has it still; nil for none.
    mutating func suspect(_ person: PersonNumber, _ key: PingKey, inRow row: Int64?) {
        suspect(person, at: key.time)
        if let row { loggedSuspects[person, default: [:]][key] = row }
    }

    /// Takes note of a suspect position of an earlier start.
    mutating func restoreSuspect(of person: PersonNumber, at time: Timestamp) { newestSuspects[person] = time }

    /// Ends a run that contradicts a position which is confirmed now.
    mutating func confirm(_ person: PersonNumber, _ key: PingKey) {
        if runs[person]?.accused.contains(key) == true { runs[person] = nil }
    }

    /// The rows of the log that have some suspect positions of a person.
    func rows(of keys: Set<PingKey>, _ person: PersonNumber) -> [PingKey: Int64] {
        loggedSuspects[person]?.filter { keys.contains($0.key) } ?? [:]
    }

    mutating func forgetLog(through row: Int64) {
        for (person, rows) in loggedSuspects {
            let left = rows.filter { $0.value > row }
            loggedSuspects[person] = left.isEmpty ? nil : left
        }
    }

    /// Forgets what is known of positions that are deleted.
    mutating func erase(_ keys: Set<PingKey>, of person: PersonNumber) {
        if var left = loggedSuspects[person] {
            for key in keys { left[key] = nil }
            loggedSuspects[person] = left.isEmpty ? nil : left
        }
        if runs[person]?.accused.isDisjoint(with: keys) == false { runs[person] = nil }
    }

    mutating func forget(_ person: PersonNumber) {
        runs[person] = nil
        newestSuspects[person] = nil
        loggedSuspects[person] = nil
    }
}
