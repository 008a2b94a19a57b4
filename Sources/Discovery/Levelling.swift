internal import Geo
public import Storage

/// Deciding how fine public cells are.
extension Picture {
    /// The levels are decided anew after this time, not sooner.
    private static let levelsLast = Duration.seconds(86_400)
    /// Who has been found in a neighbourhood for so long counts there.
    private static let settled = Duration.seconds(7 * 86_400)
    /// A cell with fewer people is not shown; the one around it is.
    private static let crowdedBy = 20

    func isLevelling(dueAt now: Timestamp) -> Bool {
        crowd.levels?.made.map { now >= $0 + Self.levelsLast } ?? true
    }

    /// Decides the levels anew, if it is time to.
    ///
    /// Whoever has just come does not count, so that accounts made for it do not make anybody's cell finer before a week is over. What
    /// counts is the recorded cell, never a position.
    ///
    /// - Complexity: O(people).
    func levelling(received: Timestamp) -> [Change] {
        guard let old = crowd.levels, isLevelling(dueAt: received) else { return [] }
        var counts: [CubeCell: Int] = [:]
        for number in 0..<crowd.nextNumber {
            guard let state = crowd[number], let last = state.last, let residence = state.residence,
                received - residence.since >= Self.settled, state.person.isToldAdult(at: received)
            else { continue }
            for level in CellLevels.coarsest + 1...CellLevels.finest {
                counts[last.publicCell.ancestor(level), default: 0] += 1
            }
        }
        func inOrder(_ cells: some Sequence<CubeCell>) -> [CubeCell] { cells.sorted { $0.id < $1.id } }
        let dense = counts.filter { $0.value >= Self.crowdedBy }.keys
        return [
            .levels(
                made: received, denser: inOrder(dense.filter { old.dense[$0] == nil }),
                sparser: inOrder(old.dense.keys.filter { counts[$0, default: 0] < Self.crowdedBy }))
        ]
    }
}

extension CellLevels {
    /// Follows a decision.
    mutating func decide(_ made: Timestamp, denser: [CubeCell], sparser: [CubeCell]) {
        self.made = made
        for cell in denser { dense[cell] = made }
        for cell in sparser { dense[cell] = nil }
    }
}

extension Live {
    /// Decides how fine public cells are in each place, if that was not done for a day.
    ///
    /// - Throws: ``StorageError``.
    public func levelCells(at now: Timestamp) async throws(StorageError) {
        guard read({ $0.isLevelling(dueAt: now) }) else { return }
        do { _ = try await perform(Command(.levelCells, by: .service, received: now)) } catch {
            throw StorageError(error)
        }
    }
}
