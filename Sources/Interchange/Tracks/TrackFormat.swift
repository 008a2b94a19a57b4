/// The file format of tracks.
public enum TrackFormat: String, CaseIterable, Sendable {
    case gpx
    /// Garmin's Training Center Database.
    case tcx
    /// Google Earth's Keyhole Markup Language.
    case kml
    /// GeoJSON, or Google's timeline in any of its forms.
    case json
    /// One object per line: OwnTracks messages, also in the `.rec` files of its recorder, or pings.
    case ndjson
    case csv
    /// Sentences of a receiver, NMEA 0183.
    case nmea

    private static let names: [String: TrackFormat] = [
        "gpx": .gpx, "xml": .gpx, "tcx": .tcx, "kml": .kml, "json": .json, "geojson": .json, "timeline": .json,
        "ndjson": .ndjson,
        "jsonl": .ndjson, "rec": .ndjson, "owntracks": .ndjson, "csv": .csv,
        "nmea": .nmea,
    ]

    package static let allNames = names.keys.sorted()

    /// The format with a name; nil for an unknown name.
    ///
    /// `geojson` and `timeline` are `json`; `rec`, `owntracks` and `jsonl` are `ndjson`.
    public init?(named name: String) {
        guard let format = Self.names[name.lowercased()] else { return nil }
        self = format
    }

    /// The format for a file name; nil if it must be detected from the content.
    public init?(fileName: String) { self.init(named: fileName.fileExtension) }

    /// The choice of formats, for messages.
    package static var choice: String { "gpx, tcx, kml, nmea, geojson, timeline, owntracks, ndjson or csv" }

    /// Media types whose format is detected from the content.
    package static let unspecified: Set<String> = ["application/octet-stream", "application/vnd.google-earth.kmz"]

    package static let mediaTypes: [String: TrackFormat] = [
        "application/gpx+xml": .gpx, "application/vnd.garmin.tcx+xml": .tcx,
        "application/vnd.google-earth.kml+xml": .kml, "application/xml": .gpx, "text/xml": .gpx,
        "application/geo+json": .json,
        "application/json": .json, "application/x-ndjson": .ndjson, "text/csv": .csv,
    ]

    /// The media type of a body in a format, or for nil of a body whose format is detected.
    public static func mediaType(of format: TrackFormat?) -> String {
        switch format {
        case .gpx: "application/gpx+xml"
        case .tcx: "application/vnd.garmin.tcx+xml"
        case .kml: "application/vnd.google-earth.kml+xml"
        case .json: "application/json"
        case .ndjson: "application/x-ndjson"
        case .csv: "text/csv"
        case .nmea, nil: "application/octet-stream"
        }
    }

    package var reader: any TrackReader {
        switch self {
        case .gpx, .tcx, .kml: GPXReader()
        case .json: TrackElements()
        case .ndjson: TrackLines()
        case .csv: TrackTable()
        case .nmea: NMEAReader()
        }
    }
}

