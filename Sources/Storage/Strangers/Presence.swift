internal import Foundation
internal import GRDB
public import Geo
public import Model

/// A resumable search for people in a circle during an interval, through the cells stored with positions.
///
/// For a position in a privacy zone that is its true cell, for any other the public cell. The search continues where it
/// stopped, so that each of its transactions is short.
public struct PresenceScan: Sendable {
    /// The longest stay of each class of the index `long_stays`, in milliseconds.
    ///
    /// Stays of more than an hour are found by their duration; the first class of the index is 1.
    private static let longestStays: [Int64] = [
        3_600_000, 14_400_000, 57_600_000, 230_400_000, 921_600_000, 3_686_400_000,
    ]
    /// The finest level of the cells that the search begins with, not finer than any stored cell.
    private static let level = 10
    private static let cellCount = 64

    private let circle: Circle
    private let times: Range<Timestamp>
    private let overhang: Double
    /// The id ranges of cells that remain to be searched.
    private var families: [ClosedRange<Int64>]
    private var place: Place?

    /// The position within a cell at which the search stopped.
    private struct Place {
        var cell: Int64
        /// 0 for positions of the interval and the hour before, then the classes of long stays.
        var stage = 0
        /// The last row examined.
        var last: (time: Int64, number: Int64)?
    }

    /// Starts a search.
    ///
    /// - Parameters:
    ///   - circle: the area.
    ///   - times: the half-open interval.
    ///   - overhang: how far beyond the border of its cell a position may lie, in sides of the cell.
    public init(_ circle: Circle, _ times: Range<Timestamp>, overhang: Double) {
        self.circle = circle
        self.times = times
        self.overhang = overhang
        families = CubeCell.cover(
            around: circle.centre, within: circle.radius, level: Self.level, count: Self.cellCount, overhang: overhang
        ).map { $0.family }.map { Int64(bitPattern: $0.lowerBound)...Int64(bitPattern: $0.upperBound) }
    }

    fileprivate var isDone: Bool { place == nil && families.isEmpty }

    /// Examines more rows.
    ///
    /// - Returns: the positions found, and the number of rows or cells examined.
    fileprivate mutating func advance(_ db: Database, by limit: Int) throws -> (found: [StoredPing], work: Int) {
        var found: [StoredPing] = []
        var work = 0
        while work < limit {
            guard var here = try place ?? nextCell(db, &work) else { break }
            let room = limit - work
            let seen = try look(at: &here, db, room) { found.append($0) }
            work += seen + 1
            if seen < room {
                here.last = nil
                here.stage += 1
            }
            place = here.stage <= Self.longestStays.count ? here : nil
        }
        return (found, work)
    }

    /// The next cell with any position that may intersect the circle.
    private mutating func nextCell(_ db: Database, _ work: inout Int) throws -> Place? {
        let next = try db.cachedStatement(sql: PresenceSQL.nextCell)
        while let family = families.popLast() {
            work += 1
            guard let cell = try Int64.fetchOne(next, arguments: [family.lowerBound, family.upperBound]) else {
                continue
            }
            if cell < family.upperBound { families.append(cell + 1...family.upperBound) }
            guard let known = CubeCell(id: UInt64(bitPattern: cell)) else {
                throw StorageError.damaged("a ping in an impossible cell")
            }
            if circle.mayTouch(known, overhang) { return Place(cell: cell) }
        }
        return nil
    }

