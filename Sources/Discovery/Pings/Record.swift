internal import Geo
public import Model
internal import Storage

/// Stores the positions that the rules let through.
public struct Record: Action {
    private enum CodingKeys: CodingKey { case reports, pairs }

    let reports: [PingReport]
    /// The fences of others to judge after pings of former turns; nil with pings.
    private var pairs: [FencedPair]?
    private var weightOfPing = 1
    /// The part of a batch that this is; nil for a whole one.
    private var part: BatchPart?

    /// Positions in any order; they are judged in that of their fix times.
    public init(_ reports: [PingReport]) { self.reports = reports }

    private init(judging pairs: [FencedPair]) { (reports, self.pairs) = ([], pairs) }

    /// One for each; in a log, where nothing stops between two pings of a part, more for people with many fences.
    public var weight: Int { max(1, reports.count * weightOfPing, min(pairs?.count ?? 0, FencedPair.mostInTurn)) }
    /// Pings do, and the judgement of fences does not.
    public var fillsLog: Bool { pairs == nil }

    /// The same, with the weight of the most that a ping of these people costs.
    public func weighed(by picture: borrowing Picture) -> Record {
        var (weighed, most) = (self, 0)
        for person in Set(reports.map(\.person)) {
            guard let number = picture.people.number(of: person) else { continue }
            // The time chooses among pairs, and does not change how many they are.
            let pairs = picture.fencedPairs(with: number, at: Timestamp(milliseconds: 0))
            most = max(most, picture.mostSteps(ofPingOf: number) + picture.mostSteps(judging: pairs))
        }
        weighed.weightOfPing = max(1, min(Live.turn, most * Live.turn / Effort.turn))
        return weighed
    }

    /// Stretches in the order of time across the whole, as a batch is judged that needs no cutting.
    public func cut(receivedAt received: Timestamp) -> Cut<Record> {
        guard reports.count > 1 else { return Cut(self) }
        let stretches = reports.inOrderOfTime(receivedAt: received).stretches { _ in weightOfPing }
        let parts = BatchPart.parts(of: stretches.map { $0.map { reports[$0] } }).map { part in
            var record = Record(part.stretch)
            (record.weightOfPing, record.part) = (weightOfPing, part)
            return record
        }
        return Cut(parts) { Recorded(of: stretches.flatMap(\.self), $0) }
    }

    /// Judges pings in the order of their fix times, late ones by what was stored as well.
    ///
    /// - Returns: a verdict for each, in the order given; of a part of a batch, for each of those that the turn had room for.
    public func carryOut(on draft: inout Draft) throws -> Recorded {
        if let pairs { return Recorded([], unjudged: try draft.judge(pairs)) }
        // Machines that follow a log count different steps, and must all do the same.
        guard let part, !draft.isShared else { return try draft.record(reports, isWhole: true) }
        let recorded = try draft.record(part.reports, isWhole: false)
        part.note(recorded.verdicts.count)
        return recorded
    }

    /// Goes on with the pings for which no turn had room, and with the fences of others.
    public func finish(
        _ first: Recorded, _ step: (Record) async throws -> Recorded
    ) async throws -> Recorded {
        var whole = first
        while !whole.left.isEmpty {
            let left = whole.left
            whole.add(try await step(Record(left.map { reports[$0] })), of: left)
        }
        while !whole.unjudged.isEmpty {
            whole.unjudged = try await step(Record(judging: whole.unjudged)).unjudged
        }
        return whole
    }
}

extension [PingReport] {
    /// The indices in the order of fix times; of those at the same instant, in their own.
    fileprivate func inOrderOfTime(receivedAt received: Timestamp) -> [Int] {
        indices.sorted { a, b in (self[a].time ?? received, a) < (self[b].time ?? received, b) }
    }
}

