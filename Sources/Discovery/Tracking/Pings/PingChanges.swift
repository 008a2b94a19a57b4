internal import Model
internal import Storage

extension People {
    /// Applies a change of stored positions; new ones are in the log row `logNumber`.
    mutating func apply(_ change: PingChange, inRow logNumber: Int64) {
        switch change {
        case .stored(let ping): append(LoggedPing(ping: ping, logNumber: logNumber))
        case .suspected(let ping): suspect(ping)
        case .newest(let person, let ping): relocate(person, to: ping)
        case .outlierRun(let person, let run): outliers.setRun(run, of: person)
        case .confirmed(let person, let key, let stay, let at): confirm(person, key, stay, at: at)
        case .stayWritten(let person, let key, let stay, _): keep(person, key, stay)
        case .livePositionChanged(let person, let fix, let at): locate(person, at: fix, received: at)
        case .livePositionWritten(let person, _): pendingStays.setFix(of: person, isUnwritten: false)
        case .eventsErased: break
        case .erased(let person, let keys, _, let newest):
            outliers.erase(keys, of: person)
            pendingStays.remove(keys, of: person)
            logTail.erase(keys, of: person)
            relocate(person, to: newest)
        }
    }
}

extension PersonState {
    /// Makes a stored ping the newest position if it is.
    mutating func follow(_ ping: StoredPing) {
        if let last, last.key >= ping.key { return }
        take(RecentPing(ping))
    }

    /// Sets the newest stored position, and drops a live position that is not later.
    mutating func take(_ newest: RecentPing?) {
        last = newest
        if let live, newest.map({ $0.time >= live.time }) ?? true { self.live = nil }
    }
}
