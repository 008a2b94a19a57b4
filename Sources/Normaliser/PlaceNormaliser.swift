public import Cities
internal import Foundation
internal import Hours
internal import Model

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
        /// Whether the id was made of what the row says.
        public fileprivate(set) var hasMadeID = false
    }

    /// Normalises a row of texts by column, of which empty ones are not given.
    ///
    /// - Parameters:
    ///   - row: the texts.
    ///   - numbersAreShared: whether other rows have the brand and the number of this one's store, though they are others.
    /// - Returns: the same for the same row.
    public func normalised(_ row: [String: String], numbersAreShared: Bool = false) -> Result {
        var result = named(row)
        let identity = Self.identity(result)
        position(&result)
        if result.texts["id"] == nil { makeID(identity, numbersAreShared, &result) }
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

    /// A row with our names, its texts as they were.
    private func named(_ row: [String: String]) -> Result {
        var result = Result()
        var columns = ColumnNames(row)
        for (field, names) in Self.columns {
            guard let (name, column, text) = columns.take([field] + names) else { continue }
            result.texts[field] = text
            result.columns.insert(column)
            if name != field { result.notes.insert("column '\(name)' was read as '\(field)'") }
        }
        if result.texts["hours"] == nil, let (hours, read) = Self.week(of: &columns) {
            result.texts["hours"] = hours
            result.columns.formUnion(read)
            result.notes.insert("hours were put together of a column for each day")
        }
        return result
    }

    /// What tells a place from others, as the row has it.
    private static func identity(_ row: Result) -> [String] {
        ["name", "street", "address", "city", "zip", "lat", "lon"].map { row.texts[$0] ?? "" }
    }

    /// The id that a row gets of the number of its store, and what tells it from others of that number; nil for a row that has
    /// no number, or an id.
    public func numbered(_ row: [String: String]) -> (id: String, identity: [String])? {
        let row = named(row)
        guard row.texts["id"] == nil, let id = Self.numberedID(row) else { return nil }
        return (id, Self.identity(row))
    }

    /// An id of the brand, or else the name, and the number of the store.
    private static func numberedID(_ row: Result) -> String? {
        guard let number = row.texts["store_id"], let chain = row.texts["brand"] ?? row.texts["name"] else {
            return nil
        }
        return MadeID.of([chain, number])
    }

    /// Makes an id of what the row says, so that it is the same in the next file.
    ///
    /// It is made of the number of the store, or of the name and the address. Where these leave open which place it is, a hash of
    /// all that tells it from others is added.
    private func makeID(_ identity: [String], _ numbersAreShared: Bool, _ result: inout Result) {
        if let id = Self.numberedID(result) {
            result.texts["id"] = numbersAreShared ? MadeID.hashed(id, with: identity) : id
            let parts = result.texts["brand"] == nil ? "'name' and 'store_id'" : "'brand' and 'store_id'"
            result.notes.insert(
                "ids were made of \(parts)"
                    + (numbersAreShared ? ", with a hash of name, address and position, for stores share numbers" : ""))
        } else {
            let called = ["brand", "name", "street", "address", "city", "zip"].compactMap { result.texts[$0] }
            guard let id = MadeID.of(called) else { return }
            let hasAddress = result.texts["street"] != nil || result.texts["address"] != nil
            result.texts["id"] = hasAddress ? id : MadeID.hashed(id, with: identity)
            result.notes.insert(
                hasAddress
                    ? "ids were made of names and addresses where none is given"
                    : "ids were made of names and a hash of the position where there is no address")
        }
        result.hasMadeID = true
    }

    private func address(_ result: inout Result) {
        let number = result.texts.removeValue(forKey: "house_number")
        let street = result.texts.removeValue(forKey: "street").map {
            [$0, number].compactMap(\.self).joined(separator: " ")
        }
        let region = ["state", "zip"].compactMap { result.texts[$0] }.joined(separator: " ")
        // What is called an address may be a street only.
        if let own = result.texts["address"] {
            guard let city = result.texts["city"], !PlainText.of(own).contains(PlainText.of(city)) else { return }
        }
        let parts = [result.texts["address"] ?? street, result.texts["city"], region, result.texts["country"]]
        let address = parts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ", ")
        guard !address.isEmpty else { return }
        result.texts["address"] = address
        result.notes.insert("addresses were put together of their parts")
    }
}