/// The judgement of pings against the live picture and, for late ones, against what was stored.
extension Draft {
    /// - Returns: a verdict for each; unless the whole is wanted, for each of those, in the order of time, that the turn has
    ///   room for.
    fileprivate mutating func record(_ reports: [PingReport], isWhole: Bool) throws -> Recorded {
        var verdicts = [Verdict](repeating: .unknownPerson, count: reports.count)
        let numbers = reports.map { caller.mayAct(for: $0.person) ? picture.people.number(of: $0.person) : nil }
        // A turn has so few that a set of them would cost more.
        var moving: [(person: PersonNumber, from: Coordinate?, pairs: FencedPairs)] = []
        // What follows after the pings costs at most so much.
        var (owed, judged) = (0, 0)
        for index in reports.inOrderOfTime(receivedAt: received) {
            Effort.count(20)
            let report = reports[index]
            guard let number = numbers[index], let own = picture.people.throttle(of: number),
                let zones = picture.people.privacyZones(of: number),
                let terms = picture.people.terms(of: number)
            else {
                judged += 1
                continue
            }
            let isFirst = !moving.contains { $0.person == number }
            let pairs = isFirst ? picture.fencedPairs(with: number, at: received) : ([], [])
            let after = picture.mostSteps(judging: pairs)
            if !isWhole, judged > 0, !hasRoom(for: number, owing: owed + after) { break }
            judged += 1
            let incoming = IncomingPing(
                person: number, report: report, time: report.time ?? received, received: received,
                past: moment.lowerBound,
                rules: rules.overridden(by: own, retention: picture.people.retention(of: number)), zones: zones,
                terms: terms)
            if isFirst {
                moving.append((number, picture.people.whereabouts(of: number), pairs))
                owed += after
                let latest = moment.upperBound + rules.futureTolerance
                try suspect(of: number, after: latest)
            }
            verdicts[index] = try take(incoming)
        }
        var unjudged: [FencedPair] = []
        for (person, before, pairs) in moving { unjudged += try conclude(person, from: before, judging: pairs) }
        return Recorded(isWhole ? verdicts : Array(verdicts.prefix(judged)), unjudged: unjudged)
    }

    /// Judges a ping and does what its verdict says.
    ///
    /// When it is the last of a row that outweighs what it contradicts, that is suspect from now on, and the ping is judged by
    /// what is left.
    fileprivate mutating func take(_ incoming: IncomingPing) throws -> Verdict {
        let former = picture.people.last(of: incoming.person)?.publicCell
        var neighbours = try neighbours(of: incoming)
        var verdict = incoming.verdict(among: neighbours)
        if verdict == .impossibleSpeed {
            let run = incoming.outlierRun(after: picture.people.outliers.runs[incoming.person], among: neighbours)
            guard let rest = try rest(of: neighbours, around: incoming, after: run) else {
                try follow(.pings(.outlierRun(person: incoming.person, run)))
                return verdict
            }
            try suspect(run.accused, of: incoming.person)
            (neighbours, verdict) = (rest, incoming.verdict(among: rest, isConfirmed: true))
        }
        let point = neighbours.previous
        if verdict.isBelieved {
            try locate(incoming.person, at: incoming.fix, isStored: verdict == .stored, incoming.rules)
        }
        switch verdict {
        case .stored:
            if let point, incoming.endsStay(at: point) { try confirm(incoming, at: point) }
            let known = picture.people.rememberedCells(of: incoming.person)
            let ping = incoming.stored(among: neighbours, known)
            try follow(.pings(.stored(ping)))
            var cells = incoming.zones.rememberedCells(known, telling: ping.publicCell, at: ping.place)
            if let last = point, neighbours.after == nil, incoming.rules.defences.hasHysteresis {
                cells = RememberedCell.after(cells, leaving: last, at: incoming.time)
            }
            if cells != known { try follow(.strangers(.rememberedCells(person: incoming.person, cells))) }
        case .throttledByInterval, .throttledByDistance:
            if let point { try confirm(incoming, at: point) }
        default: break
        }
        if verdict.isBelieved { try endShares(of: incoming.person, incoming.time, from: former) }
        return verdict
    }

