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
    /// How much a fix does in the fences of a person, and apart from these in those of services, so that nobody turns those off.
    struct Bounds {
        /// How many fences ring; the others ring by the next fix.
        var rings: Int
        /// How many steps they are looked at for.
        var steps: Int
    }

    static let mostAtOnce = 20
    static let ownBounds = Bounds(rings: mostAtOnce, steps: 12_000)
    static let boundsOfServices = Bounds(rings: 24, steps: 32_000)
    /// How many steps a way is looked at for one fence.
    private static let stepsOfWay = 2_000

    let person: PersonNumber
    /// Where the person was last judged; nil for never.
    let last: LiveFix?
    let fix: LiveFix

    /// How far the fix may be wrong, in metres.
    private var accuracy: Double { fix.accuracy.map(Double.init) ?? 0 }

    /// The way since the last fix; nil if nothing is known of it.
    private var way: LiveFix? { last.flatMap { fix.time - $0.time < Self.longestWay ? $0 : nil } }

    /// What follows for the fences that watch the person, in the order in which it happened.
    func changes(in picture: borrowing Picture) -> [FenceChange] {
        var steps = 0
        defer { Effort.count(steps) }
        let start = way?.place ?? fix.place
        let cap = Cap(from: start, to: fix.place)
        if picture.isClear(cap, about: person) { return [] }
        let visits = picture.fences.visits[person] ?? [:]
        let near = picture.fences(about: person) ?? fences(near: start, in: picture, &steps)
        guard !near.isEmpty || !visits.isEmpty else { return [] }
        var happened: [(time: Timestamp, changes: [FenceChange])] = []
        var (own, ofServices) = (Self.ownBounds, Self.boundsOfServices)
        let concerned = near.count + visits.count < 2 ? near + visits.keys : Set(near).union(visits.keys).sorted()
        for number in concerned {
            guard let entry = picture.fences[number], entry.owner ?? person == person,
                entry.owner == nil ? ofServices.rings > 0 && ofServices.steps > 0 : own.rings > 0,
                visits[number] != nil || picture.watches(entry, person) && entry.mayTouch(cap),
                entry.fence.margin.map({ accuracy <= $0 }) ?? true
            else { continue }
            var bounds = entry.owner == nil ? ofServices : own
            let found = steps
            let area = picture.areas(
                of: entry, from: start, to: fix.place, margin: entry.fence.margin ?? accuracy,
                atMost: min(bounds.steps, PlaceFences.mostSteps), steps: &steps)
            let changes = area.map { judge(entry, $0, visits[number], atMost: bounds.steps, &steps) } ?? []
            bounds.rings -= changes.isEmpty ? 0 : 1
            bounds.steps -= steps - found
            if entry.owner == nil { ofServices = bounds } else { own = bounds }
            happened += changes
        }
        // What happened at the same instant stays in the order of the fences.
        return happened.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .flatMap(\.element.changes)
    }

    /// The fences that the way from a place may touch.
    private func fences(near start: Coordinate, in picture: borrowing Picture, _ steps: inout Int) -> [FenceNumber] {
        picture.fences.neighbourhoods.look(near: person) {
            picture.fences.index.mayTouch(from: start, to: fix.place, keeping: &$0, steps: &steps)
        }.map(FenceNumber.init)
            + picture.fencesOverPlaces(watching: person, from: start, to: fix.place, steps: &steps)
    }

    /// What follows for a fence: at most one entry and one exit, however often the way crosses the border.
    ///
    /// Nothing is known of the way where it may take no more steps.
    private func judge(
        _ entry: Fences.Entry, _ area: FencedAreas, _ visit: FenceVisit?, atMost room: Int, _ steps: inout Int
    ) -> [(time: Timestamp, changes: [FenceChange])] {
        let isInside = area.contains(fix.place, steps: &steps)
        let isOutside =
            !isInside && (visit == nil || area.isOutside(fix.place, by: entry.fence.margin ?? accuracy, steps: &steps))
        var inside: [ClosedRange<Double>] = []
        if let way, room > 0 {
            inside = area.passages(
                from: way.place, to: fix.place, tolerance: Self.tolerance, atMost: min(room, Self.stepsOfWay),
                steps: &steps)
        }
        var happened: [(time: Timestamp, changes: [FenceChange])] = []
        let number = entry.record.number
        if var visit {
            // A way that leaves does so at the end of the part that it begins in, or that it comes back to from the margin.
            let left = isOutside && !inside.isEmpty ? time(at: inside.removeFirst().upperBound) : fix.time
            if !visit.isDwelling, let dwell = entry.fence.dwell, left - visit.since >= dwell {
                visit.isDwelling = true
                let told = visit.since + dwell
                happened.append((told, [passed(.dwell, number, told), .visited(number, person, visit)]))
            }
            if isOutside { happened.append((left, [passed(.exit, number, left), .left(number, person)])) }
            return happened
        }
        if isInside {
            // Where the way ends inside, the last part of it is where the person came in.
            let came = inside.last?.upperBound == 1 ? inside.last.map { time(at: $0.lowerBound) } : nil
            let since = came ?? fix.time
            // What rings once is gone before it has a visit.
            let visit = FenceVisit(since: since)
            happened.append((since, [passed(.enter, number, since), .visited(number, person, visit)]))
        } else if let part = inside.first {
            let (entered, left) = (time(at: part.lowerBound), time(at: part.upperBound))
            happened.append((entered, [passed(.enter, number, entered, isThrough: true)]))
            happened.append((left, [passed(.exit, number, left, isThrough: true)]))
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

extension Fences.Entry {
    /// Whether a cap may touch the area, which does not depend on what else is found near it: the steps of fences decide which of
    /// them ring, on all machines that follow a log alike.
    fileprivate func mayTouch(_ cap: Cap) -> Bool { area.map { $0.clearance(of: cap.centre) <= cap.radius } ?? true }
}

extension Picture {
    /// Whether no fence of a service, or of the person themselves, watches a person, for sure if it says so, and the person is in
    /// none.
    func isUnwatched(_ person: PersonNumber) -> Bool {
        fences.named.everybody == 0 && fences.named.groupsOfServices.isEmpty && !fences.named.isAny(about: person)
            && fences.visits[person] == nil
    }

    /// Whether a person is in no fence, and a cap touches none of a service or of the person themselves that may watch them; for
    /// sure if it says so.
    ///
    /// Of a wider cap, if one is given, it is known afterwards as well.
    func isClear(_ cap: Cap, upTo wider: Cap? = nil, about person: PersonNumber) -> Bool {
        guard !fences.overPlaces.isAny(about: person), fences.visits[person] == nil else { return false }
        return fences.neighbourhoods.isClear(cap, upTo: wider ?? cap, of: person, fences.revision) {
            var steps = 0
            defer { Effort.count(steps) }
            // What groups somebody joins does not change the fences.
            if fences.named.groupsOfServices.isEmpty, let own = fences(about: person, atMost: Fences.several) {
                steps += 2 * own.count
                return own.reduce(.infinity) { min($0, fences[$1]?.area?.clearance(of: cap.centre) ?? .infinity) }
            }
            return fences.neighbourhoods.look(near: person) {
                fences.index.clearance(about: cap, keeping: &$0, steps: &steps)
            }
        }
    }

    /// The fences of services and of the person themselves that may watch a person; nil if they are more than so many.
    func fences(about person: PersonNumber, atMost most: Int = Fences.few) -> [FenceNumber]? {
        // Not by a copy of them all: what two threads retain at once each waits for.
        guard fences.named.everybody == 0,
            fences.named.groupsOfServices.isEmpty
                || !people.groups.joined(by: person).contains(where: { fences.named.groupsOfServices[$0] != nil })
        else { return nil }
        let few = fences.named.people[person]?.numbers ?? []
        return few.count > most ? nil : few
    }

    /// Whether a fence of a service, or of the person themselves, watches a person.
    func watches(_ entry: Fences.Entry, _ person: PersonNumber) -> Bool {
        guard entry.owner ?? person == person else { return false }
        if let people = entry.people { return people.contains(person) }
        if let group = entry.group { return people.groups[group]?.members[person] != nil }
        guard let terms = entry.terms else { return true }
        guard let attributes = people.record(of: person)?.value.attributes else { return false }
        var steps = 0
        defer { Effort.count(steps) }
        return terms.allSatisfy { $0.match(attributes, &steps) }
    }
}

extension Draft {
    /// Judges where a person is now, and was last, against the fences.
    ///
    /// - Returns: whether anything followed.
    mutating func judgeFences(of person: PersonNumber, _ fix: LiveFix, after last: LiveFix?) throws -> Bool {
        guard !picture.fences.isEmpty, !picture.isUnwatched(person) else { return false }
        let changes = FenceJudge(person: person, last: last, fix: fix).changes(in: picture)
        for change in changes { try follow(fence: change) }
        return !changes.isEmpty
    }

    /// Makes a change of a fence, and deletes the fence if it told of something for the only time.
    mutating func follow(fence change: FenceChange) throws {
        let isTold = picture.isTold(change)
        // Of a fence that has told of something for the only time nothing more is said.
        guard picture.fences[change.fence] != nil else { return }
        let isKept = try followAndTell(.fences(change))
        if isTold, isKept, picture.fences[change.fence]?.fence.isOnce ?? false {
            try follow(.fences(.deleted(change.fence)))
        }
    }

    /// Tells of those who have stayed in a fence for long enough by a time.
    mutating func tellDwelling(by time: DueTime) throws -> Bool {
        let due = picture.fences.due(by: time, atMost: Live.turn)
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
    fileprivate var fence: FenceNumber {
        switch self {
        case .put(let record, _, _): record.number
        case .deleted(let number), .visited(let number, _, _), .left(let number, _), .watched(let number, _, _),
            .asked(let number, _), .unwatched(let number, _), .awaited(let number, _, _):
            number
        case .passed(let passing): passing.fence
        }
    }
}
