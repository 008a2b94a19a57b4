internal import Discovery
internal import Storage

/// Puts the rows of an import right before they are read, if that was asked for.
struct RowNormaliser: Sendable {
    /// What an import with a normaliser is of.
    enum Kind: Sendable {
        case products(ProductNormaliser)
        case places(PositionNormaliser)
    }

    private let kind: Kind
    /// The rows whose ids were made of their names, by id.
    private var made: [String: Int] = [:]
    /// The columns that have no field.
    private var others: Set<String> = []

    init(_ kind: Kind) { self.kind = kind }

    /// What should be said of the file as a whole.
    var notes: [String] {
        others.sorted().map { "column '\($0)' has no field: words were looked for in it, and it was not kept" }
    }

    /// The row as it is read, and what was done to it.
    ///
    /// - Throws: ``Problem`` for a row whose made id another row has.
    mutating func normalised(
        _ members: [String: JSON], row: Int
    ) throws(Problem) -> (members: [String: JSON], remarks: [Remark]) {
        switch kind {
        case .products(let normaliser): try product(members, row, normaliser)
        case .places(let normaliser): place(members, normaliser)
        }
    }

    private mutating func product(
        _ members: [String: JSON], _ row: Int, _ normaliser: ProductNormaliser
    ) throws(Problem) -> (members: [String: JSON], remarks: [Remark]) {
        let result = normaliser.normalised(members.compactMapValues(\.cellText))
        if result.hasGuessedID, let id = result.texts["id"] {
            if let first = made[id] {
                let detail = "is required: row \(first) has the same brand and name"
                throw .invalid([FieldError(pointer: "/id", code: .required, detail: detail)])
            }
            made[id] = row
        }
        others.formUnion(result.others.keys)
        // What no cell could hold is left to be refused.
        var clean = members.filter { $0.value.cellText == nil }
        clean.merge(result.texts.mapValues(JSON.text)) { _, text in text }
        for (field, texts) in result.lists { clean[field] = .list(texts.map(JSON.text)) }
        if let price = result.price { clean["price"] = .number(Double(price)) }
        return (clean, result.remarks)
    }

    private func place(
        _ members: [String: JSON], _ normaliser: PositionNormaliser
    ) -> (members: [String: JSON], remarks: [Remark]) {
        let result = normaliser.normalised(
            latitude: members["lat"]?.cellText, longitude: members["lon"]?.cellText, city: members["city"]?.cellText,
            country: members["country"]?.cellText)
        var clean = members
        clean["lat"] = result.latitude.map(JSON.text)
        clean["lon"] = result.longitude.map(JSON.text)
        return (clean, result.remarks)
    }
}

extension JSON {
    /// The value as a cell of a table would hold it; nil for what no cell holds.
    fileprivate var cellText: String? {
        switch self {
        case .text(let text): text
        case .number(let number): Int64(exactly: number).map(String.init) ?? String(number)
        case .flag(let flag): String(flag)
        case .list(let items): items.compactMap(\.cellText).joined(separator: ";")
        case .null, .object: nil
        }
    }
}
