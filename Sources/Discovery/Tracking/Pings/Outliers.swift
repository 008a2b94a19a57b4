internal import Model

/// Evidence of later pings against stored positions, by person.
struct Outliers: Sendable {
    /// Runs of rejected pings that contradict stored positions.
    private(set) var runs: [PersonNumber: OutlierRun] = [:]
    /// The fix time of the newest suspect position.
    private(set) var newestSuspects: [PersonNumber: Timestamp] = [:]
    /// Suspect positions that are in the table already, with the log rows that still contain them.
    private(set) var loggedSuspects: [PersonNumber: [PingKey: Int64]] = [:]

    mutating func setRun(_ run: OutlierRun?, of person: PersonNumber) { runs[person] = run }

    mutating func suspect(_ person: PersonNumber, at time: Timestamp) {
        newestSuspects[person] = max(time, newestSuspects[person] ?? time)
        runs[person] = nil
    }

    /// Records a suspect position, and the log row that still contains it; nil for none.
    mutating func suspect(_ person: PersonNumber, _ key: PingKey, inRow row: Int64?) {
        suspect(person, at: key.time)
        if let row { loggedSuspects[person, default: [:]][key] = row }
    }

    /// Restores the newest suspect position after a restart.
    mutating func restoreSuspect(of person: PersonNumber, at time: Timestamp) { newestSuspects[person] = time }

    /// Ends a run that contradicts a position which is confirmed now.
    mutating func confirm(_ person: PersonNumber, _ key: PingKey) {
        if runs[person]?.accused.contains(key) == true { runs[person] = nil }
    }

    /// The log rows that contain suspect positions of a person.
    func rows(of keys: Set<PingKey>, _ person: PersonNumber) -> [PingKey: Int64] {
        loggedSuspects[person]?.filter { keys.contains($0.key) } ?? [:]
    }

    mutating func forgetLog(through row: Int64) {
        for (person, rows) in loggedSuspects {
            let left = rows.filter { $0.value > row }
            loggedSuspects[person] = left.isEmpty ? nil : left
        }
    }

    /// Removes the evidence about deleted positions.
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
