internal import Geo
internal import Model
internal import Storage

/// The way of a ping through the writer, step by step. ``Record`` calls it for each ping in the order of fix times.
///
/// For each ping:
/// 1. ``judge(_:)`` finds the positions around the fix time (`TimeNeighbours`), and the throttle and the speed limit give
///    a verdict (`PingRules.judge`). A run of pings that outweighs the positions it contradicts makes these suspect
///    (`OutlierRun`).
/// 2. ``locate(_:at:isStored:_:)`` makes a believed fix the live position, and fires the fences of the person and of
///    services (`FenceJudge`).
/// 3. ``store(_:among:)`` ends the stay before a stored ping and gives it the public cell that others may see
///    (`PrivacyZones`). ``confirm(_:at:)`` extends the stay if the ping is throttled (`PendingStays`).
/// 4. ``endShares(of:_:from:)`` ends the links that end on arrival.
///
/// After all pings of a person in the turn:
/// 5. ``conclude(_:from:)`` updates what follows from the new place (`People.consequences`), and notes the last contact
///    (`InactivityAlerts`).
///
/// After all pings of the upload:
/// 6. `judge(_: PendingFenceChecks)` fires people's own proximity fences and the fences of others (`FencedPair`).
extension Draft {
    /// Applies the steps of one ping.
    mutating func process(_ ping: ReceivedPing) throws -> Verdict {
        let formerCell = state.people.last(of: ping.person)?.publicCell
        let (verdict, neighbours) = try judge(ping)
        if verdict.isBelieved { try locate(ping.person, at: ping.fix, isStored: verdict == .stored, ping.rules) }
        switch verdict {
        case .stored: try store(ping, among: neighbours)
        case .throttledByInterval, .throttledByDistance:
            if let point = neighbours.previous { try confirm(ping, at: point) }
        default: break
        }
        if verdict.isBelieved { try endShares(of: ping.person, ping.time, from: formerCell) }
        return verdict
    }

    /// Judges a ping among the stored positions around it.
    ///
    /// If it completes a run that outweighs the positions it contradicts, these become suspect, and the ping is judged
    /// by the remaining ones.
    private mutating func judge(_ ping: ReceivedPing) throws -> (verdict: Verdict, neighbours: TimeNeighbours) {
        let neighbours = try neighbours(of: ping)
        let verdict = ping.verdict(among: neighbours)
        guard verdict == .impossibleSpeed else { return (verdict, neighbours) }
        let run = ping.outlierRun(after: state.people.outliers.runs[ping.person], among: neighbours)
        guard let rest = try rest(of: neighbours, around: ping, after: run) else {
            try write(.pings(.outlierRun(person: ping.person, run)))
            return (verdict, neighbours)
        }
        try suspect(run.accused, of: ping.person)
        return (ping.verdict(among: rest, isConfirmed: true), rest)
    }

    /// Stores a ping, ends the stay before it, and updates the remembered cells of the person.
    private mutating func store(_ ping: ReceivedPing, among neighbours: TimeNeighbours) throws {
        let last = neighbours.previous
        if let last, ping.endsStay(at: last) { try confirm(ping, at: last) }
        let known = state.people.rememberedCells(of: ping.person)
        let stored = ping.stored(among: neighbours, known)
        try write(.pings(.stored(stored)))
        var cells = ping.zones.rememberedCells(known, showing: stored.publicCell, at: stored.place)
        if let last, neighbours.after == nil, ping.rules.defences.hasHysteresis {
            cells = RememberedCell.after(cells, leaving: last, at: ping.time)
        }
        if cells != known { try write(.strangers(.rememberedCells(person: ping.person, cells))) }
    }

    /// Completes a person's pings of a turn.
    mutating func conclude(_ person: PersonNumber, from before: Coordinate?) throws {
        try write(state.people.consequences(of: person, from: before, at: received))
        try recordPersonContact(of: person)
    }
}
