internal import Geo
internal import Model
internal import Storage

/// The judgement of pings against the live picture and, for late ones, against what was stored.
extension Picture {
    /// Judges pings in the order of their fix times, and follows and writes what comes of them.
    ///
    /// It is written at once, because late pings are judged by what the transaction reads.
    ///
    /// - Returns: a verdict for each ping in the order given, a hint for each of their people who has a position, and the
    ///   changes that were made.
    mutating func record(
        _ reports: [PingReport], of command: Command, rules: PingRules, in transaction: Transaction
    ) throws -> (verdicts: [Verdict], hints: [Hint], changes: [Change]) {
        let (received, caller) = (command.received, command.caller)
        var verdicts = [Verdict](repeating: .unknownPerson, count: reports.count)
        var changes: [Change] = []
        var moving: [(person: Int32, from: Coordinate?)] = []
        var known: Set<Int32> = []
        for index in reports.inOrderOfTime(receivedAt: received) {
            Effort.count(20)
            let report = reports[index]
            guard caller.mayAct(for: report.person), let number = crowd.number(of: report.person),
                let own = crowd.throttle(of: number), let veil = crowd.veil(of: number),
                let terms = crowd.terms(of: number)
            else { continue }
            let arrival = Arrival(
                person: number, report: report, time: report.time ?? received, received: received,
                past: command.moment.lowerBound,
                rules: rules.overridden(by: own, retention: crowd.retention(of: number)), veil: veil,
                terms: terms)
            if known.insert(number).inserted {
                moving.append((number, crowd.whereabouts(of: number)))
                let latest = command.moment.upperBound + rules.futureTolerance
                try suspect(of: number, after: latest, &changes, in: transaction)
            }
            verdicts[index] = try take(arrival, &changes, in: transaction)
        }
        for (person, before) in moving {
            for change in crowd.consequences(of: person, from: before, at: received) {
                try follow(change, &changes, in: transaction)
            }
        }
        return (verdicts, hints(for: reports, received, by: caller, rules), changes)
    }

    /// Judges a ping and does what its verdict says.
    ///
    /// When it is the last of a row that outweighs what it contradicts, that is suspect from now on, and the ping is judged by
    /// what is left.
    private mutating func take(
        _ arrival: Arrival, _ changes: inout [Change], in transaction: Transaction
    ) throws -> Verdict {
        var surroundings = try surroundings(of: arrival, in: transaction)
        var verdict = arrival.verdict(among: surroundings)
        if verdict == .impossibleSpeed {
            let doubt = arrival.doubt(after: crowd.hindsight.doubts[arrival.person], among: surroundings)
            guard let rest = try rest(of: surroundings, around: arrival, after: doubt, in: transaction) else {
                try follow(.doubted(person: arrival.person, doubt), &changes, in: transaction)
                return verdict
            }
            try suspect(doubt.accused, of: arrival.person, &changes, in: transaction)
            (surroundings, verdict) = (rest, arrival.verdict(among: rest, isConfirmed: true))
        }
        let point = surroundings.previous
        switch verdict {
        case .stored:
            if let point, arrival.endsStay(at: point) { try sight(arrival, at: point, &changes, in: transaction) }
            let known = crowd.haunts(of: arrival.person)
            let ping = arrival.stored(among: surroundings, known)
            try follow(.ping(ping), &changes, in: transaction)
            var haunts = arrival.veil.haunts(known, telling: ping.publicCell, at: ping.place)
            if let last = point, surroundings.after == nil, arrival.rules.defences.hasHysteresis {
                haunts = Haunt.after(haunts, leaving: last, at: arrival.time)
            }
            if haunts != known { try follow(.haunts(person: arrival.person, haunts), &changes, in: transaction) }
        case .throttledByInterval, .throttledByDistance:
            if let point { try sight(arrival, at: point, &changes, in: transaction) }
        default: break
        }
        return verdict
    }

