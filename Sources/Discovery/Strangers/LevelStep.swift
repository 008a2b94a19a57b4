internal import Geo
public import Model
internal import Storage

/// A step towards how fine public cells shall be; each is as much as the writer does in a turn.
///
/// What there shall be is worked out beforehand, from many readings, and said in the step: so what a step does depends on
/// nothing but the picture and the step.
enum LevelStep: Action {
    /// These cells have enough people now, those no longer.
    case cells(denser: [CubeCell], sparser: [CubeCell])
    /// The people of these numbers follow what was decided about cells.
    case people(Range<PersonNumber>)
    /// All have followed.
    case made

    var weight: Int { Live.turn }

    func carryOut(on draft: inout Draft) throws {
        try draft.refusePeople()
        guard draft.picture.people.levels != nil else { return }
        switch self {
        case .cells(let denser, let sparser):
            try draft.follow(.strangers(.levels(since: draft.received, denser: denser, sparser: sparser)))
        case .people(let numbers): try draft.follow(.strangers(.levelled(people: numbers)))
        case .made: try draft.follow(.strangers(.levelsMade(draft.received)))
        }
    }
}

/// Deciding how fine public cells are.
extension Picture {
    /// The levels are decided anew after this time, not sooner.
    private static let levelsLast = Duration.seconds(86_400)

    func areLevelsToBeDecided(dueAt now: Timestamp) -> Bool {
        guard let levels = people.levels else { return false }
        // Also when a clock was ahead that is right by now.
        return levels.made.map { now >= $0 + Self.levelsLast || now < $0 - Self.levelsLast } ?? true
    }
}

/// How many people are settled in each cell, counted some at a time.
private struct Census {
    /// Who has been found in a neighbourhood for so long counts there.
    private static let settled = Duration.seconds(7 * 86_400)
    /// *k*-anonymity, *k* = 20: a cell with fewer adults is not shown; the one around it is.
    private static let k = 20
    /// How many people are looked at in one reading.
    private static let peopleAtOnce = 2_000

    let now: Timestamp
    private var counts: [CubeCell: Int] = [:]
    private(set) var next: PersonNumber = 0

    init(at now: Timestamp) { self.now = now }

    /// The cells that have enough people.
    var dense: Set<CubeCell> { Set(counts.filter { $0.value >= Self.k }.keys) }

    /// Counts some more.
    ///
    /// Whoever has just come does not count, so that accounts made for it do not make anybody's cell finer before a week is over. What
    /// counts is the recorded cell, never a position.
    ///
    /// - Returns: whether everybody has been counted.
    mutating func look(at people: borrowing People) -> Bool {
        let end = min(people.nextNumber, next.advanced(by: Self.peopleAtOnce))
        Effort.count(5 * next.distance(to: end))
        for number in next..<end {
            guard let state = people[number], let last = state.last, let residence = state.traces.residence,
                now - residence.since >= Self.settled, state.person.isToldAdult(at: now)
            else { continue }
            for level in CellLevels.coarsest + 1...CellLevels.finest {
                counts[last.publicCell.ancestor(level), default: 0] += 1
            }
        }
        next = end
        return end == people.nextNumber
    }
}

extension CellLevels {
    /// Follows a decision.
    mutating func decide(since: Timestamp, denser: [CubeCell], sparser: [CubeCell]) {
        for cell in denser where dense[cell] == nil { dense[cell] = since }
        for cell in sparser { dense[cell] = nil }
    }
}

extension Live {
    /// How many cells, and how many people, a turn of the writer decides about.
    private static let (cellsAtOnce, levelledAtOnce) = (200, 2_000)

    /// Decides how fine public cells are in each place, if that was not done for a day.
    ///
    /// People are settled since an instant before `certain`, which no wrong clock may put forward; nil for the time itself.
    ///
    /// When it fails midway all of it is done again the next time; until then some cells have their new levels and some people
    /// their old ones.
    ///
    /// - Throws: ``StorageError``.
    public func levelCells(at now: Timestamp, certain: Timestamp? = nil) async throws(StorageError) {
        guard read({ $0.areLevelsToBeDecided(dueAt: now) }) else { return }
        do {
            var census = Census(at: certain ?? now)
            while !read({ census.look(at: $0.people) }) { await Task.yield() }
            let dense = census.dense
            let old = Set(read { $0.people.levels.map { [CubeCell]($0.dense.keys) } ?? [] })
            try await decide(dense.subtracting(old), at: now) { .cells(denser: $0, sparser: []) }
            try await decide(old.subtracting(dense), at: now) { .cells(denser: [], sparser: $0) }
            // Whoever comes meanwhile comes with the new levels.
            for start in stride(from: 0, to: census.next, by: Self.levelledAtOnce) {
                let end = min(start.advanced(by: Self.levelledAtOnce), census.next)
                try await level(.people(start..<end), at: now)
            }
            try await level(.made, at: now)
        } catch { throw StorageError(error) }
    }

    private func decide(
        _ cells: Set<CubeCell>, at now: Timestamp, _ step: ([CubeCell]) -> LevelStep
    ) async throws {
        let sorted = cells.sorted { $0.id < $1.id }
        for start in stride(from: 0, to: sorted.count, by: Self.cellsAtOnce) {
            try await level(step(Array(sorted[start..<min(start + Self.cellsAtOnce, sorted.count)])), at: now)
        }
    }

    private func level(_ step: LevelStep, at now: Timestamp) async throws {
        try await perform(step, by: .service, at: now, of: .maintenance)
    }
}