/// Detects the format of a file from its beginning, and then reads the file.
///
/// XML is GPX, or TCX or KML by its first element. JSON is read as lines if its first line is a complete object that is
/// neither GeoJSON nor Google's. A line that begins with a time and a tab is from OwnTracks' recorder, one with `$` is of
/// NMEA. Another line with a comma, or with several semicolons or tabs, is the header of a table.
package struct TrackDetector: TrackReader {
    /// Maximum size of the inspected beginning, in bytes.
    private static let longest = 64 << 10

    private var beginning: [UInt8] = []
    package private(set) var format: TrackFormat?
    private var reader: (any TrackReader)?

    package var notes: [String] { reader?.notes ?? [] }
    package var others: Int { reader?.others ?? 0 }

    package mutating func read(_ bytes: [UInt8], into items: inout [TrackItem]) throws(BrokenTrack) {
        if reader != nil {
            try reader?.read(bytes, into: &items)
        } else {
            beginning += bytes
            try begin(isWhole: beginning.count >= Self.longest, &items)
        }
    }

    package mutating func finish(into items: inout [TrackItem]) throws(BrokenTrack) {
        if reader == nil { try begin(isWhole: true, &items) }
        try reader?.finish(into: &items)
    }

    private mutating func begin(isWhole: Bool, _ items: inout [TrackItem]) throws(BrokenTrack) {
        guard let format = try Self.format(of: beginning, isWhole: isWhole) else { return }
        self.format = format
        reader = format.reader
        defer { beginning = [] }
        try reader?.read(beginning, into: &items)
    }

    /// The format of a file that begins with `bytes`; nil if more bytes are needed.
    package static func format(of bytes: [UInt8], isWhole: Bool) throws(BrokenTrack) -> TrackFormat? {
        guard bytes.count >= 12 || isWhole else { return nil }
        if let way = converter(of: bytes) { throw BrokenTrack(detail: way) }
        let sixteenBits: [[UInt8]] = [[0xfe, 0xff], [0xff, 0xfe], [0x3c, 0], [0, 0x3c]]
        if sixteenBits.contains(where: { bytes.starts(with: $0) }) { return .gpx }
        let text = bytes.drop { $0 <= 0x20 || [0xef, 0xbb, 0xbf].contains($0) }
        guard let first = text.first else {
            guard isWhole else { return nil }
            throw BrokenTrack(detail: "it is empty")
        }
        if first == UInt8(ascii: "<") {
            guard text.count >= Self.root || isWhole else { return nil }
            let root = String(decoding: text.prefix(Self.root), as: UTF8.self)
            return root.contains("<TrainingCenterDatabase") ? .tcx : root.contains("<kml") ? .kml : .gpx
        }
        if first == UInt8(ascii: "[") { return .json }
        if first == UInt8(ascii: "$") { return .nmea }
        let end = text.firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        guard end != nil || isWhole else { return nil }
        let line = text[..<(end ?? text.endIndex)]
        if first == UInt8(ascii: "{") { return isMessage(line) && end != nil ? .ndjson : .json }
        if first &- 0x30 < 10, line.contains(UInt8(ascii: "\t")) { return .ndjson }
        let others = line.count { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: "\t") }
        guard others > 1 || line.contains(UInt8(ascii: ",")) else {
            throw BrokenTrack(detail: "it is in no known format; it must be \(TrackFormat.choice)")
        }
        return .csv
    }

    /// The size of the beginning of XML that shows its first element, in bytes.
    private static let root = 512

    /// The format of a file that other programs convert, and the command; nil for other files.
    private static func converter(of bytes: [UInt8]) -> String? {
        if bytes.dropFirst(8).starts(with: ".FIT".utf8) {
            return "it is FIT: convert it first with 'gpsbabel -i garmin_fit -f IN -o gpx -F OUT'"
        } else if bytes.starts(with: "PAR1".utf8) {
            return "it is Parquet: convert it first with DuckDB, \"COPY (FROM 'IN') TO 'OUT.csv'\""
        } else if bytes.starts(with: [0x1f, 0x8b]) {
            return "it is compressed as gzip: decompress it first"
        } else if bytes.starts(with: "PK\u{3}\u{4}".utf8) {
            // The name of the first file begins after 30 bytes.
            let isKMZ = String(decoding: bytes.dropFirst(30).prefix(200), as: UTF8.self).contains(".kml")
            return isKMZ
                ? "it is KMZ: unpack it first with 'unzip -p IN '*.kml' > OUT.kml'"
                : "it is compressed as zip: unpack it first with 'unzip IN'"
        }
        return nil
    }

    /// Whether a line is a complete object that is not a collection of positions.
    private static func isMessage(_ line: ArraySlice<UInt8>) -> Bool {
        guard case .object(let members)? = try? JSONText.value(of: Array(line)) else { return false }
        if case .text(let type)? = members["type"], TrackShape.isGeoJSON(type) { return false }
        return TrackElements.lists.allSatisfy { members[$0] == nil }
    }
}
