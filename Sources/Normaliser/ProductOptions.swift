internal import Model

/// The options of a product in columns of their own, such as `Option1 Name` and `Option1 Value`, or `Attribute 1 name`
/// and `Attribute 1 value(s)`.
enum ProductOptions {
    private static let marks: Set = [
        "option", "options", "attribute", "opcion", "atributo", "attribut", "lattribut", "attributo", "lattributo",
        "dellattributo", "eigenschaft", "eigenschap",
    ]
    private static let nameWords: Set = ["name", "nombre", "nom", "nome", "naam"]
    private static let valueWords: Set = [
        "value", "values", "description", "valor", "valores", "wert", "werte", "valeur", "valeurs", "valore", "valori",
        "waarde", "waarden",
    ]
    /// The names of options whose values may stand for a field that has no column.
    private static let ownNames = Set(
        ProductNormaliser.columns
            .filter { ["brand", "category", "gender", "colors", "materials", "sizes"].contains($0.field) }
            .flatMap { [$0.field] + $0.names })
    /// The names of other fields and of sale prices, which no option may stand for.
    private static let otherNames = Set(ProductNormaliser.columns.flatMap { [$0.field] + $0.names } + Sale.names)
        .subtracting(ownNames)

    /// The row with the values of options under their names, and the columns of these names and values.
    ///
    /// An option that a column already gives stays under its own columns. Shopify gives a product without variants the
    /// option `Title`, `Default Title`, which means none.
    static func unfolded(_ row: [String: String]) -> (row: [String: String], columns: Set<String>) {
        // Options have a number.
        guard row.keys.contains(where: { $0.utf8.contains(UInt8(ascii: "1")) || $0.hasPrefix("option") }) else {
            return (row, [])
        }
        var unfolded = row
        var columns: Set<String> = []
        var given = Set(row.filter { !$0.value.isEmpty }.keys.map(ColumnNames.folded))
        for (name, value) in pairs(row) {
            let (meaning, text) = (ColumnNames.folded(row[name] ?? ""), row[value] ?? "")
            guard !meaning.isEmpty, !text.isEmpty else { continue }
            let isNone = meaning == "title" && ColumnNames.folded(text) == "default_title"
            guard isNone || !given.contains(meaning) && !otherNames.contains(meaning) else { continue }
            (unfolded[name], unfolded[value]) = (nil, nil)
            columns.formUnion([name, value])
            given.insert(meaning)
            if !isNone, let option = row[name] { unfolded[option] = text }
        }
        return (unfolded, columns)
    }

    /// The columns of the name and of the value of each option, in order.
    private static func pairs(_ row: [String: String]) -> [(name: String, value: String)] {
        var names: [String: String] = [:]
        var values: [String: String] = [:]
        for column in row.keys.sorted() {
            let spaced = ColumnNames.folded(column).replacing(Patterns.productOption, with: "option_")
                .replacing(Patterns.number) { "_\($0.output)_" }
            let parts = spaced.split(separator: "_").map(String.init)
            guard parts.contains(where: marks.contains) else { continue }
            let number = parts.first { $0.first?.isNumber ?? false } ?? ""
            if parts.contains(where: nameWords.contains) {
                names[number] = names[number] ?? column
            } else if parts.contains(where: valueWords.contains), values[number].flatMap({ row[$0] }) ?? "" == "" {
                values[number] = column
            }
        }
        return names.sorted { $0.key < $1.key }.compactMap { number, name in values[number].map { (name, $0) } }
    }
}

private enum Patterns {
    static let productOption = Pattern(#/^productoption/#)
    static let number = Pattern(#/\d+/#)
}
