internal import Geo
public import Model
internal import Storage

/// A step of an update of the public cells' levels, each at most a writer turn.
///
/// The target is computed beforehand from many reads and contained in the step, so that a step depends only on the
/// state and on itself.
enum CellResolutionUpdate: Action {
    /// Cells that now have enough people, and cells that no longer do.
    case cells(denser: [CubeCell], sparser: [CubeCell])
    /// Applies the decided levels to the people with these numbers.
    case people(Range<PersonNumber>)
    /// The update is complete.
    case made

    var weight: Int { Engine.turnWeight }

    func apply(to draft: inout Draft) throws {
        try draft.requireService()
        guard draft.state.people.levels != nil else { return }
        switch self {
        case .cells(let denser, let sparser):
            try draft.write(.strangers(.levels(since: draft.received, denser: denser, sparser: sparser)))
        case .people(let numbers): try draft.write(.strangers(.levelled(people: numbers)))
        case .made: try draft.write(.strangers(.levelsMade(draft.received)))
        }
    }
}

/// The schedule of level updates.
extension LiveState {
    /// The minimum time between two updates.
    private static let updateInterval = Duration.seconds(86_400)

    func needsLevelUpdate(dueAt now: Timestamp) -> Bool {
        guard let levels = people.levels else { return false }
        // Also after a clock was ahead that is right by now.
        return levels.made.map { now >= $0 + Self.updateInterval || now < $0 - Self.updateInterval } ?? true
    }
}

/// Counts of settled people per cell, in parts.
private struct Census {
    /// The minimum residence in a neighborhood for a person to count there.
    private static let settled = Duration.seconds(7 * 86_400)
    /// *k*-anonymity, *k* = 20: a cell with fewer adults is replaced by the cell around it.
    private static let k = 20
    /// The number of people examined in one read.
    private static let peopleAtOnce = 2_000

    let now: Timestamp
    private var counts: [CubeCell: Int] = [:]
    private(set) var next: PersonNumber = 0

    init(at now: Timestamp) { self.now = now }

    /// The cells with enough people.
    var dense: Set<CubeCell> { Set(counts.filter { $0.value >= Self.k }.keys) }

    /// Counts the next people.
    ///
    /// Newcomers do not count, so that fake accounts cannot make a person's cell finer within a week. Counts use the
    /// recorded cell, never a position.
    ///
    /// - Returns: whether all people have been counted.
    mutating func look(at people: borrowing People) -> Bool {
        let end = min(people.nextNumber, next.advanced(by: Self.peopleAtOnce))
        WorkBudget.count(5 * next.distance(to: end))
        for number in next..<end {
            guard let state = people[number], let last = state.last, let residence = state.traces.residence,
                now - residence.since >= Self.settled, state.person.isShownAdult(at: now)
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
    mutating func decide(since: Timestamp, denser: [CubeCell], sparser: [CubeCell]) {
        for cell in denser where dense[cell] == nil { dense[cell] = since }
        for cell in sparser { dense[cell] = nil }
    }
}

extension Engine {
    /// The numbers of cells, and of people, that one writer turn updates.
    private static let (cellsAtOnce, levelledAtOnce) = (200, 2_000)

    /// Updates the levels of public cells, once a day.
    ///
    /// Residence is measured up to `certain`, which a wrong clock cannot advance; nil for `now`.
    ///
    /// A failed update is repeated as a whole. Until then some cells have new levels while some people still have old
    /// ones.
    ///
    /// - Throws: ``StorageError``.
    public func updateCellLevels(at now: Timestamp, certain: Timestamp? = nil) async throws(StorageError) {
        guard read({ $0.needsLevelUpdate(dueAt: now) }) else { return }
        do {
            var census = Census(at: certain ?? now)
            while !read({ census.look(at: $0.people) }) { await Task.yield() }
            let dense = census.dense
            let old = Set(read { $0.people.levels.map { [CubeCell]($0.dense.keys) } ?? [] })
            try await decide(dense.subtracting(old), at: now) { .cells(denser: $0, sparser: []) }
            try await decide(old.subtracting(dense), at: now) { .cells(denser: [], sparser: $0) }
            // People who arrive in the meantime get the new levels.
            for start in stride(from: 0, to: census.next, by: Self.levelledAtOnce) {
                let end = min(start.advanced(by: Self.levelledAtOnce), census.next)
                try await level(.people(start..<end), at: now)
            }
            try await level(.made, at: now)
        } catch { throw StorageError(error) }
    }

    private func decide(
        _ cells: Set<CubeCell>, at now: Timestamp, _ step: ([CubeCell]) -> CellResolutionUpdate
    ) async throws {
        let sorted = cells.sorted { $0.id < $1.id }
        for start in stride(from: 0, to: sorted.count, by: Self.cellsAtOnce) {
            try await level(step(Array(sorted[start..<min(start + Self.cellsAtOnce, sorted.count)])), at: now)
        }
    }

    private func level(_ step: CellResolutionUpdate, at now: Timestamp) async throws {
        try await perform(step, by: .service, at: now, of: .maintenance)
    }
}
