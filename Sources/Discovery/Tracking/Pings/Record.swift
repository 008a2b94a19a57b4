internal import Geo
public import Model
internal import Storage

/// Stores the positions that the rules accept.
public struct Record: Action {
    private enum CodingKeys: CodingKey { case reports, pendingFences, isAlone }

    let reports: [PingReport]
    /// The fences to judge after pings of earlier turns; nil with pings.
    private var pendingFences: PendingFenceChecks?
    /// Whether the whole upload is one ping, whose fences are judged in its turn; nil if not.
    private var isAlone: Bool?
    private var weightOfPing = 1
    /// The part of a batch; nil for a whole batch.
    private var part: BatchPart?

    /// Positions in any order; they are judged in order of fix time.
    public init(_ reports: [PingReport]) { (self.reports, isAlone) = (reports, reports.count == 1 ? true : nil) }

    /// Some pings of a larger upload.
    private init(partOf reports: [PingReport]) { self.reports = reports }

    private init(judging pendingFences: PendingFenceChecks) { (reports, self.pendingFences) = ([], pendingFences) }

    /// One per ping; more for people with many fences on a replicated log, where a part cannot end between two pings.
    public var weight: Int { pendingFences == nil ? max(1, reports.count * weightOfPing) : Engine.turnWeight }
    /// True for pings, false for the judging of fences.
    public var fillsLog: Bool { pendingFences == nil }

    /// Returns the action with the maximum weight of a ping of these people.
    public func weighed(by state: borrowing LiveState) -> Record {
        var (weighed, most) = (self, 0)
        for person in Set(reports.map(\.person)) {
            guard let number = state.people.number(of: person) else { continue }
            most = max(most, state.mostSteps(ofPingOf: number))
        }
        weighed.weightOfPing = max(1, min(Engine.turnWeight, most * Engine.turnWeight / WorkBudget.stepsPerTurn))
        return weighed
    }

    /// Splits the batch into chunks in order of time, as one batch would be judged.
    public func cut(receivedAt received: Timestamp) -> Chunks<Record> {
        guard reports.count > 1 else { return Chunks(self) }
        let stretches = reports.inOrderOfTime(receivedAt: received).stretches { _ in weightOfPing }
        let parts = BatchPart.parts(of: stretches.map { $0.map { reports[$0] } }).map { part in
            var record = Record(partOf: part.stretch)
            (record.weightOfPing, record.part) = (weightOfPing, part)
            return record
        }
        return Chunks(parts) { Recorded(of: stretches.flatMap(\.self), $0) }
    }

    /// Judges pings in order of fix time, late ones also against stored positions.
    ///
    /// - Returns: a verdict per ping, in the given order; for a part of a batch, per ping that fit into the turn.
    public func apply(to draft: inout Draft) throws -> Recorded {
        if let pendingFences { return Recorded([], pendingFences: try draft.judge(pendingFences)) }
        // Nodes of a replicated log count different work units, and must all make equal changes.
        guard let part, !draft.isShared else {
            var recorded = try draft.record(reports, isWhole: true)
            if isAlone ?? false { recorded.pendingFences = try draft.judge(recorded.pendingFences) }
            return recorded
        }
        let recorded = try draft.record(part.reports, isWhole: false)
        part.note(recorded.verdicts.count)
        return recorded
    }

    /// Continues with the pings that did not fit into a turn, then with the fences to judge.
    public func finish(
        _ first: Recorded, _ step: (Record) async throws -> Recorded
    ) async throws -> Recorded {
        var whole = first
        while !whole.left.isEmpty {
            let left = whole.left
            whole.add(try await step(Record(partOf: left.map { reports[$0] })), of: left)
        }
        while !whole.pendingFences.isEmpty {
            whole.pendingFences = try await step(Record(judging: whole.pendingFences)).pendingFences
        }
        return whole
    }
}

extension [PingReport] {
    /// The indices in order of fix time; stable for equal times.
    fileprivate func inOrderOfTime(receivedAt received: Timestamp) -> [Int] {
        indices.sorted { a, b in (self[a].time ?? received, a) < (self[b].time ?? received, b) }
    }
}

