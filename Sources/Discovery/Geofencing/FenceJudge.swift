internal import Geo
internal import Model

/// Detects when people enter and leave fences.
///
/// Fixes are judged in the order of fix times: a late fix changes nothing and never fires twice. Between two fixes less
/// than an hour apart the path is interpolated along the geodesic, so that crossing a fence is detected.
struct FenceJudge {
    /// Maximum time between two fixes whose path is interpolated.
    static let maxInterpolatedGap = Duration.seconds(3600)
    /// Accuracy in meters of a path's intersection with a border.
    private static let tolerance = 1.0
    /// Limits per fix, separate for own and for services' fences, so that own fences cannot crowd out services'.
    struct Bounds {
        /// Number of fences that fire; the others fire at the next fix.
        var firings: Int
        /// Work units of examining the fences.
        var steps: Int
    }

    static let mostAtOnce = 20
    static let ownBounds = Bounds(firings: mostAtOnce, steps: 12_000)
    static let serviceBounds = Bounds(firings: 24, steps: 32_000)
    /// Maximum work units of intersecting the path with one fence.
    private static let pathBudget = 2_000

    let person: PersonNumber
    /// The fix that was judged last; nil for none.
    let last: LiveFix?
    let fix: LiveFix

    /// The accuracy of the fix in meters.
    private var accuracy: Double { fix.accuracy.map(Double.init) ?? 0 }

    /// The start of the path to the fix; nil if the path is not known.
    private var pathStart: LiveFix? { last.flatMap { fix.time - $0.time < Self.maxInterpolatedGap ? $0 : nil } }

    /// Returns the changes of the fences that watch the person, in order of time.
    func changes(in state: borrowing LiveState) -> [FenceChange] {
        var steps = 0
        defer { WorkBudget.count(steps) }
        let start = pathStart?.place ?? fix.place
        let cap = Cap(from: start, to: fix.place)
        if state.isClear(cap, about: person) { return [] }
        let visits = state.fences.visits[person] ?? [:]
        let near =
            state.fences(about: person) ?? state.fences(about: person, from: start, to: fix.place, steps: &steps)
        guard !near.isEmpty || !visits.isEmpty else { return [] }
        var timedChanges: [(time: Timestamp, changes: [FenceChange])] = []
        var (own, ofServices) = (Self.ownBounds, Self.serviceBounds)
        let candidates = near.count + visits.count < 2 ? near + visits.keys : Set(near).union(visits.keys).sorted()
        for number in candidates {
            guard let entry = state.fences[number], entry.owner ?? person == person,
                entry.owner == nil ? ofServices.firings > 0 && ofServices.steps > 0 : own.firings > 0,
                visits[number] != nil || state.watches(entry, person) && entry.mayTouch(cap),
                entry.admits(fix)
            else { continue }
            var bounds = entry.owner == nil ? ofServices : own
            let stepsBefore = steps
            let area = state.areas(
                of: entry, from: start, to: fix.place, margin: entry.fence.margin ?? accuracy,
                atMost: min(bounds.steps, PlaceFences.mostSteps), steps: &steps)
            let changes = area.map { judge(entry, $0, visits[number], atMost: bounds.steps, &steps) } ?? []
            bounds.firings -= changes.isEmpty ? 0 : 1
            bounds.steps -= steps - stepsBefore
            if entry.owner == nil { ofServices = bounds } else { own = bounds }
            timedChanges += changes
        }
        // The sort is stable: simultaneous changes stay in the order of the fences.
        return timedChanges.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .flatMap(\.element.changes)
    }

