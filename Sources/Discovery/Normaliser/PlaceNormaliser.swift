internal import Foundation
internal import Storage

/// Brings the rows of other people's lists of places into the form of ours.
///
/// Columns get our names, an address is put together of its parts, what is missing (an id, a kind, a name) is made of what is
/// there, and positions are compared with the address.
public struct PlaceNormaliser: Sendable {
    private let positions: PositionNormaliser

    /// A normaliser that knows the cities of a gazetteer.
    public init(gazetteer: Gazetteer) { positions = PositionNormaliser(gazetteer: gazetteer) }

    /// A row with the names and values of ours, and what was done to it.
    public struct Result: Sendable {
        /// The texts by field; those that are no fields of places are attributes.
        public fileprivate(set) var texts: [String: String] = [:]
        /// The columns that these texts were taken from.
        public fileprivate(set) var columns: Set<String> = []
        /// What was done to the values of this row.
        public fileprivate(set) var remarks: [Remark] = []
        /// What was done to the columns of all rows like this, as sentences.
        public fileprivate(set) var notes: Set<String> = []
        /// What the id was made of; empty for one that was given.
        public fileprivate(set) var idParts: [String] = []
    }

    /// The fields of places, and parts of addresses, with what else their columns are called.
    private static let columns: [(field: String, names: [String])] = [
        ("id", ["place_id", "codigo"]), ("kind", []),
        ("name", ["store_name", "shop_name", "title", "nombre", "tienda"]), ("lat", ["latitud"]), ("lon", ["longitud"]),
        ("address", ["direccion", "full_address", "domicilio"]), ("category", ["categoria"]),
        ("hours", ["horario", "horarios", "schedule"]), ("timezone", ["zona_horaria"]),
        ("brand", ["chain", "marca", "cadena"]),
        ("store_id", ["store_number", "branch", "sucursal"]), ("street", ["calle", "addr_street"]),
        ("city", ["ciudad", "localidad", "municipio", "town", "addr_city"]),
        ("state", ["provincia", "estado", "region"]),
        ("zip", ["postcode", "postal_code", "zipcode", "cp", "codigo_postal", "addr_postcode"]),
        ("country", ["pais", "addr_country"]),
    ]

    /// Normalises a row of texts by column, of which empty ones are not given.
    ///
    /// - Returns: the same for the same row.
    public func normalised(_ row: [String: String]) -> Result {
        var result = Result()
        var columns = ColumnNames(row)
        for (field, names) in Self.columns {
            guard let (name, column, text) = columns.take([field] + names) else { continue }
            result.texts[field] = text
            result.columns.insert(column)
            if name != field { result.notes.insert("column '\(name)' was read as '\(field)'") }
        }
        position(&result)
        if result.texts["id"] == nil { makeID(&result) }
        fill("kind", with: "store", "column 'kind' is not there or empty: 'store' was taken", &result)
        if let brand = result.texts["brand"] {
            fill("name", with: brand, "a place without a name got that of its brand", &result)
        }
        address(&result)
        if let zone = result.texts["timezone"], !WallClock.isZone(zone) {
            result.texts["timezone"] = nil
            result.remarks.append(Remark("timezone", .dropped, "'\(zone.shortened)' is no IANA time zone"))
        }
        return result
    }

    private func fill(_ field: String, with text: String, _ note: String, _ result: inout Result) {
        guard result.texts[field] == nil else { return }
        result.texts[field] = text
        result.notes.insert(note)
    }

    private func position(_ result: inout Result) {
        let address = PositionNormaliser.Address(
            city: result.texts["city"], state: result.texts["state"], country: result.texts["country"])
        let position = positions.normalised(
            latitude: result.texts["lat"], longitude: result.texts["lon"], address)
        result.texts["lat"] = position.latitude
        result.texts["lon"] = position.longitude
        result.remarks += position.remarks
    }

    /// Makes an id of the brand and its own id, or else of what the place is called and its address.
    private func makeID(_ result: inout Result) {
        let own = ["brand", "store_id"].compactMap { result.texts[$0] }
        let called = ["brand", "name", "street", "address", "city", "zip"].compactMap { result.texts[$0] }
        let parts = own.count == 2 ? own : called
        guard let id = MadeID.of(parts) else { return }
        result.texts["id"] = id
        result.idParts = ["name", "street", "address", "city", "zip", "lat", "lon"].map { result.texts[$0] ?? "" }
        result.notes.insert(
            own.count == 2
                ? "ids were made of 'brand' and 'store_id'" : "ids were made of names and addresses where none is given"
        )
    }

    /// The id of a place whose made one another place has already.
    public static func id(_ id: String, besides parts: [String]) -> String { MadeID.hashed(id, with: parts) }

    private func address(_ result: inout Result) {
        let street = result.texts.removeValue(forKey: "street")
        guard result.texts["address"] == nil else { return }
        let region = ["state", "zip"].compactMap { result.texts[$0] }.joined(separator: " ")
        let parts = [street, result.texts["city"], region, result.texts["country"]].compactMap(\.self)
        let address = parts.filter { !$0.isEmpty }.joined(separator: ", ")
        guard !address.isEmpty else { return }
        result.texts["address"] = address
        result.notes.insert("addresses were put together of their parts")
    }
}
