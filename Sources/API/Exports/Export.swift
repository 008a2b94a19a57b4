internal import Geo
public import Storage

/// Writes all of a kind as an import reads it, a row at a time.
///
/// NDJSON loses nothing that an import can take. CSV has no place for a person's `throttle`, and all attributes are texts.
public struct Export {
    /// Takes a further piece of the file.
    public typealias Sink = ([UInt8]) throws -> Void

    private typealias Row = (_ place: Coordinate?, _ members: (inout JSONWriter) -> Void) throws -> Void

    private let kind: ImportKind
    private let format: ImportFormat

    /// An export of a kind in a format; nil for GeoJSON of what has no place.
    public init?(_ kind: ImportKind, _ format: ImportFormat) {
        guard format != .geojson || [.places, .pings].contains(kind) else { return nil }
        self.kind = kind
        self.format = format
    }

    /// Writes everything, in the order in which it first came.
    ///
    /// - Throws: ``StorageError``, also for what `sink` throws.
    public func write(from store: Store, to sink: Sink) throws(StorageError) {
        switch format {
        case .ndjson:
            try forEach(store) { _, members in
                var json = JSONWriter()
                json.object(members)
                try sink(json.bytes + [UInt8(ascii: "\n")])
            }
        case .geojson: try writeFeatures(of: store, to: sink)
        case .csv: try writeTable(of: store, to: sink)
        }
    }

    private func writeFeatures(of store: Store, to sink: Sink) throws(StorageError) {
        var before = #"{"type":"FeatureCollection","features":["#
        try forEach(store) { place, members in
            var json = JSONWriter()
            json.feature(at: place, nil, members)
            try sink(Array(before.utf8) + [UInt8(ascii: "\n")] + json.bytes)
            before = ","
        }
        let end = before == "," ? "\n]}\n" : "\(before)]}\n"
        do { try sink(Array(end.utf8)) } catch { throw .other("\(error)") }
    }

    private func writeTable(of store: Store, to sink: Sink) throws(StorageError) {
        let table = CSVTable(columns: Self.columns(of: kind), attributes: try attributes(in: store))
        do { try sink(table.header) } catch { throw .other("\(error)") }
        try forEach(store) { _, members in
            var json = JSONWriter()
            json.object(members)
            try sink(try table.row(json.bytes))
        }
    }

    private func forEach(_ store: Store, _ row: Row) throws(StorageError) {
        switch kind {
        case .people: try store.forEachPerson { record, _, _ in try row(nil) { $0.person(record.value) } }
        case .friends:
            try store.forEachFriends { a, b in
                try row(nil) { json in
                    json.member("a", a.text)
                    json.member("b", b.text)
                }
            }
        case .places: try store.forEachPlace { record in try row(record.value.coordinate) { $0.place(record.value) } }
        case .products: try store.forEachProduct { record in try row(nil) { $0.product(record.value) } }
        case .stock: try store.forEachStock { item in try row(nil) { $0.stock(item) } }
        case .pings:
            try store.forEachPing { person, ping in
                try row(ping.place) { json in
                    json.member("person", person.text)
                    json.ping(ping)
                }
            }
        }
    }

    /// The names of the attributes that people or places have.
    private func attributes(in store: Store) throws(StorageError) -> [String] {
        var names: Set<String> = []
        switch kind {
        case .people: try store.forEachPerson { record, _, _ in names.formUnion(record.value.attributes.keys) }
        case .places: try store.forEachPlace { record in names.formUnion(record.value.attributes.keys) }
        case .friends, .products, .stock, .pings: break
        }
        return names.subtracting(Self.columns(of: kind)).sorted()
    }

    private static func columns(of kind: ImportKind) -> [String] {
        switch kind {
        case .people:
            [
                "id", "name", "surname", "city", "born", "sex", "relationship", "email", "phone", "photo", "about",
                "discoverable", "retention_s",
            ]
        case .friends: ["a", "b"]
        case .places:
            ["id", "kind", "name", "lat", "lon", "address", "category", "tags", "hours", "timezone", "owner"]
        case .products:
            [
                "id", "brand", "name", "category", "gender", "colors", "materials", "sizes", "price", "currency",
                "description", "url", "photo",
            ]
        case .stock: ["store", "product", "price", "currency", "sizes", "quantity"]
        case .pings:
            [
                "person", "device", "t", "lat", "lon", "accuracy_m", "altitude_m", "speed_mps", "heading", "battery",
            ]
        }
    }
}

extension JSONWriter {
    fileprivate mutating func stock(_ item: StockItem) {
        member("store", item.store.text)
        member("product", item.product.text)
        money(item.price)
        // Without sizes an import takes one piece to be there.
        sizes(item.sizes.isEmpty ? [SizeQuantity(size: .none, quantity: 0)] : item.sizes)
    }
}
