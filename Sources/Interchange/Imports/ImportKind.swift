internal import Discovery
internal import Foundation
internal import Hours
internal import Model
internal import Normaliser

/// What a file holds.
public enum ImportKind: String, CaseIterable, Sendable {
    case people, friends, places, products, stock, pings

    /// Whether what a whole file no longer has may be deleted: that of people and their friends, and positions, never.
    public var mayBePruned: Bool { [.places, .products, .stock].contains(self) }

    /// All that can be imported and exported, for people: kinds, and tracks, which are of one person.
    package static let choice = (allCases.map(\.rawValue) + ["tracks"]).joined(separator: ", ")

    /// The fields that a row may have, in the order in which they are read.
    package var fields: [String] {
        // Such a row has faults, but all its fields are asked for.
        var fields = Fields(["id": .text("x")], form: .table)
        _ = try? ImportItem(self, &fields, reportsEvents: false)
        return fields.known
    }
}

extension String {
    /// How the name of a file ends, without what says that it is compressed.
    var fileExtension: String {
        let file = URL(fileURLWithPath: self)
        let name = file.pathExtension.lowercased() == "gz" ? file.deletingPathExtension() : file
        return name.pathExtension.lowercased()
    }
}

/// How a file is written.
public enum ImportFormat: String, CaseIterable, Sendable {
    case csv, ndjson, geojson
    /// An answer of Overpass, which has elements of OpenStreetMap.
    case overpass

    /// The format that a file's name says, also of one that is compressed, such as `people.csv.gz`.
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

/// What a row became.
enum ImportItem {
    case ping(PingReport)
    case write(Import)

    /// Reads a row.
    ///
    /// - Throws: ``FormError`` with all that is wrong with it.
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

    /// Why the hours of a place are not understood; nil if they are, and for what has none.
    var doubtOfHours: Remark? {
        guard case .write(.place(let put)) = self, let text = put.write.value.hours else { return nil }
        let hours = OpeningHours(text)
        guard !hours.isUnderstood else { return nil }
        return Remark("hours", .doubted, "'\(text.shortened)' \(hours.warnings.joined(separator: "; "))")
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
