internal import Model

/// The columns of a row, found by name without regard to case, accents and word separators.
package struct ColumnNames {
    /// The columns not taken yet, without empty ones.
    private(set) var rest: [String: String]
    private let names: [String: String]
    /// All columns, with empty ones.
    let all: [String]

    init(_ row: [String: String]) {
        all = Array(row.keys)
        rest = row.filter { !$0.value.isEmpty }
        var names: [String: String] = [:]
        for name in rest.keys.sorted().reversed() { names[Self.folded(name)] = name }
        self.names = names
    }

    /// Removes the first column that has one of the names.
    ///
    /// - Returns: the matched name, the column's name in the row, and its text; nil if no column matches.
    mutating func take(_ wanted: [String]) -> (name: String, column: String, text: String)? {
        for name in wanted {
            guard let column = names[name], let text = rest.removeValue(forKey: column) else { continue }
            return (name, column, text)
        }
        return nil
    }

    /// Removes a column of the row.
    mutating func take(column: String) -> String? { rest.removeValue(forKey: column) }

    /// Removes the first column that has one of the names and a text with a meaning.
    mutating func take<Value>(_ wanted: [String], as read: (String) -> Value?) -> (column: String, value: Value)? {
        for name in wanted {
            guard let column = names[name], let text = rest[column], let value = read(text) else { continue }
            rest[column] = nil
            return (column, value)
        }
        return nil
    }

    /// The name in lowercase without accents, its words separated by `_`.
    package static func folded(_ name: String) -> String {
        let isPlain = name.utf8.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || $0 == UInt8(ascii: "_") }
        if isPlain { return name }
        return PlainText.words(of: name).joined(separator: "_")
    }
}
