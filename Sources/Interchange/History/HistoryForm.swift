package import Discovery
package import Model

package enum HistoryForm: String, AnswerForm {
    case json = "application/json"
    case geoJSON = "application/geo+json"
    case gpx = "application/gpx+xml"
    case csv = "text/csv"

    package var mediaType: String { rawValue }

    package var contentType: String { self == .csv ? CSVTable.contentType : rawValue }

    /// Whether the format has a place for a cursor.
    package var isPaged: Bool { self == .json || self == .geoJSON }
}

/// Writes a history as CSV or GPX in chunks of pings.
package struct HistoryWriter: Sendable {
    package let form: HistoryForm
    private let table: PingTable
    private var gpx: GPXWriter
    private let person: PersonID

    package init(_ form: HistoryForm, of person: PersonID, _ columns: Set<String>?) {
        self.form = form
        self.person = person
        table = PingTable(columns: PingColumn.allCases.filter { columns?.contains($0.rawValue) ?? true })
        gpx = GPXWriter(columns: columns)
    }

    package var beginning: [UInt8] { form == .csv ? table.header : gpx.beginning }

    package mutating func rows(_ points: [HistoryPoint]) -> [UInt8] {
        var bytes: [UInt8] = []
        for point in points {
            if form == .csv {
                table.append(point.ping, to: &bytes)
            } else {
                gpx.append(point.ping, of: person, startsLine: point.startsLine, to: &bytes)
            }
        }
        return bytes
    }

    package var end: [UInt8] { form == .csv ? [] : gpx.end }
}
