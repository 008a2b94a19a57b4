internal import Discovery
internal import Foundation
internal import Hours
internal import Model
internal import Normaliser

/// The kind of entities in a file.
public enum ImportKind: String, CaseIterable, Sendable {
    case people, friends, places, products, stock, pings

    /// Whether entities missing from a file may be deleted, which is never the case for people, friendships and
    /// positions.
    public var mayBePruned: Bool { [.places, .products, .stock].contains(self) }

    /// Everything that can be imported and exported, for messages: the kinds, and `tracks` of one person.
    package static let choice = (allCases.map(\.rawValue) + ["tracks"]).joined(separator: ", ")

    /// The fields that a row may have, in the order in which they are read.
    package var fields: [String] {
        // The row is invalid, but all fields are read and recorded.
        var fields = Fields(["id": .text("x")], form: .table)
        _ = try? ImportItem(self, &fields, reportsEvents: false)
        return fields.known
    }

    private static let fieldsByKind = Dictionary(uniqueKeysWithValues: allCases.map { ($0, Set($0.fields)) })

    /// The field as which a column of a row that was not normalized is read; nil if it is not read.
    func field(of column: String) -> String? {
        if Self.fieldsByKind[self]?.contains(column) ?? false { return column }
        return self == .people || self == .places ? AttributeColumns.prefix + column : nil
    }
}

extension String {
    /// The extension of a file name, without the extension of a compressed file.
    var fileExtension: String {
        let file = URL(fileURLWithPath: self)
        let name = file.pathExtension.lowercased() == "gz" ? file.deletingPathExtension() : file
        return name.pathExtension.lowercased()
    }
}

/// The file format of an import.
public enum ImportFormat: String, CaseIterable, Sendable {
    case csv, ndjson, geojson
    /// A response of the Overpass API, which contains OpenStreetMap elements.
    case overpass

    /// The format for a file name, possibly of a compressed file such as `people.csv.gz`.
    public init?(fileName: String) {
        switch fileName.fileExtension {
        case "csv", "tsv": self = .csv
        case "ndjson", "jsonl": self = .ndjson
        case "geojson": self = .geojson
        case "json": self = .overpass
        default: return nil
        }
    }

    /// The media type of a body in this format.
    public var mediaType: String {
        switch self {
        case .csv: "text/csv"
        case .ndjson: "application/x-ndjson"
        case .geojson: "application/geo+json"
        case .overpass: "application/json"
        }
    }

    /// The media types of all formats; tables with tabs have their own.
    public static let mediaTypes = allCases.map(\.mediaType) + [tabbed]

    private static let tabbed = "text/tab-separated-values"

    /// The format of a media type.
    public init?(mediaType: String) {
        guard let format = mediaType == Self.tabbed ? .csv : Self.allCases.first(where: { $0.mediaType == mediaType })
        else {
            return nil
        }
        self = format
    }

    package func reader(of kind: ImportKind) -> any RowReader {
        let synonyms = Synonyms(kind)
        return switch self {
        case .csv: CSVReader(synonyms)
        case .ndjson: LineReader(synonyms)
        case .geojson: ListReader(GeoJSONFeatures(synonyms: synonyms, hasAreas: kind == .places))
        case .overpass: ListReader(OverpassElements(synonyms: synonyms))
        }
    }
}

enum ImportItem {
    case ping(PingReport)
    case write(Import)

    /// Reads a row.
    ///
    /// - Throws: ``FormError`` with all errors of the row.
    init(_ kind: ImportKind, _ fields: inout Fields, reportsEvents: Bool) throws(FormError) {
        self = try fields.whole { fields in
            switch kind {
            case .people: Write<Person>(&fields).map { .write(.person(PutPerson($0))) }
            case .friends: MakeFriends(&fields, silently: !reportsEvents).map { .write(.friends($0)) }
            case .places: Place(&fields).map { .write(.place(PutPlace(Write($0)))) }
            case .products: Product(&fields).map { .write(.product(PutProduct(Write($0)))) }
            case .stock: StockItem(&fields).map { .write(.stock(PutStockItem($0))) }
            case .pings: PingReport(&fields).map { .ping($0) }
            }
        }
    }

    /// The doubts about the opening hours of a place, and whether they were understood; nil if there are none.
    var doubtOfHours: (remark: Remark, isUnderstood: Bool)? {
        guard case .write(.place(let put)) = self, let text = put.write.value.hours else { return nil }
        let hours = OpeningHours(text)
        guard !hours.doubts.isEmpty else { return nil }
        let detail = "'\(text.shortened)'\(hours.isUnderstood ? ":" : "") \(hours.doubts.joined(separator: "; "))"
        return (Remark("hours", .doubted, detail), hours.isUnderstood)
    }
}

extension MakeFriends {
    fileprivate init?(_ fields: inout Fields, silently: Bool) {
        let (a, b): (PersonID?, PersonID?) = (fields.id("a"), fields.id("b"))
        fields.refuseOthers()
        guard let a, let b else { return nil }
        self.init(a, b, silently: silently)
    }
}
