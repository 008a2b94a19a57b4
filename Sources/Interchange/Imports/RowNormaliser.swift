internal import Foundation
internal import Model
package import Normaliser

/// Normalizes the rows of an import before they are read.
package struct RowNormaliser: Sendable {
    /// The kind of rows, with its normalizer.
    package enum Kind: Sendable {
        case products(ProductNormaliser)
        case places(PlaceNormaliser)
        case stock(StockNormaliser)
    }

    private let kind: Kind
    /// The row numbers of ids that were derived from names, by id.
    private var made: [String: Int] = [:]
    /// The columns without a field, each with its likely meaning.
    private var others: [String: String?] = [:]
    private var columnNotes: Set<String> = []
    /// Whether several of the first rows share a store number although they describe different stores.
    private var numbersAreShared = false
    private var prices = PriceColumn()
    private var shopify = ShopifyRows()

    package init(_ kind: Kind) { self.kind = kind }

    /// Notes about the file as a whole.
    package var notes: [String] {
        others.sorted { $0.key < $1.key }.map(note) + columnNotes.sorted() + prices.notes + pictureNotes
    }

    private var pictureNotes: [String] {
        guard shopify.pictures > 0 else { return [] }
        return ["rows with only a further picture of a product, which were not read: \(shopify.pictures)"]
    }

    /// Whether a row is passed over, because it has only a further picture of the product in the row before it.
    package mutating func passesOver(_ row: ImportRow) -> Bool {
        guard case .products = kind, case .success(let members) = row.members else { return false }
        return shopify.isPicture(members)
    }

    private func note(_ column: String, _ look: String?) -> String {
        let isSearched = if case .products = kind { true } else { false }
        let fate = isSearched ? ": it was searched for words, and not kept" : ", and was not kept"
        guard let look else { return "column '\(column)' matches no field\(fate)" }
        return "warning: column '\(column)' looks like \(look) and matches no field\(fate)"
    }

    private mutating func take(others columns: [String: String]) {
        for (name, text) in columns where (others[name] ?? nil) == nil {
            others[name] = .some(UnreadColumn.look(name, text))
        }
    }

    /// Inspects the first rows before any is normalized, because the meaning of a column depends on all of its values.
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

    /// A normalized row, with remarks about the changes and the field as which each column was read.
    package struct Row {
        package var members: [String: JSON]
        package var remarks: [Remark]
        var fields: [String: String]
    }

    /// The normalized row; columns of products that `attributes` requests become attributes.
    ///
    /// - Throws: ``FormError`` for a row whose derived id is taken by another row, or with an attribute twice.
    package mutating func normalised(
        _ members: [String: JSON], row: Int, _ attributes: inout AttributeReader
    ) throws(FormError) -> Row {
        switch kind {
        case .products(let normaliser): try product(members, row, normaliser, &attributes)
        case .places(let normaliser): try place(members, row, normaliser)
        case .stock(let normaliser): try stock(members, row, normaliser)
        }
    }

    private mutating func product(
        _ members: [String: JSON], _ row: Int, _ normaliser: ProductNormaliser, _ attributes: inout AttributeReader
    ) throws(FormError) -> Row {
        let members = shopify.completed(members)
        let texts = members.compactMapValues(\.cellText)
        let columns = attributes.columns
        let result = normaliser.normalised(texts, isInDecimals: prices.isInDecimals(texts, row)) {
            columns.attribute(named: $0) != nil
        }
        if result.hasGuessedID, let id = result.texts["id"] { try claim(id, row, "brand and name") }
        guard members["id"] != nil || result.texts["id"] != nil || result.texts["name"] != nil else {
            let detail = "is required: an id is made from it and the brand, and is missing too"
            throw .invalid([FieldError(pointer: "/name", code: .required, detail: detail)])
        }
        let unread = result.others.filter { result.fields[$0.key] == nil }
        var own: [String: String] = [:]
        for column in unread.keys { own[column] = columns.attribute(of: column) }
        take(others: result.others.filter { own[$0.key] == nil })
        // Values that a table cell cannot hold are left unchanged, so that reading refuses them.
        var clean = members.filter { $0.value.cellText == nil }
        clean.merge(result.texts.mapValues(JSON.text)) { _, text in text }
        for (field, texts) in result.lists { clean[field] = .list(texts.map(JSON.text)) }
        if let price = result.price { clean["price"] = .number(Double(price)) }
        clean = try attributes.gathered(
            clean, from: unread.reduce(into: [:]) { $0[$1.key] = members[$1.key] ?? .text($1.value) })
        let fields = result.fields.merging(own.mapValues { AttributeColumns.prefix + $0 }) { field, _ in field }
        return Row(members: clean, remarks: result.remarks, fields: fields)
    }

    private mutating func stock(
        _ members: [String: JSON], _ row: Int, _ normaliser: StockNormaliser
    ) throws(FormError) -> Row {
        let texts = members.compactMapValues(\.cellText)
        let result = normaliser.normalised(texts, isInDecimals: prices.isInDecimals(texts, row))
        if let fault = result.refusal {
            throw .invalid([FieldError(pointer: "/sizes", code: .format, detail: fault)])
        }
        // Values that a table cell cannot hold are left unchanged, such as an object of sizes.
        var clean = members.filter { $0.value.cellText == nil }
        clean.merge(result.texts.mapValues(JSON.text)) { _, text in text }
        if let price = result.price { clean["price"] = .number(Double(price)) }
        take(others: result.others)
        columnNotes.formUnion(result.notes)
        return Row(members: clean, remarks: result.remarks, fields: result.fields)
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
    ) throws(FormError) -> Row {
        let place = OverturePlace(members)
        for name in place.unread { columnNotes.insert("column '\(name)' has objects, which were not kept") }
        let unpacked = place.members.unpacked
        let result = normaliser.normalised(
            unpacked.compactMapValues(\.cellText), numbersAreShared: numbersAreShared)
        var clean = unpacked.filter { result.fields[$0.key] == nil }
        clean.merge(result.texts.mapValues(JSON.text)) { _, text in text }
        if result.hasMadeID, let id = result.texts["id"] {
            try claim(id, row, "brand and number, or name and address")
        }
        if let brand = result.texts["brand"] { clean.tag(brand) }
        columnNotes.formUnion(result.notes)
        var fields = result.fields
        for column in members.keys where fields[column] == nil {
            fields[column] = unpacked[column] == nil ? "attributes" : ImportKind.places.field(of: column)
        }
        return Row(members: clean, remarks: result.remarks, fields: fields)
    }
}

