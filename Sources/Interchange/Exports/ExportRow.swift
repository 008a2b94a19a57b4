internal import Discovery
internal import Geo
internal import Model
internal import Storage

/// An entity that an export writes.
protocol ExportRow: Sendable {
    /// Its position; nil for an entity without one.
    var coordinate: Coordinate? { get }
    /// Writes the members that an import reads.
    func write(to json: inout JSONWriter)
}

extension ExportRow {
    var coordinate: Coordinate? { nil }
}

extension Person: ExportRow {
    func write(to json: inout JSONWriter) { json.person(self) }
}

extension Store.Pair: ExportRow {
    func write(to json: inout JSONWriter) {
        json.member("a", a.text)
        json.member("b", b.text)
    }
}

extension Place: ExportRow {
    func write(to json: inout JSONWriter) { json.placeDocument(self, to: .service) }
}

extension Product: ExportRow {
    func write(to json: inout JSONWriter) { json.product(self) }
}

extension StockItem: ExportRow {
    func write(to json: inout JSONWriter) {
        json.member("store", store.text)
        json.member("product", product.text)
        json.money(price)
        // An import reads a missing size list as a quantity of one.
        json.sizes(sizes.isEmpty ? [SizeQuantity(size: .none, quantity: 0)] : sizes)
    }
}

extension PersonPing: ExportRow {
    var coordinate: Coordinate? { ping.place }

    func write(to json: inout JSONWriter) {
        json.member("person", person.text)
        var ping = ping
        ping.seenUntil = nil
        json.ping(ping)
    }
}

/// Reads the rows of a kind a page at a time.
protocol ExportReader: Sendable {
    /// The next page; nil at the end.
    mutating func rows() async throws -> [any ExportRow]?
}

extension KeysetReader: ExportReader where Item: ExportRow {
    mutating func rows() async throws -> [any ExportRow]? { try await next() }
}

extension PingReader: ExportReader {
    mutating func rows() async throws -> [any ExportRow]? { try await next() }
}
