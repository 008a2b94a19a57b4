public import Discovery
internal import Geo
internal import Model
public import Storage

/// Writes all entities of a kind in a format that an import reads, a page at a time.
///
/// NDJSON keeps everything that an import can read. CSV has no column for a person's `throttle`, and all attributes
/// become texts. Suspect pings are left out, because they would make an import suspect the pings after them.
/// `seen_until` is left out, because the service computes it.
public struct Export: Sendable {
    private let kind: ImportKind
    private let format: ExportFormat
    private let reader: any ExportReader
    /// The attributes that are columns of a table; attributes that first appear later are left out.
    private let attributes: [String]
    private let table: CSVForm

    /// Exports a store that no other process writes.
    ///
    /// - Throws: ``StorageError`` if the store cannot be read, ``TooManyColumns``.
    /// - Precondition: the format is possible for the kind.
    public init(
        _ kind: ImportKind, _ format: ExportFormat, delimiter: CSVDelimiter = .comma, isForSpreadsheets: Bool = false,
        of store: Store
    ) async throws {
        try await self.init(
            kind, format, CSVForm(delimiter, isForSpreadsheets: isForSpreadsheets), store,
            Self.reader(of: kind, in: store) ?? PingReader(store))
    }

    /// Exports a running service, whose data may change during the export.
    ///
    /// - Throws: ``StorageError`` if the store cannot be read, ``TooManyColumns``.
    /// - Precondition: the format is possible for the kind.
    public init(
        _ kind: ImportKind, _ format: ExportFormat, delimiter: CSVDelimiter = .comma, isForSpreadsheets: Bool = false,
        of engine: Engine
    ) async throws {
        try await self.init(
            kind, format, CSVForm(delimiter, isForSpreadsheets: isForSpreadsheets), engine.store,
            Self.reader(of: kind, in: engine.store) ?? PingReader(engine))
    }

    private init(
        _ kind: ImportKind, _ format: ExportFormat, _ table: CSVForm, _ store: Store,
        _ reader: any ExportReader
    ) async throws {
        precondition(ExportFormat.possible(for: kind).contains(format), "callers choose a possible format")
        self.kind = kind
        self.format = format
        self.table = table
        self.reader = reader
        attributes = format == .csv ? try await Self.attributes(of: kind, in: store) : []
        let count = Self.columns(of: kind).count + attributes.count
        guard count <= CSVReader.mostColumns else { throw TooManyColumns(count: count) }
    }

    /// The reader of a kind; nil for pings, some of which a service holds in memory.
    private static func reader(of kind: ImportKind, in store: Store) -> (any ExportReader)? {
        switch kind {
        case .people: store.people()
        case .friends: store.friends()
        case .places: store.places()
        case .products: store.products()
        case .stock: store.stock()
        case .pings: nil
        }
    }

    /// Writes everything in order of creation, and pings by person and time.
    ///
    /// - Parameter send: receives the next piece of the file.
    /// - Throws: ``StorageError``, or an error of `send`. The file is then incomplete.
    public func write(to send: (sending [UInt8]) async throws -> Void) async throws {
        switch (reader as? PingReader, format) {
        case (let pings?, .csv): try await writeTable(pings, to: send)
        case (let pings?, .gpx): try await writeTracks(pings, to: send)
        case (_, .csv): try await writeTable(to: send)
        case (_, .geojson): try await writeFeatures(to: send)
        case (_, .ndjson), (_, .gpx): try await writeLines(to: send)
        }
    }

    private func writeLines(to send: (sending [UInt8]) async throws -> Void) async throws {
        var reader = reader
        while let page = try await reader.rows() {
            try await Self.send(page, to: send) { row, bytes in
                bytes += JSONWriter.object { row.write(to: &$0) }
                bytes.append(UInt8(ascii: "\n"))
            }
        }
    }

    private func writeFeatures(to send: (sending [UInt8]) async throws -> Void) async throws {
        var reader = reader
        var before = #"{"type":"FeatureCollection","features":["#
        while let page = try await reader.rows() {
            try await Self.send(page, to: send) { row, bytes in
                var json = JSONWriter()
                json.feature(at: row.coordinate, nil) { row.write(to: &$0) }
                bytes += "\(before)\n".utf8
                bytes += json.bytes
                before = ","
            }
        }
        try await send(Array((before == "," ? "\n]}\n" : "\(before)]}\n").utf8))
    }

