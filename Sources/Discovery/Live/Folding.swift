public import Foundation
internal import Geo
public import Model
internal import Storage

extension Live {
    /// A copy of the database as it is at one instant, which is gone when it is closed.
    ///
    /// - Throws: ``StorageError``.
    public func copy() throws(StorageError) -> FileHandle { try store.copy() }

    /// Of how many people the folded pings are forgotten in a turn of the writer.
    private static let tailsAtOnce = 500

    /// Moves the pings of the log into the tables, and what was deleted out of the indexes of text and the write-ahead log.
    ///
    /// - Throws: ``StorageError``.
    public func fold() async throws(StorageError) {
        while let last = try await store.fold() {
            await forgetUnfolded(through: last)
            if store.unfoldedCount <= Self.heaviestGroup { break }
        }
        try await store.scrub()
    }

    /// Empties the write-ahead log if it is longer than so many bytes.
    ///
    /// - Returns: how long it is then: as long as before when somebody reads what it holds.
    /// - Throws: ``StorageError``.
    public func keepLog(below limit: Int) async throws(StorageError) -> Int { try await store.keepLog(below: limit) }

    /// Forgets the pings of log rows that are in the tables now.
    ///
    /// Whoever has none in the log now has none in these rows.
    private func forgetUnfolded(through last: Int64) async {
        let people = read { $0.people.unfolded.people }
        let cuts = Array(stride(from: 0, to: people.count, by: Self.tailsAtOnce)) + [people.count]
        let parts = zip(cuts, cuts.dropFirst()).map { people[$0..<$1] }
        await forgetUnfolded(of: parts, through: last)
    }
}
