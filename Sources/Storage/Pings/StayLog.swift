internal import Algorithms
internal import Foundation
internal import GRDB
internal import Geo
public import Model

/// A pending stay near a stored position, saved on stop for the next start.
public struct PendingStay: Sendable {
    /// The number of the person.
    public var person: PersonNumber
    /// The key of the position.
    public var key: PingKey
    /// The stay.
    public var stay: Stay

    /// Creates a pending stay.
    public init(person: PersonNumber, key: PingKey, stay: Stay) {
        self.person = person
        self.key = key
        self.stay = stay
    }
}

/// The packed format of many stays in one row: writing each to its position takes a hundred times as long.
///
/// A version byte, then for each stay: 22 bytes of numbers, little endian, of which the last is the number of gaps, and
/// both ends of each gap.
enum StayLog {
    private static let version: UInt8 = 1

    static func pack(_ stays: some Sequence<PendingStay>) -> Data {
        var bytes = [version]
        for one in stays {
            bytes.append(packed: one.person.rawValue)
            bytes.append(packed: one.key.time.milliseconds)
            bytes.append(packed: one.key.sequence)
            bytes.append(packed: one.stay.until.milliseconds)
            bytes.append(packed: UInt8(one.stay.gaps.count))
            bytes.append(packed: one.stay.gaps)
        }
        return Data(bytes)
    }

    /// - Throws: ``StorageError/damaged(_:)`` for bytes that ``pack(_:)`` did not produce.
    static func unpack(_ data: Data) throws(StorageError) -> [PendingStay] {
        var reader = PackedReader(bytes: data, of: "stays")
        _ = try reader.version(upTo: version)
        var stays: [PendingStay] = []
        while !reader.isAtEnd {
            let person = try PersonNumber(rawValue: reader.integer(Int32.self))
            let time = try reader.timestamp()
            let key = PingKey(time: time, sequence: try reader.integer(UInt8.self))
            let until = try reader.timestamp()
            var gaps: [Stay.Gap] = []
            for _ in 0..<(try reader.integer(UInt8.self)) { gaps.append(try reader.gap()) }
            stays.append(PendingStay(person: person, key: key, stay: Stay(since: time, until: until, gaps: gaps)))
        }
        return stays
    }
}

extension Store {
    private static let staysOfRow = 1_000
    /// The number of rows that a start writes to positions in one transaction.
    private static let rowsAtOnce = 50

    /// Saves stays for the next start, which writes them to their positions.
    ///
    /// - Complexity: O(`stays`.count), written sequentially.
    public func leave(_ stays: [PendingStay]) async throws(StorageError) {
        do {
            try await pool.writeWithoutTransaction { db in
                try db.inTransaction(.immediate) {
                    for some in stays.chunks(ofCount: Self.staysOfRow) {
                        try db.cachedStatement(sql: "INSERT INTO stay_log (stays) VALUES (?)")
                            .execute(arguments: [StayLog.pack(some)])
                    }
                    return .commit
                }
            }
        } catch { throw StorageError(error) }
    }

    /// Writes the stays saved by the last stop to their positions, all of which are compacted.
    func writeStays() throws(StorageError) {
        let rows = "SELECT number, stays FROM stay_log ORDER BY number LIMIT \(Self.rowsAtOnce)"
        try StorageError.wrap {
            try pool.writeWithoutTransaction { db in
                while case let rows = try Row.fetchAll(db, sql: rows), let last = rows.last {
                    try db.inTransaction(.immediate) {
                        let transaction = Transaction(db, logNumber: 0)
                        for one in try rows.flatMap({ try StayLog.unpack($0[1]) }) {
                            try transaction.write(.pings(.stayWritten(person: one.person, one.key, one.stay)))
                        }
                        try db.execute(sql: "DELETE FROM stay_log WHERE number <= ?", arguments: [last[0] as Int64])
                        return .commit
                    }
                }
            }
        }
    }
}
