package import Discovery
internal import Foundation
package import Model

/// What a file holds.
public enum ImportKind: String, CaseIterable, Sendable {
    case people, friends, places, products, stock, pings
}

/// How a file is written.
public enum ImportFormat: String, CaseIterable, Sendable {
    case csv, ndjson, geojson

    /// The format that a file's name says.
    public init?(fileName: String) {
        switch URL(fileURLWithPath: fileName).pathExtension.lowercased() {
        case "csv": self = .csv
        case "ndjson", "jsonl": self = .ndjson
        case "geojson": self = .geojson
        default: return nil
        }
    }

    /// The media type of a body in this format.
    public var mediaType: String {
        switch self {
        case .csv: "text/csv"
        case .ndjson: "application/x-ndjson"
        case .geojson: "application/geo+json"
        }
    }

    package func reader(of kind: ImportKind) -> any RowReader {
        let synonyms = Synonyms(kind)
        return switch self {
        case .csv: CSVReader(synonyms)
        case .ndjson: LineReader(synonyms)
        case .geojson: FeatureReader(synonyms)
        }
    }
}

/// What a row became.
package enum ImportItem {
    case person(Write<Person>)
    case friends(EntityID, EntityID)
    case place(Place)
    case product(Product)
    case stock(StockItem)
    case ping(PingReport)

    /// Reads a row.
    ///
    /// - Throws: ``FormError`` with all that is wrong with it.
    package init(_ kind: ImportKind, _ fields: inout Fields) throws(FormError) {
        let item: ImportItem?
        switch kind {
        case .people: item = Write<Person>(&fields).map { .person($0) }
        case .friends:
            let pair = (fields.id("a"), fields.id("b"))
            fields.refuseOthers()
            item = if let a = pair.0, let b = pair.1 { .friends(a, b) } else { nil }
        case .places: item = Place(&fields).map { .place($0) }
        case .products: item = Product(&fields).map { .product($0) }
        case .stock: item = StockItem(&fields).map { .stock($0) }
        case .pings: item = PingReport(&fields).map { .ping($0) }
        }
        try fields.check()
        guard let item else { preconditionFailure("what could not be read has a fault") }
        self = item
    }
}

extension Action {
    /// What makes all items of a kind true.
    package init(_ kind: ImportKind, _ items: [ImportItem]) {
        self =
            switch kind {
            case .people: .put(items.compactMap { if case .person(let write) = $0 { write } else { nil } })
            case .friends:
                .makeFriends(items.compactMap { if case .friends(let a, let b) = $0 { (a, b) } else { nil } })
            case .places: .putPlaces(items.compactMap { if case .place(let place) = $0 { Write(place) } else { nil } })
            case .products:
                .putProducts(items.compactMap { if case .product(let product) = $0 { Write(product) } else { nil } })
            case .stock: .putStock(items.compactMap { if case .stock(let item) = $0 { item } else { nil } })
            case .pings: .record(items.compactMap { if case .ping(let report) = $0 { report } else { nil } })
            }
    }
}
