internal import Model
internal import Storage

extension People {
    /// Follows a change of stored positions, of which new ones will be in a row of the log.
    mutating func apply(_ change: PingChange, inRow logNumber: Int64) {
        switch change {
        case .stored(let ping): append(LoggedPing(ping: ping, logNumber: logNumber))
        case .suspected(let ping): suspect(ping)
        case .newest(let person, let ping): relocate(person, to: ping)
        case .outlierRun(let person, let run): outliers.setRun(run, of: person)
        case .confirmed(let person, let key, let stay, let at): confirm(person, key, stay, at: at)
        case .seen(let person, let key, let stay, _): keep(person, key, stay)
        case .located(let person, let fix, let at): locate(person, at: fix, received: at)
        case .kept(let person, _): unwrittenStays.setFix(of: person, isUnwritten: false)
        case .untold: break
        case .erased(let person, let keys, _, let newest):
            outliers.erase(keys, of: person)
            unwrittenStays.remove(keys, of: person)
            unfolded.erase(keys, of: person)
            relocate(person, to: newest)
        }
    }
}

extension PersonState {
    /// Takes a stored ping for the newest position if it is.
    mutating func follow(_ ping: StoredPing) {
        if let last, last.key >= ping.key { return }
        take(JudgedPing(ping))
    }

    /// Takes a stored position for the newest; then only a later one may be the live position.
    mutating func take(_ newest: JudgedPing?) {
        last = newest
        if let live, newest.map({ $0.time >= live.time }) ?? true { self.live = nil }
    }
}
