internal import Model

/// The columns of a row, found by what they are called: capitals, accents, and what parts words do not matter.
struct ColumnNames {
    /// The columns that were not taken, empty ones left out.
    private(set) var rest: [String: String]
    private let names: [String: String]

    init(_ row: [String: String]) {
        rest = row.filter { !$0.value.isEmpty }
        var names: [String: String] = [:]
        for name in rest.keys.sorted().reversed() { names[Self.folded(name)] = name }
        self.names = names
    }

    /// Takes the first column that has one of some names out.
    ///
    /// - Returns: which of the names it has, what it is called in the row, and its text; nil if there is none.
    mutating func take(_ wanted: [String]) -> (name: String, column: String, text: String)? {
        for name in wanted {
            guard let column = names[name], let text = rest.removeValue(forKey: column) else { continue }
            return (name, column, text)
        }
        return nil
    }

    static func folded(_ name: String) -> String {
        let isPlain = name.utf8.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || $0 == UInt8(ascii: "_") }
        if isPlain { return name }
        return PlainText.words(of: name).joined(separator: "_")
    }
}