    private func writeTable(to send: (sending [UInt8]) async throws -> Void) async throws {
        // An import takes other columns of products for attributes only by request.
        let prefix = kind == .products ? AttributeColumns.prefix : ""
        let table = CSVTable(columns: Self.columns(of: kind), attributes: attributes, prefix: prefix, form: table)
        try await send(table.header)
        var reader = reader
        while let page = try await reader.rows() {
            try await Self.send(page, to: send) { row, bytes in
                bytes += try table.row(JSONWriter.object { row.write(to: &$0) })
            }
        }
    }

    private func writeTable(_ reader: PingReader, to send: (sending [UInt8]) async throws -> Void) async throws {
        let table = PingTable(columns: PingColumn.imported, hasPerson: true, form: table)
        try await send(table.header)
        var reader = reader
        while let page = try await reader.next() {
            try await Self.send(page, to: send) { table.append($0.ping, of: $0.person, to: &$1) }
        }
    }

    private func writeTracks(_ reader: PingReader, to send: (sending [UInt8]) async throws -> Void) async throws {
        var (reader, gpx) = (reader, GPXWriter(columns: Set(PingColumn.imported.map(\.rawValue))))
        try await send(gpx.beginning)
        while let page = try await reader.next() {
            try await Self.send(page, to: send) { gpx.append($0.ping, of: $0.person, startsLine: false, to: &$1) }
        }
        try await send(gpx.end)
    }

    /// Sends the bytes that `append` writes for the items, in pieces of about 64 KiB.
    static func send<Item>(
        _ items: [Item], to send: (sending [UInt8]) async throws -> Void,
        _ append: (Item, inout [UInt8]) throws -> Void
    ) async throws {
        var bytes: [UInt8] = []
        for item in items {
            try append(item, &bytes)
            guard bytes.count >= pieceOfExport else { continue }
            let piece = bytes
            bytes = []
            try await send(piece)
        }
        if !bytes.isEmpty { try await send(bytes) }
    }

    /// The names of all attributes of people, places or products.
    private static func attributes(of kind: ImportKind, in store: Store) async throws -> [String] {
        switch kind {
        case .people: try await names(in: store.people(), \.attributes).subtracting(columns(of: kind)).sorted()
        case .places: try await names(in: store.places(), \.attributes).subtracting(columns(of: kind)).sorted()
        case .products: try await names(in: store.products(), \.attributes).sorted()
        case .friends, .stock, .pings: []
        }
    }

    private static func names<Item: Sendable>(
        in reader: KeysetReader<Item>, _ attributes: (Item) -> [String: AttributeValue]
    ) async throws -> Set<String> {
        var (reader, names) = (reader, Set<String>())
        while let page = try await reader.next() { for item in page { names.formUnion(attributes(item).keys) } }
        return names
    }

    private static func columns(of kind: ImportKind) -> [String] {
        switch kind {
        case .people:
            [
                "id", "name", "surname", "city", "born", "sex", "relationship", "email", "phone", "photo", "about",
                "discoverable", "searchable", "searchable_by_email", "sharing", "retention_s",
                "tokens_not_before",
            ]
        case .friends: ["a", "b"]
        case .places:
            ["id", "kind", "name", "lat", "lon", "address", "category", "tags", "hours", "timezone", "owner", "area"]
        case .products:
            [
                "id", "brand", "name", "category", "gender", "colors", "materials", "sizes", "price", "currency",
                "description", "url", "photo",
            ]
        case .stock: ["store", "product", "price", "currency", "sizes", "quantity"]
        case .pings: ["person"] + PingColumn.imported.map(\.rawValue)
        }
    }
}

/// An export as CSV would have more columns than an import reads.
public struct TooManyColumns: Error, Hashable, CustomStringConvertible {
    /// The number of columns.
    public var count: Int

    /// The error with its remedy.
    public var description: String {
        "there are \(count) columns, attributes included, and CSV has at most \(CSVReader.mostColumns) here: use ndjson"
    }
}

/// Approximate size of the pieces of an export, in bytes.
package let pieceOfExport = 64 << 10