/// Judges pings against the in-memory state and, if late, against stored positions.
extension Draft {
    /// - Returns: a verdict per ping; unless `isWhole`, per ping that fits into the turn, in order of time.
    fileprivate mutating func record(_ reports: [PingReport], isWhole: Bool) throws -> Recorded {
        var verdicts = [Verdict](repeating: .unknownPerson, count: reports.count)
        let numbers = reports.map { caller.mayAct(for: $0.person) ? state.people.number(of: $0.person) : nil }
        // A turn has so few people that a set would cost more.
        var moving: [(person: PersonNumber, from: Coordinate?)] = []
        var judged = 0
        for index in reports.inOrderOfTime(receivedAt: received) {
            WorkBudget.count(20)
            let report = reports[index]
            guard let number = numbers[index], let own = state.people.throttle(of: number),
                let zones = state.people.privacyZones(of: number),
                let terms = state.people.terms(of: number)
            else {
                judged += 1
                continue
            }
            let isFirst = !moving.contains { $0.person == number }
            if !isWhole, judged > 0, !hasRoom(for: number) { break }
            judged += 1
            let incoming = ReceivedPing(
                person: number, report: report, time: report.time ?? received, received: received,
                past: moment.lowerBound,
                rules: rules.overridden(by: own, retention: state.people.retention(of: number)), zones: zones,
                terms: terms)
            if isFirst {
                moving.append((number, state.people.whereabouts(of: number)))
                let latest = moment.upperBound + rules.futureTolerance
                try suspect(of: number, after: latest)
            }
            verdicts[index] = try process(incoming)
        }
        for (person, before) in moving { try conclude(person, from: before) }
        let people = moving.map(\.person).filter { state.hasFencedPairs($0) }
        return Recorded(
            isWhole ? verdicts : Array(verdicts.prefix(judged)), pendingFences: PendingFenceChecks(people: people))
    }

    /// Records a ping's evidence about the stay at the stored position before it; writes the person's earliest stay if
    /// too many are unwritten.
    mutating func confirm(_ incoming: ReceivedPing, at point: RecentPing) throws {
        guard let stayChange = incoming.stayChange(near: point, stay(of: incoming.person, at: point)) else { return }
        try write(stayChange)
        guard let key = state.people.pendingStays.excess(of: incoming.person) else { return }
        try keep(PendingWrite(person: incoming.person, key: key))
    }

    /// A person's stay near a stored position, including what is not written yet.
    func stay(of person: PersonNumber, at point: RecentPing) -> Stay {
        state.people.pendingStays.stay(of: person, at: point.key) ?? point.stay
    }

    /// The neighbors of a ping without the accused positions; nil if the evidence is too weak, or if two stored
    /// positions never judged by each other would become consecutive.
    func rest(of neighbours: TimeNeighbours, around incoming: ReceivedPing, after run: OutlierRun) throws
        -> TimeNeighbours?
    {
        guard run.count >= OutlierRun.enough else { return nil }
        let before = Set(neighbours.before.map(\.key))
        guard run.accused.isSuperset(of: before) || run.accused.isDisjoint(with: before) else { return nil }
        let rest = try self.neighbours(of: incoming, without: run.accused)
        return rest.after == nil || incoming.verdict(among: rest, isConfirmed: true) == .stored ? rest : nil
    }

    mutating func suspect(_ accused: Set<PingKey>, of person: PersonNumber) throws {
        for key in accused.sorted() {
            let logged = state.people.logTail[person][key]?.ping
            // A missing position needs no mark, and must not fail the writes of others in the same commit.
            guard let ping = try logged ?? transaction.ping(key, of: person) else { continue }
            try write(.pings(.suspected(ping)))
        }
        guard let last = state.people.last(of: person), accused.contains(last.key) else { return }
        let compacted = try transaction.newest(of: person, except: accused)
        let logged = state.people.logTail[person].pings.last?.ping
        let newest = [compacted, logged].compactMap(\.self).max { $0.key < $1.key }
        try write(.pings(.newest(person: person, newest)))
        try forgetLive(of: person)
    }

    /// Maximum number of positions with future times that one batch marks.
    private static let maxFutureMarks = 50

    /// Marks future positions, received while the clock was ahead, as suspect: they would stay the newest.
    private mutating func suspect(of person: PersonNumber, after latest: Timestamp) throws {
        if let fix = state.people.live(of: person), fix.time > latest { try forgetLive(of: person) }
        for _ in 0..<Self.maxFutureMarks {
            guard let last = state.people.last(of: person), last.time > latest else { return }
            try suspect([last.key], of: person)
        }
    }

    /// The stored positions around a fix time, from memory if the ping is the newest, else also from the tables.
    func neighbours(of incoming: ReceivedPing, without accused: Set<PingKey> = []) throws -> TimeNeighbours {
        let (number, time) = (incoming.person, incoming.time)
        var neighbours = TimeNeighbours(around: time, without: accused)
        if let last = state.people.last(of: number) { neighbours.consider(last) }
        guard let newest = state.people.newestTime(of: number), newest >= time || !accused.isEmpty else {
            return neighbours
        }
        if let suspect = state.people.outliers.newestSuspects[number], suspect >= time {
            for ping in try transaction.suspects(of: number, at: time) { neighbours.consider(RecentPing(ping)) }
        }
        let (before, after) = try transaction.neighbours(of: number, around: time, except: accused)
        for ping in before { neighbours.consider(RecentPing(ping)) }
        if let after { neighbours.consider(RecentPing(after)) }
        for logged in state.people.logTail[number].neighbours(around: time, except: accused) {
            neighbours.consider(RecentPing(logged.ping))
        }
        return neighbours
    }
}