    /// Judges a fence: at most one entry and one exit, however often the path crosses the border.
    ///
    /// Without work units left the path is ignored.
    private func judge(
        _ entry: Fences.Entry, _ area: FencedAreas, _ visit: FenceVisit?, atMost room: Int, _ steps: inout Int
    ) -> [(time: Timestamp, changes: [FenceChange])] {
        let isInside = area.contains(fix.place, steps: &steps)
        let isOutside =
            !isInside && (visit == nil || area.isOutside(fix.place, by: entry.fence.margin ?? accuracy, steps: &steps))
        var inside: [ClosedRange<Double>] = []
        if let pathStart, room > 0 {
            inside = area.passages(
                from: pathStart.place, to: fix.place, tolerance: Self.tolerance, atMost: min(room, Self.pathBudget),
                steps: &steps)
        }
        var timedChanges: [(time: Timestamp, changes: [FenceChange])] = []
        let number = entry.record.number
        if var visit {
            // A path that leaves does so at the end of its first part, which starts inside or returns from the margin.
            let left = isOutside && !inside.isEmpty ? time(at: inside.removeFirst().upperBound) : fix.time
            if !visit.isDwelling, let dwell = entry.fence.dwell, left - visit.since >= dwell {
                visit.isDwelling = true
                let dwellTime = visit.since + dwell
                timedChanges.append((dwellTime, [passed(.dwell, number, dwellTime), .visited(number, person, visit)]))
            }
            if isOutside { timedChanges.append((left, [passed(.exit, number, left), .left(number, person)])) }
            return timedChanges
        }
        if isInside {
            guard entry.fence.confirm == nil || isConfirmed(entry, area, &steps) else { return timedChanges }
            // If the path ends inside, the start of its last part is the entry.
            let entryTime = inside.last?.upperBound == 1 ? inside.last.map { time(at: $0.lowerBound) } : nil
            let since = entryTime ?? (entry.fence.confirm == nil ? fix : pathStart ?? fix).time
            // A one-time fence is deleted before it has a visit.
            let visit = FenceVisit(since: since)
            timedChanges.append((since, [passed(.enter, number, since), .visited(number, person, visit)]))
        } else if let part = inside.first, entry.fence.confirm == nil {
            let (entered, left) = (time(at: part.lowerBound), time(at: part.upperBound))
            timedChanges.append((entered, [passed(.enter, number, entered, isThrough: true)]))
            timedChanges.append((left, [passed(.exit, number, left, isThrough: true)]))
        }
        return timedChanges
    }

    /// Whether the fix before was inside as well, and precise enough.
    private func isConfirmed(_ entry: Fences.Entry, _ area: FencedAreas, _ steps: inout Int) -> Bool {
        guard let pathStart, entry.admits(pathStart) else { return false }
        return area.contains(pathStart.place, steps: &steps)
    }

    private func passed(
        _ passage: Fence.Passage, _ number: FenceNumber, _ time: Timestamp, isThrough: Bool = false
    ) -> FenceChange {
        .passed(FenceTransition(number, person, passage, at: time, isThrough: isThrough))
    }

    private func time(at fraction: Double) -> Timestamp {
        guard let last else { return fix.time }
        return last.time + .milliseconds(Int64((Double((fix.time - last.time).milliseconds) * fraction).rounded()))
    }
}

extension Fences.Entry {
    /// Whether a fix is precise enough to be judged.
    func admits(_ fix: LiveFix) -> Bool { fence.margin.map { Double(fix.accuracy ?? 0) <= $0 } ?? true }

    /// Whether a cap may touch the area.
    ///
    /// It uses only the area, so that all nodes count equal work units.
    fileprivate func mayTouch(_ cap: Cap) -> Bool { area.map { $0.clearance(of: cap.centre) <= cap.radius } ?? true }
}

extension LiveState {
    /// Whether certainly no fence of a service or of the person watches the person, who is inside none.
    func hasNoWatchers(_ person: PersonNumber) -> Bool {
        fences.named.everybody == 0 && fences.named.groupsOfServices.isEmpty && !fences.named.isAny(about: person)
            && fences.visits[person] == nil
    }

    /// Whether certainly the person is inside no fence, and no fence of a service or of the person that may watch them
    /// touches a cap.
    ///
    /// With a `wider` cap the cached result also answers for that cap later.
    func isClear(_ cap: Cap, upTo wider: Cap? = nil, about person: PersonNumber) -> Bool {
        guard !fences.overPlaces.isAny(about: person), fences.visits[person] == nil else { return false }
        return fences.nearbyFences.isClear(cap, upTo: wider ?? cap, of: person, fences.revision) {
            var steps = 0
            defer { WorkBudget.count(steps) }
            // Joining a group does not change the revision of the fences.
            if fences.named.groupsOfServices.isEmpty, let own = fences(about: person, atMost: Fences.several) {
                steps += 2 * own.count
                return own.reduce(.infinity) { min($0, fences[$1]?.area?.clearance(of: cap.centre) ?? .infinity) }
            }
            return fences.nearbyFences.look(near: person) {
                fences.index.clearance(about: cap, keeping: &$0, steps: &steps)
            }
        }
    }