    /// Takes note of what a ping tells of the stay at the stored position before it; when that is more than is kept in mind of a
    /// person, what is known of the earliest is written.
    private mutating func confirm(_ incoming: IncomingPing, at point: JudgedPing) throws {
        guard let sighting = incoming.sighting(near: point, stay(of: incoming.person, at: point)) else { return }
        try follow(sighting)
        guard let key = picture.people.unwrittenStays.excess(of: incoming.person) else { return }
        try keep(Sighted(person: incoming.person, key: key))
    }

    /// How long a person was near a stored position, also by what is not written yet.
    func stay(of person: PersonNumber, at point: JudgedPing) -> Stay {
        picture.people.unwrittenStays.stay(of: person, at: point.key) ?? point.stay
    }

    /// What is left around a ping without the accused; nil when they are not outweighed, or when without them two stored
    /// positions would follow each other that were never judged by one another.
    private func rest(of neighbours: TimeNeighbours, around incoming: IncomingPing, after run: OutlierRun) throws
        -> TimeNeighbours?
    {
        guard run.count >= OutlierRun.enough else { return nil }
        let before = Set(neighbours.before.map(\.key))
        guard run.accused.isSuperset(of: before) || run.accused.isDisjoint(with: before) else { return nil }
        let rest = try self.neighbours(of: incoming, without: run.accused)
        return rest.after == nil || incoming.verdict(among: rest, isConfirmed: true) == .stored ? rest : nil
    }

    private mutating func suspect(_ accused: Set<PingKey>, of person: PersonNumber) throws {
        for key in accused.sorted() {
            let logged = picture.people.unfolded[person][key]?.ping
            // One that is nowhere needs no mark, and is no reason to refuse what others wrote into the same commit.
            guard let ping = try logged ?? transaction.ping(key, of: person) else { continue }
            try follow(.pings(.suspected(ping)))
        }
        guard let last = picture.people.last(of: person), accused.contains(last.key) else { return }
        let folded = try transaction.newest(of: person, except: accused)
        let logged = picture.people.unfolded[person].pings.last?.ping
        let newest = [folded, logged].compactMap(\.self).max { $0.key < $1.key }
        try follow(.pings(.newest(person: person, newest)))
        try forgetLive(of: person)
    }

    /// So many positions of a future that never came one batch marks at most.
    private static let mostOfTheFuture = 50

    /// Takes positions for suspect that were received while the clock was ahead: they would be the newest until then.
    private mutating func suspect(of person: PersonNumber, after latest: Timestamp) throws {
        if let fix = picture.people.live(of: person), fix.time > latest { try forgetLive(of: person) }
        for _ in 0..<Self.mostOfTheFuture {
            guard let last = picture.people.last(of: person), last.time > latest else { return }
            try suspect([last.key], of: person)
        }
    }

    /// The stored positions around a fix time: known here for one after the newest, else read as well.
    private func neighbours(of incoming: IncomingPing, without accused: Set<PingKey> = []) throws -> TimeNeighbours {
        let (number, time) = (incoming.person, incoming.time)
        var neighbours = TimeNeighbours(around: time, without: accused)
        if let last = picture.people.last(of: number) { neighbours.consider(last) }
        guard let newest = picture.people.newestTime(of: number), newest >= time || !accused.isEmpty else {
            return neighbours
        }
        if let suspect = picture.people.outliers.newestSuspects[number], suspect >= time {
            for ping in try transaction.suspects(of: number, at: time) { neighbours.consider(JudgedPing(ping)) }
        }
        let (before, after) = try transaction.neighbours(of: number, around: time, except: accused)
        for ping in before { neighbours.consider(JudgedPing(ping)) }
        if let after { neighbours.consider(JudgedPing(after)) }
        for logged in picture.people.unfolded[number].neighbours(around: time, except: accused) {
            neighbours.consider(JudgedPing(logged.ping))
        }
        return neighbours
    }
}
