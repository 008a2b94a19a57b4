internal import Geo
package import Model

/// Pings as tracks of GPX 1.1 (https://www.topografix.com/GPX/1/1/gpx.xsd), a track per person and a segment per line.
///
/// Details without a GPX element are in `extensions`: speed and course in Garmin's track point extension
/// (https://www8.garmin.com/xmlschemas/TrackPointExtensionv2.xsd), all others in Cerca's own namespace.
package struct GPXWriter: Sendable {
    /// Cerca's XML namespace.
    package static let namespace = "urn:cerca:gpx:1"

    /// The details that are written besides position and time; nil for all.
    private let columns: Set<String>?
    /// The person of the open track.
    private var person: PersonID?

    package init(columns: Set<String>?) { self.columns = columns }

    package var beginning: [UInt8] {
        Array(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="Cerca" xmlns="http://www.topografix.com/GPX/1/1" \
            xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" xmlns:cerca="\(Self.namespace)">

            """.utf8)
    }

    package var end: [UInt8] { Array(((person == nil ? "" : Self.trackEnd) + "</gpx>\n").utf8) }

    private static let trackEnd = "</trkseg></trk>\n"

    package mutating func append(_ ping: StoredPing, of person: PersonID, startsLine: Bool, to bytes: inout [UInt8]) {
        if self.person != person {
            if self.person != nil { bytes.append(contentsOf: Self.trackEnd.utf8) }
            bytes.append(contentsOf: "<trk><name>".utf8)
            Self.append(text: person.text, to: &bytes)
            bytes.append(contentsOf: "</name><trkseg>\n".utf8)
            self.person = person
        } else if startsLine {
            bytes.append(contentsOf: "</trkseg><trkseg>\n".utf8)
        }
        append(ping, to: &bytes)
    }

    /// Appends a track point with its elements in the order that the schema requires.
    private func append(_ ping: StoredPing, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: "<trkpt lat=\"".utf8)
        bytes.append(Int64(ping.place.latitudeE7), decimals: 7)
        bytes.append(contentsOf: "\" lon=\"".utf8)
        // The schema excludes a longitude of 180.
        let longitude = ping.place.longitudeE7
        bytes.append(Int64(longitude == Coordinate.halfTurn ? -longitude : longitude), decimals: 7)
        bytes.append(contentsOf: "\">".utf8)
        append(.altitude, "ele", ping.details.altitude, to: &bytes)
        bytes.append(contentsOf: "<time>".utf8)
        bytes.append(contentsOf: ping.time.rfc3339.utf8)
        bytes.append(contentsOf: "</time>".utf8)
        append(.device, "src", ping.device.isEmpty ? nil : ping.device, to: &bytes)
        appendExtensions(ping, to: &bytes)
        bytes.append(contentsOf: "</trkpt>\n".utf8)
    }

    private func appendExtensions(_ ping: StoredPing, to bytes: inout [UInt8]) {
        let details = ping.details
        var motion: [UInt8] = []
        append(.speed, "gpxtpx:speed", details.speed, to: &motion)
        append(.heading, "gpxtpx:course", details.heading, to: &motion)
        var rest: [UInt8] = []
        append(.accuracy, "cerca:accuracy_m", details.accuracy, to: &rest)
        append(.battery, "cerca:battery", details.battery, to: &rest)
        append(.seenUntil, "cerca:seen_until", ping.seenUntil?.rfc3339, to: &rest)
        guard !motion.isEmpty || !rest.isEmpty else { return }
        bytes.append(contentsOf: "<extensions>".utf8)
        if !motion.isEmpty {
            bytes.append(contentsOf: "<gpxtpx:TrackPointExtension>".utf8)
            bytes.append(contentsOf: motion)
            bytes.append(contentsOf: "</gpxtpx:TrackPointExtension>".utf8)
        }
        bytes.append(contentsOf: rest)
        bytes.append(contentsOf: "</extensions>".utf8)
    }

    private func append(_ column: PingColumn, _ element: String, _ number: Float?, to bytes: inout [UInt8]) {
        guard let number, columns?.contains(column.rawValue) ?? true else { return }
        bytes.append(contentsOf: "<\(element)>".utf8)
        bytes.append(number)
        bytes.append(contentsOf: "</\(element)>".utf8)
    }

    private func append(_ column: PingColumn, _ element: String, _ text: String?, to bytes: inout [UInt8]) {
        guard let text, columns?.contains(column.rawValue) ?? true else { return }
        bytes.append(contentsOf: "<\(element)>".utf8)
        Self.append(text: text, to: &bytes)
        bytes.append(contentsOf: "</\(element)>".utf8)
    }

    /// Appends escaped text, with U+FFFD for characters that XML cannot represent.
    private static func append(text: String, to bytes: inout [UInt8]) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": bytes.append(contentsOf: "&amp;".utf8)
            case "<": bytes.append(contentsOf: "&lt;".utf8)
            case ">": bytes.append(contentsOf: "&gt;".utf8)
            case "\t", "\n", "\r": bytes.append(contentsOf: "&#\(scalar.value);".utf8)
            case "\u{0}"..."\u{1F}", "\u{FFFE}"..."\u{FFFF}": bytes.append(contentsOf: "\u{FFFD}".utf8)
            default: bytes.append(contentsOf: UTF8.encode(scalar)?.map(\.self) ?? [])
            }
        }
    }
}