extension [String: JSON] {
    /// The members with JSON objects in text cells unpacked; an inner name that is taken gets the column's name as a
    /// prefix.
    fileprivate var unpacked: [String: JSON] {
        var all = self
        for (name, value) in sorted(by: { $0.key < $1.key }) {
            guard case .text(let text) = value, text.hasPrefix("{"), case .object(let packed)? = JSON(cell: text),
                packed["coordinates"] == nil
            else {
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

    /// Adds a tag, if it is not present.
    fileprivate mutating func tag(_ tag: String) {
        let tags = self["tags"]?.words ?? []
        if !tags.contains(tag) { self["tags"] = .list((tags + [tag]).map(JSON.text)) }
    }
}

extension JSON {
    /// The value as text in a table cell; nil for an object or null.
    fileprivate var cellText: String? {
        switch self {
        case .text(let text): text
        case .number(let number): Int64(exactly: number).map(String.init) ?? Self.decimal(number)
        case .flag(let flag): String(flag)
        case .list(let items): items.compactMap(\.cellText).joined(separator: ";")
        case .null, .object: nil
        }
    }

    /// A fraction with a trailing zero if it has three decimals, so that they are not mistaken for a group of
    /// thousands.
    private static func decimal(_ number: Double) -> String {
        let text = String(number)
        return text.wholeMatch(of: Patterns.threeDecimals) == nil ? text : text + "0"
    }

    fileprivate init?(cell text: String) {
        guard let value = try? JSON(Data(text.utf8)) else { return nil }
        self = value
    }

    /// The entries of a list, or of a list literal of another language in a text, such as `['Parking Lot',
    /// 'Delivery']`.
    fileprivate var words: [String] {
        switch self {
        case .list(let items): return items.compactMap(\.cellText)
        case .text(let text) where text.hasPrefix("[") && text.hasSuffix("]"):
            let inner = text.dropFirst().dropLast()
            return inner.matches(of: Patterns.quoted).map { String($0.output.1 ?? $0.output.2 ?? "") }
                .filter { !$0.isEmpty }
        case .text(let text): return text.listed
        default: return cellText.map { [$0] } ?? []
        }
    }
}

private enum Patterns {
    static let threeDecimals = Pattern(#/-?\d+\.\d{3}/#)
    static let quoted = Pattern(#/'([^']*)'|"([^"]*)"/#)
}
