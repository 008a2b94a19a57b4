internal import Geo
internal import Model

/// Who is silent: it is told once until they are heard of again.
extension Picture {
    /// When somebody was last heard of, as whose fence it is may know it, and how exactly; nil for never, or for who is hidden.
    private func heard(of person: PersonNumber, _ entry: Fences.Entry, at now: Timestamp) -> (Timestamp, Precision?)? {
        guard let owner = entry.owner, owner != person else { return lastFix(of: person).map { ($0.time, nil) } }
        guard allows(entry, toTellOf: person), let shown = shownPlace(of: person, to: owner, at: now) else {
            return nil
        }
        return (shown.seenUntil ?? shown.time, shown.precision)
    }

    /// What follows when somebody was heard of: who was silent is so no more.
    fileprivate func hearing(of person: PersonNumber, at now: Timestamp) -> [FenceChange] {
        (fences.silences.naming[person]?.numbers ?? []).flatMap { number -> [FenceChange] in
            Effort.count(20)
            guard let entry = fences[number], let silence = entry.fence.silence,
                let (heard, _) = heard(of: person, entry, at: now)
            else { return [] }
            let visit = fences.visits[person]?[number]
            if let visit, heard <= visit.since { return [] }
            return (visit == nil ? [] : [.left(number, person)])
                + [.awaited(number, person, until: max(heard, entry.made) + silence)]
        }
    }

    /// What follows when a fence has waited for somebody: that they are silent, or that it waits for longer.
    fileprivate func silence(
        of person: PersonNumber, _ number: FenceNumber, at now: Timestamp, by time: DueTime
    ) -> [FenceChange] {
        guard let entry = fences[number], let silence = entry.fence.silence else { return [] }
        let ended = FenceChange.awaited(number, person, until: nil)
        let known = heard(of: person, entry, at: now)
        // Who never was heard of may be waited for; of a friend who is hidden nothing is told until they are heard of again.
        guard known != nil || entry.owner ?? person == person else { return [ended] }
        let since = max(known?.0 ?? entry.made, entry.made)
        guard time.reaches(since + silence, after: silence) else {
            return [.awaited(number, person, until: since + silence)]
        }
        var visit = FenceVisit(since: since)
        visit.isDwelling = true
        var passing = FencePassing(number, person, .silent, at: since + silence)
        passing.precision = known?.1
        return [ended, .visited(number, person, visit), .passed(passing)]
    }
}

extension Draft {
    /// Takes note that somebody was heard of.
    mutating func hear(of person: PersonNumber) throws {
        for change in picture.hearing(of: person, at: received) { try follow(fence: change) }
    }

    /// Tells of those of whom nothing was heard for long enough by a time.
    ///
    /// - Returns: whether there are more of them.
    mutating func tellSilence(by time: DueTime) throws -> Bool {
        let due = picture.fences.silent(by: time, atMost: Live.turn)
        for (number, person) in due {
            for change in picture.silence(of: person, number, at: received, by: time) { try follow(fence: change) }
        }
        return due.count == Live.turn
    }

    /// Waits for those whom a fence of silence names.
    mutating func awaitSilence(of number: FenceNumber) throws {
        guard let entry = picture.fences[number], let silence = entry.fence.silence else { return }
        for person in entry.people?.sorted() ?? [] {
            try follow(.fences(.awaited(number, person, until: received + silence)))
        }
    }
}

extension Picture {
    /// Waits for all whom fences of silence name, as far as it was not told that they are silent; at a start.
    ///
    /// What friends may know is asked when the time has come, which is not later than any of them may know.
    mutating func awaitAll() {
        for (number, person) in fences.awaitable {
            guard let entry = fences[number], let silence = entry.fence.silence else { continue }
            let heard = lastFix(of: person)?.time ?? entry.made
            let isOwn = entry.owner ?? person == person
            let since = max(isOwn ? heard : Precision.city.rounded(heard), entry.made)
            apply(FenceChange.awaited(number, person, until: since + silence))
        }
    }
}

extension Fences.Entry {
    /// When it was made, or last changed.
    fileprivate var made: Timestamp { Timestamp(milliseconds: record.revision) }
}
