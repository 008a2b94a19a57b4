internal import Foundation
internal import Geo
package import Model

/// The packed format of a commit's pings until compaction: one row, or several for many pings.
///
/// A version byte, then for each ping: 57 bytes of numbers, little endian, a length byte and the device's name, and a
/// byte that is 1 in a privacy zone, which version 1 does not have.
enum PingLog {
    private static let version: UInt8 = 2
    private static let name = "ping log"

    /// The bytes of the numbers of a ping.
    private static let numbers = 57

    /// The packed size of a ping in bytes.
    static func size(of ping: StoredPing) -> Int { numbers + 1 + ping.device.utf8.count + 1 }

    static func pack(_ pings: [StoredPing]) -> Data {
        var bytes = [version]
        bytes.reserveCapacity(1 + pings.reduce(0) { $0 + size(of: $1) })
        for ping in pings { append(ping, to: &bytes) }
        return Data(bytes)
    }

    /// The bytes of a ping as it was stored, without later findings.
    static func asStored(_ ping: StoredPing) -> [UInt8] {
        var (ping, bytes) = (ping, [UInt8]())
        ping.isInPrivacyZone = false
        append(ping, to: &bytes)
        return bytes
    }

    private static func append(_ ping: StoredPing, to bytes: inout [UInt8]) {
        bytes.append(packed: ping.person.rawValue)
        bytes.append(packed: ping.time.milliseconds)
        bytes.append(packed: ping.sequence)
        bytes.append(packed: ping.received.milliseconds)
        bytes.append(packed: ping.place.latitudeE7)
        bytes.append(packed: ping.place.longitudeE7)
        bytes.append(packed: ping.publicCell.id)
        let details = ping.details
        for number in [details.accuracy, details.altitude, details.speed, details.heading, details.battery] {
            // Normalizes -0 to 0, as a column does.
            bytes.append(packed: ((number ?? .nan) + 0).bitPattern)
        }
        bytes.append(packed: UInt8(ping.device.utf8.count))
        bytes.append(contentsOf: ping.device.utf8)
        bytes.append(packed: ping.isInPrivacyZone ? 1 as UInt8 : 0)
    }

    /// - Throws: ``StorageError/damaged(_:)`` for bytes that ``pack(_:)`` did not produce.
    static func unpack(_ data: Data) throws(StorageError) -> [StoredPing] {
        var reader = PackedReader(bytes: data, of: name)
        let version = try reader.version(upTo: version)
        var pings: [StoredPing] = []
        while !reader.isAtEnd { pings.append(try ping(from: &reader, version)) }
        return pings
    }

    /// The number of pings in a row.
    ///
    /// - Throws: ``StorageError/damaged(_:)`` like ``unpack(_:)``.
    static func count(_ data: Data) throws(StorageError) -> Int { try records(of: data).count }

    /// A row without some of its pings; the remaining pings are not unpacked.
    ///
    /// - Throws: ``StorageError/damaged(_:)`` like ``unpack(_:)``.
    static func removing(_ pings: Set<ErasedPing>, from data: Data) throws(StorageError) -> (rest: Data, count: Int) {
        var rest = data.prefix(1)
        var count = 0
        for record in try records(of: data) {
            var reader = PackedReader(bytes: data, of: name, offset: record.lowerBound)
            let person = try PersonNumber(rawValue: reader.integer(Int32.self))
            let time = try reader.timestamp()
            let key = PingKey(time: time, sequence: try reader.integer(UInt8.self))
            if pings.contains(ErasedPing(person: person, key: key)) { count += 1 } else { rest += data[record] }
        }
        return (rest, count)
    }

    /// The byte ranges of the pings in a row.
    private static func records(of data: Data) throws(StorageError) -> [Range<Int>] {
        var reader = PackedReader(bytes: data, of: name)
        let version = try reader.version(upTo: version)
        var records: [Range<Int>] = []
        while !reader.isAtEnd {
            let start = reader.offset
            try reader.skip(numbers)
            try reader.skip(Int(try reader.integer(UInt8.self)) + (version > 1 ? 1 : 0))
            records.append(start..<reader.offset)
        }
        return records
    }

    private static func ping(from reader: inout PackedReader, _ version: UInt8) throws(StorageError) -> StoredPing {
        let person = try PersonNumber(rawValue: reader.integer(Int32.self))
        let time = try reader.timestamp()
        let sequence = try reader.integer(UInt8.self)
        let received = try reader.timestamp()
        let place = try reader.place()
        guard let place, let cell = CubeCell(id: try reader.integer(UInt64.self)) else {
            throw .damaged("ping log with an impossible place")
        }
        var ping = StoredPing(person: person, time: time, received: received, place: place, publicCell: cell)
        ping.sequence = sequence
        ping.details.accuracy = try reader.number()
        ping.details.altitude = try reader.number()
        ping.details.speed = try reader.number()
        ping.details.heading = try reader.number()
        ping.details.battery = try reader.number()
        ping.device = try reader.text(length: Int(try reader.integer(UInt8.self)))
        if version > 1 { ping.isInPrivacyZone = try reader.integer(UInt8.self) == 1 }
        return ping
    }
}

/// A ping with the number of its log row.
package struct LoggedPing: Sendable {
    /// The ping.
    package var ping: StoredPing
    /// The number of the row.
    package var logNumber: Int64

    /// Creates a ping in a row.
    package init(ping: StoredPing, logNumber: Int64) {
        self.ping = ping
        self.logNumber = logNumber
    }
}

/// The key of a permanently deleted ping.
struct ErasedPing: Hashable, Sendable {
    var person: PersonNumber
    var key: PingKey
}
