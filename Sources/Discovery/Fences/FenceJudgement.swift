internal import Geo
internal import Model

/// How people come into fences and leave them.
///
/// A fix is judged in the order of fix times: a late one changes nothing and rings never twice. Between two fixes that are less
/// than an hour apart the way is taken along the geodesic, so that who went through a fence is told of.
struct FenceJudge {
    /// Fixes so far apart say nothing of the way between them.
    static let longestWay = Duration.seconds(3600)
    /// To how many metres it is told where a way crosses a border.
    private static let tolerance = 1.0

    let person: PersonNumber
    /// Where the person was last judged; nil for never.
    let last: FenceFix?
    let fix: FenceFix
    /// How far the fix may be wrong, in metres.
    let accuracy: Double

    /// The way since the last fix; nil if nothing is known of it.
    private var way: FenceFix? { last.flatMap { fix.time - $0.time < Self.longestWay ? $0 : nil } }

    /// What follows for the fences that watch the person, in the order in which it happened.
    func changes(in picture: borrowing Picture) -> [FenceChange] {
        var steps = 0
        defer { Effort.count(steps) }
        let visits = picture.fences.visits[person] ?? [:]
        let near = picture.fences.index.mayTouch(
            from: way?.place ?? fix.place, to: fix.place, margin: 0, steps: &steps
        ).map { FenceNumber($0) }
        guard !near.isEmpty || !visits.isEmpty else { return [] }
        var happened: [(time: Timestamp, changes: [FenceChange])] = []
        for number in Set(near).union(visits.keys).sorted() {
            guard let entry = picture.fences[number], let area = entry.area, entry.owner ?? person == person,
                visits[number] != nil || picture.watches(entry, person),
                entry.fence.margin.map({ accuracy <= $0 }) ?? true
            else { continue }
            happened += judge(entry, area, visits[number], &steps)
        }
        // What happened at the same instant stays in the order of the fences.
        return happened.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .flatMap(\.element.changes)
    }

    private func judge(
        _ entry: Fences.Entry, _ area: FencedArea, _ visit: FenceVisit?, _ steps: inout Int
    ) -> [(time: Timestamp, changes: [FenceChange])] {
        let isInside = area.contains(fix.place, steps: &steps)
        let isOutside =
            !isInside && (visit == nil || area.isOutside(fix.place, by: entry.fence.margin ?? accuracy, steps: &steps))
        var inside =
            way.map { area.passages(from: $0.place, to: fix.place, tolerance: Self.tolerance, steps: &steps) } ?? []
        var happened: [(time: Timestamp, changes: [FenceChange])] = []
        let number = entry.record.number
        if var visit {
            // A way that leaves does so at the end of the part that it begins in, or that it comes back to from the margin.
            let left = isOutside && !inside.isEmpty ? time(at: inside.removeFirst().upperBound) : fix.time
            if !visit.isDwelling, let dwell = entry.fence.dwell, left - visit.since >= dwell {
                visit.isDwelling = true
                let told = visit.since + dwell
                happened.append((told, [.visited(number, person, visit), passed(.dwell, number, told)]))
            }
            guard isOutside else { return happened }
            happened.append((left, [.left(number, person), passed(.exit, number, left)]))
        }
        // Where the way ends inside, the last part of it is where the person came in.
        var came: Timestamp?
        if isInside {
            came = inside.last?.upperBound == 1 ? inside.popLast().map { time(at: $0.lowerBound) } : fix.time
        }
        for part in inside {
            let (entered, left) = (time(at: part.lowerBound), time(at: part.upperBound))
            happened.append((entered, [passed(.enter, number, entered, isThrough: true)]))
            happened.append((left, [passed(.exit, number, left, isThrough: true)]))
        }
        if let came {
            happened.append((came, [.visited(number, person, FenceVisit(since: came)), passed(.enter, number, came)]))
        }
        return happened
    }

    private func passed(
        _ passage: Fence.Passage, _ number: FenceNumber, _ time: Timestamp, isThrough: Bool = false
    ) -> FenceChange {
        .passed(FencePassing(number, person, passage, at: time, isThrough: isThrough))
    }

    private func time(at share: Double) -> Timestamp {
        guard let last else { return fix.time }
        return last.time + .milliseconds(Int64((Double((fix.time - last.time).milliseconds) * share).rounded()))
    }
}

extension Picture {
    /// Whether a fence of a service, or of the person themselves, watches a person.
    func watches(_ entry: Fences.Entry, _ person: PersonNumber) -> Bool {
        guard entry.owner ?? person == person else { return false }
        if let people = entry.people { return people.contains(person) }
        guard let group = entry.group else { return true }
        return people.groups[group]?.members[person] != nil
    }
}

extension Draft {
    /// Judges a fix of a person that the rules believe, before it is stored, against the fences.
    ///
    /// The throttle does not ask of a fix that comes too soon how fast it would have been; fences do.
    mutating func judgeFences(
        of person: PersonNumber, _ fix: FenceFix, accuracy: Float?, _ rules: PingRules
    ) throws {
        guard !picture.fences.isEmpty else { return }
        let stored = picture.people.last(of: person).map { FenceFix($0.time, $0.place) }
        let last = [picture.fences.fixes[person], stored].compactMap(\.self).max { $0.time < $1.time }
        if let last {
            let here = Fix(time: fix.time, place: fix.place, accuracy: accuracy ?? 0)
            let there = Fix(time: last.time, place: last.place, accuracy: 0)
            guard last.time < fix.time, !rules.isTooFast(from: there, to: here) else { return }
        }
        let judge = FenceJudge(person: person, last: last, fix: fix, accuracy: accuracy.map(Double.init) ?? 0)
        let changes = judge.changes(in: picture)
        for change in changes { try follow(fence: change) }
        try follow(.fences(.judged(person, fix, isKept: !changes.isEmpty)))
    }

