internal import Foundation
package import Normaliser

/// Puts the rows of an import right before they are read, if that was asked for.
package struct RowNormaliser: Sendable {
    /// What an import with a normaliser is of.
    package enum Kind: Sendable {
        case products(ProductNormaliser)
        case places(PlaceNormaliser)
        case stock(StockNormaliser)
    }

    private let kind: Kind
    /// The rows whose ids were made of their names, by id.
    private var made: [String: Int] = [:]
    /// The columns that have no field.
    private var others: Set<String> = []
    private var columnNotes: Set<String> = []
    /// Whether several of the first rows have the number of one store, though they are others.
    private var numbersAreShared = false
    private var prices = PriceColumn()
    /// The product in the row before.
    private var head: [String: JSON] = [:]

    package init(_ kind: Kind) { self.kind = kind }

    /// What should be said of the file as a whole.
    package var notes: [String] {
        others.sorted().map { "column '\($0)' has no field: words were looked for in it, and it was not kept" }
            + columnNotes.sorted() + prices.notes
    }

    /// Takes note of the first rows before any is normalised, because a column means what all of it says.
    package mutating func look(at rows: [[String: JSON]]) {
        switch kind {
        case .products, .stock:
            for row in rows { prices.look(at: row.compactMapValues(\.cellText)) }
        case .places(let normaliser):
            var numbers: [String: [String]] = [:]
            for row in rows {
                let texts = row.unpacked.compactMapValues(\.cellText)
                guard let (id, identity) = normaliser.numbered(texts) else { continue }
                if numbers[id, default: identity] != identity { numbersAreShared = true }
                numbers[id] = identity
            }
        }
    }

    /// The row as it is read, and what was done to it.
    ///
    /// - Throws: ``FormError`` for a row whose made id another row has.
    package mutating func normalised(
        _ members: [String: JSON], row: Int
    ) throws(FormError) -> (members: [String: JSON], remarks: [Remark]) {
        switch kind {
        case .products(let normaliser): try product(members, row, normaliser)
        case .places(let normaliser): try place(members, row, normaliser)
        case .stock(let normaliser): stock(members, row, normaliser)
        }
    }

    private mutating func product(
        _ members: [String: JSON], _ row: Int, _ normaliser: ProductNormaliser
    ) throws(FormError) -> (members: [String: JSON], remarks: [Remark]) {
        let members = withHead(members)
        let texts = members.compactMapValues(\.cellText)
        let result = normaliser.normalised(texts, isInDecimals: prices.isInDecimals(texts, row))
        if result.hasGuessedID, let id = result.texts["id"] { try claim(id, row, "brand and name") }
        guard members["id"] != nil || result.texts["id"] != nil || result.texts["name"] != nil else {
            let detail = "is required: of it and the brand an id is made, which is not there either"
            throw .invalid([FieldError(pointer: "/name", code: .required, detail: detail)])
        }
        others.formUnion(result.others.keys)
        // What no cell could hold is left to be refused.
        var clean = members.filter { $0.value.cellText == nil }
        clean.merge(result.texts.mapValues(JSON.text)) { _, text in text }
        for (field, texts) in result.lists { clean[field] = .list(texts.map(JSON.text)) }
        if let price = result.price { clean["price"] = .number(Double(price)) }
        return (clean, result.remarks)
    }

    /// A further variant of the product in the row before, as Shopify writes them, with what only the first of them has.
    private mutating func withHead(_ members: [String: JSON]) -> [String: JSON] {
        var whole = members
        if let handle = members["handle"], handle != .text(""), handle == head["handle"],
            members["title", default: .text("")] == .text("")
        {
            for (column, value) in head
            where !column.hasPrefix("variant") && whole[column, default: .text("")] == .text("") {
                whole[column] = value
            }
        }
        head = whole
        return whole
    }

    private mutating func stock(
        _ members: [String: JSON], _ row: Int, _ normaliser: StockNormaliser
    ) -> (members: [String: JSON], remarks: [Remark]) {
        let texts = members.compactMapValues(\.cellText)
        let result = normaliser.normalised(texts, isInDecimals: prices.isInDecimals(texts, row))
        // What no cell could hold is left to be read, such as an object of sizes.
        var clean = members.filter { $0.value.cellText == nil }
        clean.merge(result.texts.mapValues(JSON.text)) { _, text in text }
        if let price = result.price { clean["price"] = .number(Double(price)) }
        columnNotes.formUnion(result.notes)
        return (clean, result.remarks)
    }

    private mutating func claim(_ id: String, _ row: Int, _ parts: String) throws(FormError) {
        if let first = made[id] {
            let detail = "is required: row \(first) has the same \(parts)"
            throw .invalid([FieldError(pointer: "/id", code: .required, detail: detail)])
        }
        made[id] = row
    }

    private mutating func place(
        _ members: [String: JSON], _ row: Int, _ normaliser: PlaceNormaliser
    ) throws(FormError) -> (members: [String: JSON], remarks: [Remark]) {
        let unpacked = members.unpacked
        let result = normaliser.normalised(
            unpacked.compactMapValues(\.cellText), numbersAreShared: numbersAreShared)
        var clean = unpacked.filter { !result.columns.contains($0.key) }
        clean.merge(result.texts.mapValues(JSON.text)) { _, text in text }
        if result.hasMadeID, let id = result.texts["id"] {
            try claim(id, row, "brand and number, or name and address")
        }
        if let brand = result.texts["brand"] { clean.tag(brand) }
        columnNotes.formUnion(result.notes)
        return (clean, result.remarks)
    }
}

