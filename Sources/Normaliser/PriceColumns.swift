internal import Model

extension ColumnNames {
    /// Removes the column of a price whose name has the code of a currency, such as `Price (EUR)`: the one in the usual
    /// currency, or else the only one.
    mutating func takePrice(_ names: [String], usual: Currency?) -> (column: String, text: String, code: String)? {
        let found = rest.keys.sorted().compactMap { column in
            Self.code(ofPrice: Self.folded(column), names).map { (column: column, code: $0) }
        }
        guard
            let (column, code) = found.first(where: { $0.code == usual?.code }) ?? (found.count == 1 ? found[0] : nil),
            let text = take(column: column)
        else { return nil }
        return (column, text, code)
    }

    private static func code(ofPrice name: String, _ names: [String]) -> String? {
        let parts = name.split(separator: "_").map(String.init)
        guard parts.count > 1, let last = parts.last else { return nil }
        for (word, others) in [(last, parts.dropLast()), (parts[0], parts.dropFirst())] {
            let code = word == "euro" || word == "euros" ? "EUR" : word.uppercased()
            if names.contains(others.joined(separator: "_")), Currency(code)?.isListed ?? false { return code }
        }
        return nil
    }
}

extension ColumnNames {
    /// Completes a price and its currency from the names of columns, such as `Price (€)` and `price_usd`.
    ///
    /// - Parameters:
    ///   - texts: the texts by field.
    ///   - column: the column that was read as the price; nil for none.
    ///   - usual: the currency of prices without one.
    /// - Returns: the column of the price in lowercase, which is `price` only if it says no more; nil for none.
    mutating func completePrice(in texts: inout [String: String], _ column: String?, usual: Currency?) -> String? {
        guard let column else {
            var rest = self
            let names = ProductNormaliser.columns.first { $0.field == "price" }?.names ?? []
            guard let price = rest.takePrice(["price"] + names, usual: usual),
                texts["currency"] == nil || texts["currency"] == price.code
            else { return nil }
            self = rest
            (texts["price"], texts["currency"]) = (price.text, price.code)
            return price.column
        }
        if texts["currency"] == nil, let sign = column.first(where: { "€£$¥₹".contains($0) }) {
            texts["currency"] = String(sign)
        }
        return column.lowercased()
    }
}