    /// Examines up to `limit` rows of a stage.
    private func look(
        at place: inout Place, _ db: Database, _ limit: Int, _ take: (StoredPing) -> Void
    ) throws -> Int {
        let (from, to) = window(place.stage)
        let last = place.last ?? (from, -1)
        var arguments: StatementArguments = [place.cell, last.time, last.number, to, limit]
        if place.stage > 0 { arguments += [place.stage] }
        let statement = try db.cachedStatement(sql: place.stage == 0 ? PresenceSQL.recent : PresenceSQL.longStays)
        let rows = try Row.fetchCursor(statement, arguments: arguments)
        var seen = 0
        while let row = try rows.next() {
            seen += 1
            place.last = (row[1], row[PingRow.columnCount])
            let until: Int64 = row[12] ?? row[1]
            guard until >= times.lowerBound.milliseconds, !(row[13] as Bool) else { continue }
            let ping = try PingRow.decode(row)
            if circle.contains(ping.place) { take(ping) }
        }
        return seen
    }

    /// The start times of stays of a stage that may reach into the interval.
    private func window(_ stage: Int) -> (from: Int64, to: Int64) {
        let from = times.lowerBound.milliseconds
        let brief = from - Self.longestStays[0]
        if stage == 0 { return (brief, times.upperBound.milliseconds) }
        return (stage < Self.longestStays.count ? from - Self.longestStays[stage] : 0, brief)
    }
}

/// The rows of a cell by time, after a given row, and the long stays of a class among them.
package enum PresenceSQL {
    /// The cell by which a row is searched, as in the indexes.
    private static let cell = "ifnull(place_cell, public_cell)"

    /// Parameters: first and last cell.
    package static let nextCell =
        "SELECT \(cell) FROM pings WHERE \(cell) BETWEEN ? AND ? ORDER BY \(cell) LIMIT 1"

    /// Parameters: cell, time and number of the last row, end, limit.
    package static let recent = """
        SELECT \(PingRow.columns), number FROM pings
        WHERE \(cell) = ?1 AND time_ms >= ?2 AND time_ms < ?4 AND (time_ms, number) > (?2, ?3)
        ORDER BY time_ms, number LIMIT ?5
        """

    /// Parameters: cell, time and number of the last row, end, limit, class.
    ///
    /// The index is named because SQLite would choose another one.
    package static let longStays = """
        SELECT \(PingRow.columns), number FROM pings INDEXED BY long_stays
        WHERE \(cell) = ?1 AND CASE
            WHEN seen_until_ms - time_ms <= 14400000 THEN 1 WHEN seen_until_ms - time_ms <= 57600000 THEN 2
            WHEN seen_until_ms - time_ms <= 230400000 THEN 3 WHEN seen_until_ms - time_ms <= 921600000 THEN 4
            WHEN seen_until_ms - time_ms <= 3686400000 THEN 5 ELSE 6 END = ?6
            AND time_ms >= ?2 AND time_ms < ?4 AND (time_ms, number) > (?2, ?3)
            AND seen_until_ms > time_ms + 3600000
        ORDER BY time_ms, number LIMIT ?5
        """
}

extension Store {
    /// The number of rows and cells that one transaction examines.
    private static let presencesAtOnce = 4_000

    /// Some of the believed compacted pings in a circle whose person is known to have been there during an interval.
    ///
    /// - Returns: the pings, the number of rows and cells examined, and the search to continue; nil at the end.
    /// - Complexity: O(cells of the circle with any position + rows of the interval and a little before).
    public func presences(
        _ scan: PresenceScan
    ) async throws(StorageError) -> (found: [StoredPing], work: Int, next: PresenceScan?) {
        return try await read { db in
            var scan = scan
            let (found, work) = try scan.advance(db, by: Self.presencesAtOnce)
            return (found, work, scan.isDone ? nil : scan)
        }
    }

    /// The believed compacted pings among the given keys.
    ///
    /// - Complexity: O(`keys`.count * log of all pings).
    public func pings(_ keys: [(person: PersonNumber, key: PingKey)]) async throws(StorageError) -> [StoredPing] {
        try await read(each: keys) { one, db in
            try PingRow.fetch(
                db, "WHERE person = ? AND time_ms = ? AND sequence = ? AND suspect = 0", one.person,
                [one.key.time.milliseconds, Int64(one.key.sequence)])
        }.flatMap(\.self)
    }
}
