internal import Geo
public import Model
internal import Storage

/// Stores the positions that the rules let through.
public struct Record: Action {
    let reports: [PingReport]

    /// Positions in any order; they are judged in that of their fix times.
    public init(_ reports: [PingReport]) { self.reports = reports }

    /// One for each.
    public var weight: Int { max(1, reports.count) }
    /// It does.
    public var fillsLog: Bool { true }

    /// Stretches in the order of time across the whole, as a batch is judged that needs no cutting.
    public func cut(receivedAt received: Timestamp) -> Cut<Record> {
        guard reports.count > Live.turn else { return Cut(self) }
        let stretches = reports.inOrderOfTime(receivedAt: received).stretches { _ in 1 }
        return Cut(stretches.map { Record($0.map { reports[$0] }) }) { outcome(of: stretches, $0) }
    }

    /// Of each person the hint after the last part that had a ping of theirs, in the order of the last pings of the whole.
    private func outcome(of stretches: [[Int]], _ parts: [Recorded]) -> Recorded {
        var verdicts = [Verdict](repeating: .unknownPerson, count: reports.count)
        var latest: [EntityID: Hint] = [:]
        for (stretch, part) in zip(stretches, parts) {
            for (index, verdict) in zip(stretch, part.verdicts) {
                verdicts[index] = verdict
                latest[reports[index].person] = nil
            }
            for hint in part.hints { latest[hint.person] = hint }
        }
        let hints = reports.reversed().compactMap { latest.removeValue(forKey: $0.person) }
        return Recorded(verdicts: verdicts, hints: hints.reversed())
    }

    /// Judges pings in the order of their fix times, late ones by what was stored as well.
    ///
    /// - Returns: a verdict for each, in the order given.
    public func carryOut(on draft: inout Draft) throws -> Recorded { try draft.record(reports) }
}

/// What became of positions.
public struct Recorded: Sendable {
    /// For each of them, in the order they were given.
    public var verdicts: [Verdict]
    /// For each person who has a stored position.
    public var hints: [Hint]
}

extension [PingReport] {
    /// The indices in the order of fix times; of those at the same instant, in their own.
    fileprivate func inOrderOfTime(receivedAt received: Timestamp) -> [Int] {
        indices.sorted { a, b in (self[a].time ?? received, a) < (self[b].time ?? received, b) }
    }
}

/// The judgement of pings against the live picture and, for late ones, against what was stored.
extension Draft {
    fileprivate mutating func record(_ reports: [PingReport]) throws -> Recorded {
        var verdicts = [Verdict](repeating: .unknownPerson, count: reports.count)
        var moving: [(person: Int32, from: Coordinate?)] = []
        var known: Set<Int32> = []
        for index in reports.inOrderOfTime(receivedAt: received) {
            Effort.count(20)
            let report = reports[index]
            guard caller.mayAct(for: report.person), let number = picture.crowd.number(of: report.person),
                let own = picture.crowd.throttle(of: number), let veil = picture.crowd.veil(of: number),
                let terms = picture.crowd.terms(of: number)
            else { continue }
            let arrival = Arrival(
                person: number, report: report, time: report.time ?? received, received: received,
                past: moment.lowerBound,
                rules: rules.overridden(by: own, retention: picture.crowd.retention(of: number)), veil: veil,
                terms: terms)
            if known.insert(number).inserted {
                moving.append((number, picture.crowd.whereabouts(of: number)))
                let latest = moment.upperBound + rules.futureTolerance
                try suspect(of: number, after: latest)
            }
            verdicts[index] = try take(arrival)
        }
        for (person, before) in moving {
            try follow(picture.crowd.consequences(of: person, from: before, at: received))
        }
        return Recorded(verdicts: verdicts, hints: hints(for: reports))
    }

    /// Judges a ping and does what its verdict says.
    ///
    /// When it is the last of a row that outweighs what it contradicts, that is suspect from now on, and the ping is judged by
    /// what is left.
    fileprivate mutating func take(_ arrival: Arrival) throws -> Verdict {
        var surroundings = try surroundings(of: arrival)
        var verdict = arrival.verdict(among: surroundings)
        if verdict == .impossibleSpeed {
            let doubt = arrival.doubt(after: picture.crowd.hindsight.doubts[arrival.person], among: surroundings)
            guard let rest = try rest(of: surroundings, around: arrival, after: doubt) else {
                try follow(.pings(.doubted(person: arrival.person, doubt)))
                return verdict
            }
            try suspect(doubt.accused, of: arrival.person)
            (surroundings, verdict) = (rest, arrival.verdict(among: rest, isConfirmed: true))
        }
        let point = surroundings.previous
        switch verdict {
        case .stored:
            if let point, arrival.endsStay(at: point) { try sight(arrival, at: point) }
            let known = picture.crowd.haunts(of: arrival.person)
            let ping = arrival.stored(among: surroundings, known)
            try follow(.pings(.stored(ping)))
            var haunts = arrival.veil.haunts(known, telling: ping.publicCell, at: ping.place)
            if let last = point, surroundings.after == nil, arrival.rules.defences.hasHysteresis {
                haunts = Haunt.after(haunts, leaving: last, at: arrival.time)
            }
            if haunts != known { try follow(.strangers(.haunts(person: arrival.person, haunts))) }
        case .throttledByInterval, .throttledByDistance:
            if let point { try sight(arrival, at: point) }
        default: break
        }
        return verdict
    }