    /// Makes a change of a fence, and deletes the fence if it told of something for the only time.
    mutating func follow(fence change: FenceChange) throws {
        let isTold = picture.isTold(change)
        // Of a fence that has told of something for the only time nothing more is said.
        guard change.fence.map({ picture.fences[$0] != nil }) ?? true else { return }
        try follow(.fences(change))
        if isTold, let number = change.fence, picture.fences[number]?.fence.isOnce ?? false {
            try follow(.fences(.deleted(number)))
        }
    }

    /// Tells of those who have stayed in a fence for long enough by now.
    mutating func tellDwelling() throws -> Bool {
        let due = picture.fences.due(at: received, atMost: Live.turn)
        for (number, person) in due {
            guard var visit = picture.fences.visits[person]?[number], let entry = picture.fences[number],
                let dwell = entry.fence.dwell
            else { continue }
            visit.isDwelling = true
            try follow(fence: .visited(number, person, visit))
            var passing = FencePassing(number, person, .dwell, at: visit.since + dwell)
            if entry.owner ?? person != person {
                guard let shown = picture.shownInside(entry, person, at: received) else { continue }
                passing.precision = shown.precision
            }
            try follow(fence: .passed(passing))
        }
        return due.count == Live.turn
    }
}

extension Picture {
    /// Whether somebody is told of a change of a fence.
    func isTold(_ change: FenceChange) -> Bool {
        guard case .passed(let passing) = change, let entry = fences[passing.fence] else { return false }
        return entry.fence.passages.contains(passing.passage) && entry.isTold(at: passing.time)
    }
}

extension FenceChange {
    fileprivate var fence: FenceNumber? {
        switch self {
        case .put(let record, _): record.number
        case .deleted(let number), .visited(let number, _, _), .left(let number, _), .watched(let number, _, _),
            .unwatched(let number, _), .awaited(let number, _, _):
            number
        case .passed(let passing): passing.fence
        case .judged: nil
        }
    }
}

extension Picture {
    /// How far a hint lets somebody go at least, in metres, and for how long, however near a border is.
    static let (leastBeyond, leastPause) = (50.0, Duration.seconds(15))

    /// A hint that lets nobody come over the border of a fence that watches them, or near to somebody, but by ``leastBeyond``.
    ///
    /// It is that of the throttle if no border is in its circle; else a circle about where the person was last judged, as far as
    /// the nearest border and never farther than the throttle's circle reaches: a fix within cannot be stored. It ends no later
    /// than a border can be reached at the highest speed, for what is known of borders.
    func safe(_ hint: Hint, of person: PersonNumber, _ rules: PingRules, at now: Timestamp) -> Hint {
        guard !fences.isEmpty, let fix = fences.fixes[person] else { return hint }
        let isLeaving = isLeaving(person, fix)
        let away = Geodesic.distance(from: hint.from, to: fix.place)
        let border = isLeaving ? 0 : distanceToBorder(of: person, from: fix.place, upTo: hint.beyond + away, at: now)
        guard border < hint.beyond + away || isWatched(person) else { return hint }
        var safe = hint
        let reached = fix.time + max(Self.leastPause, .milliseconds(Int64(border / rules.maximumSpeed * 1000)))
        safe.notBefore = min(hint.notBefore, reached)
        guard border < hint.beyond + away else { return safe }
        if !isLeaving, 0 < away, away < hint.beyond,
            distanceToBorder(of: person, from: hint.from, upTo: hint.beyond, at: now) >= hint.beyond
        {
            return safe
        }
        safe.from = fix.place
        safe.beyond = min(max(0, hint.beyond - away), max(Self.leastBeyond, border))
        return safe
    }

    /// Whether somebody is outside of a fence, but not far enough to have left: they leave by the next fix if that is more exact.
    private func isLeaving(_ person: PersonNumber, _ fix: FenceFix) -> Bool {
        var steps = 0
        defer { Effort.count(steps) }
        return fences.visits[person, default: [:]].keys.contains { number in
            guard let entry = fences[number], let area = entry.area, watches(entry, person) else { return false }
            return !area.contains(fix.place, steps: &steps)
        }
    }

    /// How far it is at least to the next border, or to coming near to somebody or leaving them; at most a limit.
    private func distanceToBorder(
        of person: PersonNumber, from place: Coordinate, upTo limit: Double, at now: Timestamp
    ) -> Double {
        var steps = 0
        let border = fences.index.distanceToNextBorder(from: place, upTo: limit, steps: &steps) { number in
            fences[FenceNumber(number)].map { watches($0, person) } ?? false
        }
        Effort.count(steps)
        return distanceToNearness(of: person, from: place, upTo: border, at: now)
    }

    /// Whether a fence of a service, or of the person themselves, may watch them, wherever it is.
    private func isWatched(_ person: PersonNumber) -> Bool {
        let named = fences.named
        return named.everybody > 0 || named.people[person] != nil || !fences.list(of: person, atMost: 1).isEmpty
            || !named.groups.isEmpty && people.groups.joined(by: person).contains { named.groups[$0] != nil }
    }
}
