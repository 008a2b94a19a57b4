/// The file format of an export.
public enum ExportFormat: String, AnswerForm {
    case ndjson, csv, geojson, gpx

    /// The formats that can hold a kind.
    public static func possible(for kind: ImportKind) -> [ExportFormat] {
        switch kind {
        case .people, .friends, .products, .stock: [.ndjson, .csv]
        case .places: [.ndjson, .csv, .geojson]
        case .pings: allCases
        }
    }

    /// The media type, without parameters.
    public var mediaType: String {
        switch self {
        case .ndjson: "application/x-ndjson"
        case .csv: HistoryForm.csv.mediaType
        case .geojson: HistoryForm.geoJSON.mediaType
        case .gpx: HistoryForm.gpx.mediaType
        }
    }

    package var contentType: String { self == .csv ? CSVTable.contentType : mediaType }
}