    /// Takes note of what a ping tells of the stay at the stored position before it; when that is more than is kept in mind of a
    /// person, what is known of the earliest is written.
    private mutating func sight(_ arrival: Arrival, at point: Waypoint) throws {
        guard let sighting = arrival.sighting(near: point, stay(of: arrival.person, at: point)) else { return }
        try follow(sighting)
        guard let key = picture.crowd.hindsight.sightings[arrival.person]?.excess else { return }
        try keep(Sighted(person: arrival.person, key: key))
    }

    /// How long a person was near a stored position, also by what is not written yet.
    func stay(of person: Int32, at point: Waypoint) -> Stay {
        picture.crowd.hindsight.sightings[person]?.stays[point.key] ?? point.stay
    }

    /// What is left around a ping without the accused; nil when they are not outweighed, or when without them two stored
    /// positions would follow each other that were never judged by one another.
    private func rest(of surroundings: Surroundings, around arrival: Arrival, after doubt: Doubt) throws
        -> Surroundings?
    {
        guard doubt.count >= Doubt.enough else { return nil }
        let before = Set(surroundings.before.map(\.key))
        guard doubt.accused.isSuperset(of: before) || doubt.accused.isDisjoint(with: before) else { return nil }
        let rest = try self.surroundings(of: arrival, without: doubt.accused)
        return rest.after == nil || arrival.verdict(among: rest, isConfirmed: true) == .stored ? rest : nil
    }

    private mutating func suspect(_ accused: Set<PingKey>, of person: Int32) throws {
        for key in accused.sorted() {
            let logged = picture.crowd.tail(of: person)[key]?.ping
            // One that is nowhere needs no mark, and is no reason to refuse what others wrote into the same commit.
            guard let ping = try logged ?? transaction.ping(key, of: person) else { continue }
            try follow(.pings(.suspected(ping)))
        }
        guard let last = picture.crowd.last(of: person), accused.contains(last.key) else { return }
        let folded = try transaction.newest(of: person, except: accused)
        let logged = picture.crowd.tail(of: person).pings.last?.ping
        let newest = [folded, logged].compactMap(\.self).max { $0.key < $1.key }
        try follow(.pings(.newest(person: person, newest)))
    }

    /// So many positions of a future that never came one batch marks at most.
    private static let mostOfTheFuture = 50

    /// Takes positions for suspect that were received while the clock was ahead: they would be the newest until then.
    private mutating func suspect(of person: Int32, after latest: Timestamp) throws {
        for _ in 0..<Self.mostOfTheFuture {
            guard let last = picture.crowd.last(of: person), last.time > latest else { return }
            try suspect([last.key], of: person)
        }
    }

    /// The stored positions around a fix time: known here for one after the newest, else read as well.
    private func surroundings(of arrival: Arrival, without accused: Set<PingKey> = []) throws -> Surroundings {
        let (number, time) = (arrival.person, arrival.time)
        var surroundings = Surroundings(around: time, without: accused)
        if let last = picture.crowd.last(of: number) { surroundings.consider(last) }
        guard let newest = picture.crowd.newestTime(of: number), newest >= time || !accused.isEmpty else {
            return surroundings
        }
        if let suspect = picture.crowd.hindsight.newestSuspects[number], suspect >= time {
            for ping in try transaction.suspects(of: number, at: time) { surroundings.consider(Waypoint(ping)) }
        }
        let (before, after) = try transaction.neighbours(of: number, around: time, except: accused)
        for ping in before { surroundings.consider(Waypoint(ping)) }
        if let after { surroundings.consider(Waypoint(after)) }
        for logged in picture.crowd.tail(of: number).neighbours(around: time, except: accused) {
            surroundings.consider(Waypoint(logged.ping))
        }
        return surroundings
    }

    /// So long holds a hint at most that is told to end: until then it is known when a timetable hides the person.
    private static let foresight = Duration.seconds(86_400)

    /// None for who is hidden, or was when last seen: they are shown when they are heard of, so every ping counts.
    private func hints(for reports: [PingReport]) -> [Hint] {
        var hints: [Hint] = []
        var seen: Set<EntityID> = []
        for report in reports.reversed() where seen.insert(report.person).inserted {
            guard caller.mayAct(for: report.person), let number = picture.crowd.number(of: report.person),
                let own = picture.crowd.throttle(of: number), let last = picture.crowd.last(of: number),
                let terms = picture.crowd.terms(of: number), terms.shows(from: last.lastSeen, to: received)
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
        return stay == known ? nil : .pings(.sighted(person: person, point.key, stay, at: received))
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