extension [String: JSON] {
    /// The members with the members of what is a JSON object in a cell of text, each under its own name, or with the column's
    /// before it if that is taken.
    fileprivate var unpacked: [String: JSON] {
        var all = self
        for (name, value) in sorted(by: { $0.key < $1.key }) {
            guard case .text(let text) = value, text.hasPrefix("{"), case .object(let packed)? = JSON(cell: text) else {
                continue
            }
            all[name] = nil
            for (inner, value) in packed.sorted(by: { $0.key < $1.key }) {
                if inner == "tags" {
                    for tag in value.words { all.tag(tag) }
                } else {
                    all[all[inner] == nil ? inner : "\(name)_\(inner)"] = value
                }
            }
        }
        return all
    }

    /// Adds a tag, if it is not there.
    fileprivate mutating func tag(_ tag: String) {
        let tags = self["tags"]?.words ?? []
        if !tags.contains(tag) { self["tags"] = .list((tags + [tag]).map(JSON.text)) }
    }
}

extension JSON {
    /// The value as a cell of a table would hold it; nil for what no cell holds.
    fileprivate var cellText: String? {
        switch self {
        case .text(let text): text
        case .number(let number): Int64(exactly: number).map(String.init) ?? Self.decimal(number)
        case .flag(let flag): String(flag)
        case .list(let items): items.compactMap(\.cellText).joined(separator: ";")
        case .null, .object: nil
        }
    }

    /// A fraction in such a way that its three decimals are no group of thousands.
    private static func decimal(_ number: Double) -> String {
        let text = String(number)
        return text.wholeMatch(of: #/-?\d+\.\d{3}/#) == nil ? text : text + "0"
    }

    fileprivate init?(cell text: String) {
        guard let value = try? JSON(Data(text.utf8)) else { return nil }
        self = value
    }

    /// The entries of a list, also of one that another language wrote into a text: `['Parking Lot', 'Delivery']`.
    fileprivate var words: [String] {
        switch self {
        case .list(let items): return items.compactMap(\.cellText)
        case .text(let text) where text.hasPrefix("[") && text.hasSuffix("]"):
            let inner = text.dropFirst().dropLast()
            return inner.matches(of: #/'([^']*)'|"([^"]*)"/#).map { String($0.output.1 ?? $0.output.2 ?? "") }
                .filter { !$0.isEmpty }
        case .text(let text): return text.listed
        default: return cellText.map { [$0] } ?? []
        }
    }
}
