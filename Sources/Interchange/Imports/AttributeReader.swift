internal import Model
internal import Normaliser

/// Moves the columns of products that are attributes into the member `attributes`.
package struct AttributeReader: Sendable {
    /// Maximum number of columns that a note proposes.
    private static let mostProposed = 20
    private static let mostLeft = 1000

    let columns: AttributeColumns
    /// Whether columns that are not kept are proposed.
    private let proposes: Bool
    /// The names of the attributes found so far.
    private var found: Set<String> = []
    /// The attributes with decimal commas, each with the first such text.
    private var commas: [String: String] = [:]
    /// The columns that were not kept, and whether each looks like a price, an amount, a position or a time.
    private var left: [String: Bool] = [:]

    package init(_ columns: AttributeColumns, proposes: Bool) {
        self.columns = columns
        self.proposes = proposes
    }

    /// The members of a row that was not normalized, with its attributes.
    ///
    /// - Throws: ``FormError`` for two columns of the same attribute.
    mutating func gathered(_ members: [String: JSON]) throws(FormError) -> [String: JSON] {
        var others: [String: JSON] = [:]
        for (column, value) in members where !AttributeColumns.fields.contains(column) { others[column] = value }
        return others.isEmpty ? members : try gathered(members, from: others)
    }

    /// The members with the attributes among some columns without a field; the other columns stay.
    mutating func gathered(
        _ members: [String: JSON], from others: [String: JSON]
    ) throws(FormError) -> [String: JSON] {
        var rest = members
        var own: [String: JSON] = [:]
        switch members["attributes"] {
        case .object(let given)?: own = given
        case nil, .null?, .text("")?: break
        // A value of another type is refused when the product is read.
        default: return members
        }
        for (column, value) in others.sorted(by: { $0.key < $1.key }) {
            guard let name = columns.attribute(of: column) else {
                leave(column, value)
                continue
            }
            rest[column] = nil
            guard value != .text(""), value != .null else { continue }
            found.insert(name)
            if case .text(let text) = value, commas[name] == nil, text.wholeMatch(of: Patterns.decimalComma) != nil {
                commas[name] = text
            }
            guard own.updateValue(value, forKey: name) == nil else {
                let detail = "is the attribute '\(name)', which the row has twice"
                throw .invalid([FieldError(pointer: "/\(column.pointerToken)", code: .mismatch, detail: detail)])
            }
        }
        rest["attributes"] = own.isEmpty ? nil : .object(own)
        return rest
    }

    private mutating func leave(_ column: String, _ value: JSON) {
        guard proposes, left[column] != true, left[column] != nil || left.count < Self.mostLeft else { return }
        let text = if case .text(let text) = value { text } else { "" }
        left[column] = UnreadColumn.look(column, text) != nil
    }

    /// Notes about requested attributes without values, and a proposal of further ones.
    var notes: [String] {
        let unread = commas.sorted { $0.key < $1.key }.map { name, text in
            "warning: the attribute '\(name)' has texts such as '\(text)', which filters do not compare as numbers"
        }
        let missing =
            columns.requested.filter { !found.contains($0) }.map {
                "warning: no row has a value for the attribute '\($0)'"
            } + unread
        let names = left.filter { !$0.value && !$0.key.contains(",") }.keys.sorted()
        guard !names.isEmpty else { return missing }
        let more = names.count > Self.mostProposed ? " and \(names.count - Self.mostProposed) more" : ""
        let proposed = names.prefix(Self.mostProposed).joined(separator: ",") + more
        return missing + ["use 'attributes' (--attributes) to keep columns that all callers may read: \(proposed)"]
    }
}

private enum Patterns {
    static let decimalComma = Pattern(#/-?\d+,\d+/#)
}