    /// Takes note of what a ping tells of the stay at the stored position before it; when that is more than is kept in mind of a
    /// person, what is known of the earliest is written.
    private mutating func sight(
        _ arrival: Arrival, at point: Waypoint, _ changes: inout [Change], in transaction: Transaction
    ) throws {
        guard let sighting = arrival.sighting(near: point, stay(of: arrival.person, at: point)) else { return }
        try follow(sighting, &changes, in: transaction)
        guard let key = crowd.hindsight.sightings[arrival.person]?.excess else { return }
        for change in keepSightings([Sighted(person: arrival.person, key: key)]) {
            try follow(change, &changes, in: transaction)
        }
    }

    /// How long a person was near a stored position, also by what is not written yet.
    func stay(of person: Int32, at point: Waypoint) -> Stay {
        crowd.hindsight.sightings[person]?.stays[point.key] ?? point.stay
    }

    /// What is left around a ping without the accused; nil when they are not outweighed, or when without them two stored
    /// positions would follow each other that were never judged by one another.
    private func rest(
        of surroundings: Surroundings, around arrival: Arrival, after doubt: Doubt, in transaction: Transaction
    ) throws -> Surroundings? {
        guard doubt.count >= Doubt.enough else { return nil }
        let before = Set(surroundings.before.map(\.key))
        guard doubt.accused.isSuperset(of: before) || doubt.accused.isDisjoint(with: before) else { return nil }
        let rest = try self.surroundings(of: arrival, without: doubt.accused, in: transaction)
        return rest.after == nil || arrival.verdict(among: rest, isConfirmed: true) == .stored ? rest : nil
    }

    private mutating func follow(_ change: Change, _ changes: inout [Change], in transaction: Transaction) throws {
        try transaction.write(change)
        apply(change)
        changes.append(change)
    }

    private mutating func suspect(
        _ accused: Set<PingKey>, of person: Int32, _ changes: inout [Change], in transaction: Transaction
    ) throws {
        for key in accused.sorted() {
            let logged = crowd.tail(of: person)[key]?.ping
            // One that is nowhere needs no mark, and is no reason to refuse what others wrote into the same commit.
            guard let ping = try logged ?? transaction.ping(key, of: person) else { continue }
            try follow(.suspected(ping), &changes, in: transaction)
        }
        guard let last = crowd.last(of: person), accused.contains(last.key) else { return }
        let folded = try transaction.newest(of: person, except: accused)
        let logged = crowd.tail(of: person).pings.last?.ping
        let newest = [folded, logged].compactMap(\.self).max { $0.key < $1.key }
        try follow(.newest(person: person, newest), &changes, in: transaction)
    }

    /// So many positions of a future that never came one command marks at most.
    private static let mostOfTheFuture = 50

    /// Takes positions for suspect that were received while the clock was ahead: they would be the newest until then.
    private mutating func suspect(
        of person: Int32, after latest: Timestamp, _ changes: inout [Change], in transaction: Transaction
    ) throws {
        for _ in 0..<Self.mostOfTheFuture {
            guard let last = crowd.last(of: person), last.time > latest else { return }
            try suspect([last.key], of: person, &changes, in: transaction)
        }
    }

    /// The stored positions around a fix time: known here for one after the newest, else read as well.
    private func surroundings(
        of arrival: Arrival, without accused: Set<PingKey> = [], in transaction: Transaction
    ) throws -> Surroundings {
        let (number, time) = (arrival.person, arrival.time)
        var surroundings = Surroundings(around: time, without: accused)
        if let last = crowd.last(of: number) { surroundings.consider(last) }
        guard let newest = crowd.newestTime(of: number), newest >= time || !accused.isEmpty else { return surroundings }
        if let suspect = crowd.hindsight.newestSuspects[number], suspect >= time {
            for ping in try transaction.suspects(of: number, at: time) { surroundings.consider(Waypoint(ping)) }
        }
        let (before, after) = try transaction.neighbours(of: number, around: time, except: accused)
        for ping in before { surroundings.consider(Waypoint(ping)) }
        if let after { surroundings.consider(Waypoint(after)) }
        for logged in crowd.tail(of: number).neighbours(around: time, except: accused) {
            surroundings.consider(Waypoint(logged.ping))
        }
        return surroundings
    }

