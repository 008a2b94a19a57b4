public import Cities
internal import Foundation
internal import Hours
internal import Model

/// Normalizes the rows of other programs' lists of places.
///
/// Columns are renamed, addresses are assembled from their parts, a missing id, kind or name is derived from other
/// values, and positions are compared with the address.
public struct PlaceNormaliser: Sendable {
    private let positions: PositionNormaliser

    /// Creates a normalizer that uses the cities of a gazetteer.
    public init(gazetteer: Gazetteer) { positions = PositionNormaliser(gazetteer: gazetteer) }

    /// A normalized row, with remarks.
    public struct Result: Sendable {
        /// The texts by field; names that are not fields of places are attributes.
        public internal(set) var texts: [String: String] = [:]
        /// The field as which each column was read.
        public internal(set) var fields: [String: String] = [:]
        /// Changes to the values of this row.
        public internal(set) var remarks: [Remark] = []
        /// Changes to the columns of all such rows, as sentences.
        public internal(set) var notes: Set<String> = []
        /// Whether the id was derived from other values.
        public internal(set) var hasMadeID = false
    }

    /// Normalizes a row of texts by column; empty texts count as missing.
    ///
    /// Equal rows give equal results.
    ///
    /// - Parameters:
    ///   - row: the texts.
    ///   - numbersAreShared: whether rows of different stores have the same brand and store number.
    /// - Returns: the normalized row.
    public func normalised(_ row: [String: String], numbersAreShared: Bool = false) -> Result {
        var (result, columns) = named(row)
        Self.readPosition(&columns, &result)
        hours(&result, &columns)
        closure(&result, columns)
        let identity = Self.identity(result)
        position(&result)
        if result.texts["id"] == nil { makeID(identity, numbersAreShared, &result) }
        let kind = result.notes.contains("column 'stop_id' was read as 'id'") ? "stop" : "store"
        fill("kind", with: kind, "column 'kind' is missing or empty: '\(kind)' was used", &result)
        if let brand = result.texts["brand"] {
            fill("name", with: brand, "a place without a name got its brand as the name", &result)
        }
        address(&result)
        if let zone = result.texts["timezone"], !WallClock.isZone(zone) {
            result.texts["timezone"] = nil
            result.remarks.append(Remark("timezone", .dropped, "'\(zone.shortened)' is not an IANA time zone"))
        } else if let zone = result.texts["timezone"], WallClock.lacksSummerTime(zone) {
            result.remarks.append(
                Remark("timezone", .doubted, "'\(zone)' has no summer time: name a city's zone if clocks change there"))
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

    /// The row with standard field names and unchanged texts, and the columns that match no field.
    private func named(_ row: [String: String]) -> (row: Result, others: ColumnNames) {
        var result = Result()
        var columns = ColumnNames(row)
        for (field, names) in Self.columns {
            guard let (name, column, text) = columns.take([field] + names) ?? Self.byText(field, &columns) else {
                continue
            }
            result.texts[field] = text
            result.fields[column] = field
            if name != field { result.notes.insert("column '\(name)' was read as '\(field)'") }
        }
        return (result, columns)
    }

    /// Reads the position of a row without latitude and longitude, and the columns of their hemispheres.
    private static func readPosition(_ columns: inout ColumnNames, _ result: inout Result) {
        if result.texts["lat"] == nil, result.texts["lon"] == nil {
            guard let (read, latitude, longitude) = columns.takePosition() else {
                for column in columns.likelyPositions {
                    result.notes.insert("warning: column '\(column)' looks like a position and was not read as one")
                }
                return
            }
            result.texts["lat"] = latitude
            result.texts["lon"] = longitude
            for column in read { result.fields[column] = "lat, lon" }
            let names = read.map { "'\($0)'" }.joined(separator: " and ")
            result.notes.insert("positions were read from \(names)")
        }
        for (column, text, hemisphere) in columns.takeHemispheres() {
            let field = hemisphere.isLatitude ? "lat" : "lon"
            result.fields[column] = field
            result.notes.insert("column '\(column)' was read as the hemisphere of '\(field)'")
            guard let degrees = result.texts[field] else { continue }
            if let signed = hemisphere.signed(degrees) {
                result.texts[field] = signed
                if signed != degrees {
                    let detail = "'\(degrees.shortened)' was read as \(signed), as '\(column)' is '\(text.shortened)'"
                    result.remarks.append(Remark(field, .changed, detail))
                }
                continue
            }
            let position = ["lat", "lon"].compactMap { result.texts.removeValue(forKey: $0)?.shortened }
            let detail = "'\(position.joined(separator: ", "))' is not certain with '\(text.shortened)' in '\(column)'"
            result.remarks.append(Remark(field, .dropped, "\(detail): the place is kept without a position"))
        }
    }

    /// A column whose meaning its text decides: `Shop` has names, or as in OpenStreetMap kinds in lowercase letters, such
    /// as `shoes`; `Filiale` has numbers or names.
    private static func byText(
        _ field: String, _ columns: inout ColumnNames
    ) -> (name: String, column: String, text: String)? {
        let found: (column: String, value: String)?
        switch field {
        case "id": found = columns.take(["filiale"]) { isNumber($0) ? $0 : nil }
        case "name":
            found =
                columns.take(["shop"]) { $0.wholeMatch(of: Patterns.tagValue) == nil ? $0 : nil }
                ?? columns.take(["filiale"]) { isNumber($0) ? nil : $0 }
        default: return nil
        }
        return found.map { (ColumnNames.folded($0.column), $0.column, $0.value) }
    }

    private static func isNumber(_ text: String) -> Bool {
        text.contains(where: \.isNumber) && !text.contains(where: \.isWhitespace)
    }

    /// The values that distinguish a place from others.
    private static func identity(_ row: Result) -> [String] {
        ["name", "street", "address", "city", "zip", "lat", "lon"].map { row.texts[$0] ?? "" }
    }

    /// The id derived from a row's store number, and the values that distinguish it from others with that number.
    ///
    /// It is nil for a row with an id, or without a number.
    public func numbered(_ row: [String: String]) -> (id: String, identity: [String])? {
        var (row, columns) = named(row)
        guard row.texts["id"] == nil, let id = Self.numberedID(row) else { return nil }
        Self.readPosition(&columns, &row)
        return (id, Self.identity(row))
    }

    /// An id derived from the brand, or else the name, and the store number.
    private static func numberedID(_ row: Result) -> String? {
        guard let number = row.texts["store_id"], let chain = row.texts["brand"] ?? row.texts["name"] else {
            return nil
        }
        return MadeID.of([chain, number])
    }

    /// Derives a deterministic id from the row, so that it is stable in later files.
    ///
    /// It consists of the chain and store number, or of the name and the address. If these are ambiguous, a hash of all
    /// distinguishing values is added.
    private func makeID(_ identity: [String], _ numbersAreShared: Bool, _ result: inout Result) {
        if let id = Self.numberedID(result) {
            result.texts["id"] = numbersAreShared ? MadeID.hashed(id, with: identity) : id
            let parts = result.texts["brand"] == nil ? "'name' and 'store_id'" : "'brand' and 'store_id'"
            result.notes.insert(
                "ids were made from \(parts)"
                    + (numbersAreShared ? ", with a hash of name, address and position: stores share numbers" : ""))
        } else {
            let called = ["brand", "name", "street", "address", "city", "zip"].compactMap { result.texts[$0] }
            guard let id = MadeID.of(called) else { return }
            let hasAddress = result.texts["street"] != nil || result.texts["address"] != nil
            result.texts["id"] = hasAddress ? id : MadeID.hashed(id, with: identity)
            result.notes.insert(
                hasAddress
                    ? "ids were made from names and addresses where none is given"
                    : "ids were made from names and a hash of the position where an address is missing")
        }
        result.hasMadeID = true
    }

    private func address(_ result: inout Result) {
        let number = result.texts["house_number"]
        let street = result.texts["street"].map { [$0, number].compactMap(\.self).joined(separator: " ") }
        let region = ["state", "zip"].compactMap { result.texts[$0] }.joined(separator: " ")
        // A text named address may contain only the street.
        if let own = result.texts["address"] {
            guard let city = result.texts["city"], !PlainText.of(own).contains(PlainText.of(city)) else { return }
        }
        let parts = [result.texts["address"] ?? street, result.texts["city"], region, result.texts["country"]]
        let address = parts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ", ")
        guard !address.isEmpty else { return }
        // Parts that are not in the address are kept as attributes.
        if result.texts["address"] == nil, street != nil {
            result.texts["street"] = nil
            result.texts["house_number"] = nil
        }
        result.texts["address"] = address
        result.notes.insert("addresses were combined from their parts")
    }
}

private enum Patterns {
    static let tagValue = Pattern(#/[a-z_; ]*/#)
}
