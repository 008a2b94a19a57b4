internal import Normaliser

/// Decides whether whole numbers in a price column are minor units, which is so unless rows have decimals or a
/// currency.
package struct PriceColumn: Sendable {
    private var hasDecimals = false
    /// The last row whose price was read as minor units.
    private var lastWhole: Int?
    /// The rows between which the interpretation of the column changed.
    private var turn: (whole: Int, decimal: Int)?
    private var readWholeAsDecimals = false

    package var notes: [String] {
        var notes: [String] = []
        if readWholeAsDecimals {
            notes.append(
                "column 'price' has prices with decimals or a currency: whole numbers in it were read alike")
        }
        if let turn {
            notes.append(
                "column 'price': whole numbers up to row \(turn.whole) were read as minor units, but row \(turn.decimal) has "
                    + "decimals or a currency: check them")
        }
        return notes
    }

    /// Inspects a row before any row is read.
    package mutating func look(at row: [String: String]) {
        if PriceReader.isInDecimals(row) { hasDecimals = true }
    }

    /// Whether whole numbers in the column are not minor units; must be called once per row, in order.
    package mutating func isInDecimals(_ texts: [String: String], _ row: Int) -> Bool {
        guard let price = texts["price"] else { return hasDecimals }
        if !hasDecimals, PriceReader.isInDecimals(texts) {
            hasDecimals = true
            if let lastWhole { turn = (lastWhole, row) }
        }
        if Int64(price) != nil {
            if hasDecimals { readWholeAsDecimals = true } else { lastWhole = row }
        }
        return hasDecimals
    }
}
