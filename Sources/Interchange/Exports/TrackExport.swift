public import Discovery
internal import Geo
public import Model

/// Writes the tracks of one person in a format that other programs and an import of tracks read, a page at a time.
///
/// Suspect positions and `seen_until` are left out. A new segment or line begins after an hour without positions.
public struct TrackExport: Sendable {
    /// The formats for tracks.
    public static let formats: [ExportFormat] = [.gpx, .geojson, .csv]

    private let person: PersonID
    private let format: ExportFormat
    private let reader: HistoryReader
    private let first: [HistoryPoint]?

    /// Begins an export of a person's stored positions.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``, or ``StorageError``.
    /// - Precondition: the format is one of ``formats``.
    public init(of person: PersonID, _ format: ExportFormat, from engine: Engine) async throws {
        precondition(Self.formats.contains(format), "callers choose a possible format")
        var query = HistoryQuery(of: person, in: Timestamp(milliseconds: 0)..<Timestamp(milliseconds: .max))
        query.isLine = true
        var reader = try engine.history(query)
        first = try await reader.next()
        self.reader = reader
        self.person = person
        self.format = format
    }

    /// Writes all positions, oldest first.
    ///
    /// - Parameter send: receives the next piece of the file.
    /// - Throws: ``StorageError``, or an error of `send`. The file is then incomplete.
    public func write(to send: (sending [UInt8]) async throws -> Void) async throws {
        if format == .geojson {
            var lines = LineWriter(person)
            try await send(lines.beginning)
            try await write { points throws in try await send(lines.rows(points)) }
            try await send(lines.end)
        } else {
            let columns = Set(PingColumn.imported.map(\.rawValue))
            var writer = HistoryWriter(format == .gpx ? .gpx : .csv, of: person, columns)
            try await send(writer.beginning)
            try await write { points throws in try await send(writer.rows(points)) }
            try await send(writer.end)
        }
    }

    private func write(_ take: ([HistoryPoint]) async throws -> Void) async throws {
        var (reader, points) = (reader, first)
        while let some = points {
            try await take(some)
            points = try await reader.next()
        }
    }
}

/// Writes tracks as GeoJSON lines with parallel arrays for the details of each position, such as `coordTimes`.
package struct LineWriter {
    /// Maximum number of positions in a line; the next line begins where a cut line ends.
    package static let longest = 10_000

    private let person: PersonID
    private var line: [StoredPing] = []
    private var before = ""

    package init(_ person: PersonID) { self.person = person }

    package var beginning: [UInt8] { Array(#"{"type":"FeatureCollection","features":["#.utf8) }

    package mutating func rows(_ points: [HistoryPoint]) -> [UInt8] {
        var bytes: [UInt8] = []
        for point in points {
            if point.startsLine { endLine(&bytes) }
            line.append(point.ping)
            guard line.count == Self.longest else { continue }
            endLine(&bytes)
            line = [point.ping]
        }
        return bytes
    }

    package var end: [UInt8] {
        mutating get {
            var bytes: [UInt8] = []
            endLine(&bytes)
            bytes += "\n]}\n".utf8
            return bytes
        }
    }

    private mutating func endLine(_ bytes: inout [UInt8]) {
        defer { line.removeAll(keepingCapacity: true) }
        guard !line.isEmpty else { return }
        var json = JSONWriter(capacity: 64 * line.count)
        json.object { json in
            json.member("type", "Feature")
            json.member("geometry") { $0.track(line) }
            json.object("properties") { json in
                json.member("person", person.text)
                json.member("coordTimes") { json in json.list(line) { $0.value($1.time.rfc3339) } }
                json.devices(line)
                json.amounts(.accuracy, line.map(\.details.accuracy))
                json.amounts(.speed, line.map(\.details.speed))
                json.amounts(.heading, line.map(\.details.heading))
                json.amounts(.battery, line.map(\.details.battery))
            }
        }
        bytes += "\(before)\n".utf8
        bytes += json.bytes
        before = ","
    }
}

extension JSONWriter {
    /// A LineString, or a MultiPoint for a single position, because a LineString needs two.
    fileprivate mutating func track(_ line: [StoredPing]) {
        object { json in
            json.member("type", line.count == 1 ? "MultiPoint" : "LineString")
            json.member("coordinates") { json in
                json.list(line) { json, ping in
                    json.list(0..<(ping.details.altitude == nil ? 2 : 3)) { json, axis in
                        switch axis {
                        case 0: json.value(Int64(ping.place.longitudeE7), decimals: 7)
                        case 1: json.value(Int64(ping.place.latitudeE7), decimals: 7)
                        default: json.value(ping.details.altitude ?? 0)
                        }
                    }
                }
            }
        }
    }

    /// The device's name, or an array of one name per position if several devices sent them.
    fileprivate mutating func devices(_ line: [StoredPing]) {
        let names = Set(line.map(\.device))
        if names.count > 1 {
            member(PingColumn.device.rawValue) { json in json.list(line) { $0.value($1.device) } }
        } else if let name = names.first, !name.isEmpty {
            member(PingColumn.device.rawValue, name)
        }
    }

    /// An array with a number or null for each position; nothing if all are nil.
    fileprivate mutating func amounts(_ column: PingColumn, _ values: [Float?]) {
        guard values.contains(where: { $0 != nil }) else { return }
        member(column.rawValue) { json in
            json.list(values) { json, value in
                if let value { json.value(value) } else { json.value(JSON.null) }
            }
        }
    }
}