    /// The fences of services and of the person that a way may touch.
    func fences(
        about person: PersonNumber, from start: Coordinate, to end: Coordinate, steps: inout Int
    ) -> [FenceNumber] {
        fences.nearbyFences.look(near: person) {
            fences.index.mayTouch(from: start, to: end, keeping: &$0, steps: &steps)
        }.map(FenceNumber.init) + fencesOverPlaces(watching: person, from: start, to: end, steps: &steps)
    }

    /// The fences of services and of the person that may watch a person; nil if there are more than `most`.
    func fences(about person: PersonNumber, atMost most: Int = Fences.few) -> [FenceNumber]? {
        // No copy of the whole list, because retaining shared memory on two threads contends.
        guard fences.named.everybody == 0,
            fences.named.groupsOfServices.isEmpty
                || !people.groups.joined(by: person).contains(where: { fences.named.groupsOfServices[$0] != nil })
        else { return nil }
        let few = fences.named.people[person]?.numbers ?? []
        return few.count > most ? nil : few
    }

    /// Whether a fence of a service, or of the person, watches a person.
    func watches(_ entry: Fences.Entry, _ person: PersonNumber) -> Bool {
        guard entry.owner ?? person == person else { return false }
        if let people = entry.people { return people.contains(person) }
        if let group = entry.group { return people.groups[group]?.members[person] != nil }
        guard let terms = entry.terms else { return true }
        guard let attributes = people.record(of: person)?.value.attributes else { return false }
        var steps = 0
        defer { WorkBudget.count(steps) }
        return terms.allSatisfy { $0.match(attributes, &steps) }
    }
}

extension Draft {
    /// Judges a person's fix and the path from the last fix against the fences.
    ///
    /// - Returns: whether there were changes.
    mutating func judgeFences(of person: PersonNumber, _ fix: LiveFix, after last: LiveFix?) throws -> Bool {
        guard !state.fences.isEmpty, !state.hasNoWatchers(person) else { return false }
        let changes = FenceJudge(person: person, last: last, fix: fix).changes(in: state)
        for change in changes { try write(fence: change) }
        return !changes.isEmpty
    }

    /// Makes a change of a fence, and deletes a one-time fence that has fired.
    mutating func write(fence change: FenceChange) throws {
        let isReported = state.isReported(change)
        // A one-time fence that has fired reports nothing more.
        guard state.fences[change.fence] != nil else { return }
        let isKept = try writeAndReport(.fences(change))
        if isReported, isKept, state.fences[change.fence]?.fence.isOnce ?? false {
            try write(.fences(.deleted(change.fence)))
        }
    }

    /// Fires the dwell events that are due.
    mutating func fireTimedFences(by time: DueTime) throws -> Bool {
        let due = state.fences.due(by: time, atMost: Engine.turnWeight)
        for (number, person) in due {
            guard var visit = state.fences.visits[person]?[number], let entry = state.fences[number],
                let dwell = entry.fence.dwell
            else { continue }
            visit.isDwelling = true
            try write(fence: .visited(number, person, visit))
            var passing = FenceTransition(number, person, .dwell, at: visit.since + dwell)
            if entry.owner ?? person != person {
                guard let shown = state.shownInside(entry, person, at: received) else { continue }
                passing.precision = shown.precision
            }
            try write(fence: .passed(passing))
        }
        return due.count == Engine.turnWeight
    }
}

extension LiveState {
    /// Whether a change is reported, because the fence reports this transition and is active.
    func isReported(_ change: FenceChange) -> Bool {
        guard case .passed(let passing) = change, let entry = fences[passing.fence] else { return false }
        return entry.fence.passages.contains(passing.passage) && entry.isReported(at: passing.time)
    }
}

extension FenceChange {
    fileprivate var fence: FenceNumber {
        switch self {
        case .put(let record, _, _): record.number
        case .deleted(let number), .visited(let number, _, _), .left(let number, _), .watched(let number, _, _),
            .asked(let number, _), .watchEnded(let number, _), .alertDue(let number, _, _):
            number
        case .passed(let passing): passing.fence
        }
    }
}
