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
        last = JudgedPing(ping)
    }
}
