public import Foundation
internal import Geo
public import Model
internal import Storage

extension Engine {
    /// A copy of the database at one instant, deleted when it is closed.
    ///
    /// - Throws: ``StorageError``.
    public func copy() throws(StorageError) -> FileHandle { try store.copy() }

    /// Number of people whose compacted pings are dropped in one writer turn.
    private static let peopleAtOnce = 500

    /// Compacts the ping log into the tables, and removes deleted data from text indexes and the write-ahead log.
    ///
    /// - Throws: ``StorageError``.
    public func compact() async throws(StorageError) {
        while let last = try await store.compact() {
            await dropCompacted(through: last)
            if store.uncompactedCount <= Self.maximumCommitWeight { break }
        }
        try await store.scrub()
    }

    /// Truncates the write-ahead log if it is longer than `limit` bytes.
    ///
    /// - Returns: its length afterwards, which is unchanged while a reader still uses it.
    /// - Throws: ``StorageError``.
    public func truncateWAL(above limit: Int) async throws(StorageError) -> Int {
        try await store.truncateWAL(above: limit)
    }

    /// Drops the in-memory pings of log rows that are in the tables now.
    ///
    /// People without pings in the log now have none in these rows.
    private func dropCompacted(through last: Int64) async {
        let people = read { $0.people.logTail.people }
        let cuts = Array(stride(from: 0, to: people.count, by: Self.peopleAtOnce)) + [people.count]
        let parts = zip(cuts, cuts.dropFirst()).map { people[$0..<$1] }
        await dropCompacted(of: parts, through: last)
    }
}
