internal import Geo
internal import Storage

/// The judgement of pings against the live picture and, for late ones, against what was stored.
extension Picture {
    /// Judges pings in the order of their fix times and follows those that are to be stored.
    ///
    /// - Returns: a verdict for each ping in the order given, a hint for each of their people who has a position, and the
    ///   changes that were made.
    mutating func record(
        _ reports: [PingReport], received: Timestamp, by caller: Caller, rules: PingRules,
        in transaction: Transaction
    ) throws -> (verdicts: [Verdict], hints: [Hint], changes: [Change]) {
        var verdicts = [Verdict](repeating: .unknownPerson, count: reports.count)
        var changes: [Change] = []
        let byTime = reports.indices.sorted { a, b in
            (reports[a].time ?? received, a) < (reports[b].time ?? received, b)
        }
        for index in byTime {
            let report = reports[index]
            guard caller.mayAct(for: report.person), let number = crowd.number(of: report.person),
                let own = crowd.throttle(of: number)
            else { continue }
            let time = report.time ?? received
            let surroundings = try surroundings(of: number, at: time, in: transaction)
            let verdict = rules.overridden(by: own, retention: crowd.retention(of: number))
                .judge(report, at: time, received: received, among: surroundings)
            verdicts[index] = verdict
            guard verdict == .stored else { continue }
            let change = Change.ping(
                stored(report, number, at: time, received: received, among: surroundings))
            apply(change)
            changes.append(change)
        }
        return (verdicts, hints(for: reports, by: caller, rules), changes)
    }

    /// The stored positions around a fix time: known here for one after the newest, else read as well.
    private func surroundings(
        of number: Int32, at time: Timestamp, in transaction: Transaction
    ) throws -> Surroundings {
        var surroundings = Surroundings()
        guard let last = crowd.last(of: number) else { return surroundings }
        surroundings.consider(last, around: time)
        guard last.time >= time else { return surroundings }
        let (before, after) = try transaction.neighbours(of: number, around: time)
        for ping in before { surroundings.consider(Waypoint(ping), around: time) }
        if let after { surroundings.consider(Waypoint(after), around: time) }
        for logged in crowd.tail(of: number).neighbours(around: time) {
            surroundings.consider(Waypoint(logged.ping), around: time)
        }
        return surroundings
    }

    private func stored(
        _ report: PingReport, _ number: Int32, at time: Timestamp, received: Timestamp,
        among surroundings: Surroundings
    ) -> StoredPing {
        let previous = surroundings.before.max { $0.sequence < $1.sequence }
        let cell = CubeCell.publicCell(
            at: report.place, after: previous?.publicCell ?? surroundings.after?.publicCell)
        var ping = StoredPing(
            person: number, time: time, received: received, place: report.place, publicCell: cell)
        if let previous, previous.time == time { ping.sequence = previous.sequence + 1 }
        ping.device = report.device
        ping.details = report.details
        return ping
    }

    private func hints(for reports: [PingReport], by caller: Caller, _ rules: PingRules) -> [Hint] {
        var hints: [Hint] = []
        var seen: Set<EntityID> = []
        for report in reports.reversed() where seen.insert(report.person).inserted {
            guard caller.mayAct(for: report.person), let number = crowd.number(of: report.person),
                let own = crowd.throttle(of: number), let last = crowd.last(of: number)
            else { continue }
            let rules = rules.overridden(by: own)
            hints.append(
                Hint(
                    person: report.person, from: last.place, beyond: rules.distance,
                    notBefore: last.time + rules.interval))
        }
        return hints.reversed()
    }
}