    /// So long holds a hint at most that is told to end: until then it is known when a timetable hides the person.
    private static let foresight = Duration.seconds(86_400)

    /// None for who is hidden, or was when last seen: they are shown when they are heard of, so every ping counts.
    private func hints(
        for reports: [PingReport], _ received: Timestamp, by caller: Caller, _ rules: PingRules
    ) -> [Hint] {
        var hints: [Hint] = []
        var seen: Set<EntityID> = []
        for report in reports.reversed() where seen.insert(report.person).inserted {
            guard caller.mayAct(for: report.person), let number = crowd.number(of: report.person),
                let own = crowd.throttle(of: number), let last = crowd.last(of: number),
                let terms = crowd.terms(of: number), terms.shows(from: last.lastSeen, to: received)
            else { continue }
            let rules = rules.overridden(by: own)
            hints.append(
                Hint(
                    person: report.person, from: last.place, beyond: rules.distance,
                    notBefore: last.time + rules.interval,
                    until: [
                        rules.staying(since: last.time), terms.change(after: received, to: received + Self.foresight),
                    ].compactMap(\.self).min()))
        }
        return hints.reversed()
    }
}

/// A ping of a known person with all that it is judged by beside what is stored.
private struct Arrival {
    let person: Int32
    let report: PingReport
    let time: Timestamp
    let received: Timestamp
    /// From when its age is counted, which is not later than it was received.
    let past: Timestamp
    /// The rules for this person.
    let rules: PingRules
    /// The person's privacy zones.
    let veil: Veil
    let terms: SharingTerms

    func verdict(among surroundings: Surroundings, isConfirmed: Bool = false) -> Verdict {
        rules.judge(report, at: time, received: received, past: past, among: surroundings, isConfirmed: isConfirmed)
    }

    func doubt(after doubt: Doubt?, among surroundings: Surroundings) -> Doubt {
        rules.doubt(report.fix(at: time), after: doubt, among: surroundings)
    }

    /// Whether it is stored at the place where the person still is, because of the time since the position before.
    func endsStay(at point: Waypoint) -> Bool {
        time - point.time >= rules.stay && rules.isNear(point.place, report.place)
    }

    /// That the person was still near the stored position just before, or elsewhere; nil if that tells nothing new.
    func sighting(near point: Waypoint, _ known: Stay) -> Change? {
        var stay = known
        if rules.isNear(point.place, report.place) {
            // A piece of a stay is told of all its time, so none reaches over the beginning or the end of being hidden.
            if time > stay.until, !terms.isSame(from: stay.until, to: time) { stay.contradict(at: time) }
            stay.confirm(at: time)
        } else {
            stay.contradict(at: time)
        }
        return stay == known ? nil : .sighted(person: person, point.key, stay, at: received)
    }

    func stored(among surroundings: Surroundings, _ haunts: [Haunt]) -> StoredPing {
        let known = rules.defences.hasHysteresis ? surroundings.previous ?? surroundings.after : nil
        let remembered = rules.defences.remembersZoneCells ? haunts : []
        let cell =
            rules.defences.snaps
            ? veil.keptCell(at: report.place, after: surroundings.previous, remembered)
                ?? CubeCell.publicCell(at: report.place, after: known?.publicCell, haunts)
            : CubeCell(containing: report.place, level: 30)
        var ping = StoredPing(person: person, time: time, received: received, place: report.place, publicCell: cell)
        ping.sequence = surroundings.nextSequence ?? .max
        ping.device = report.device
        ping.details = report.details
        ping.isVeiled = veil.covers(report.place)
        return ping
    }
}
