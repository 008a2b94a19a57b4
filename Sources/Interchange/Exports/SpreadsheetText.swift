internal import Geo

/// Texts that spreadsheets would run as formulas, kept as texts by an apostrophe before them (OWASP, "CSV Injection").
enum SpreadsheetText {
    /// The first characters of formulas, in full width too, and of lines.
    private static let marks: Set<Unicode.Scalar> = ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"]

    /// The text of a cell, with an apostrophe if an import would remove one, or if a spreadsheet would run it.
    static func guarded(_ cell: String, forSpreadsheets: Bool) -> String {
        guard isFormula(cell) else { return cell }
        let isGuarded = cell.utf8.first == UInt8(ascii: "'")
        return isGuarded || forSpreadsheets && cell.decimalNumber == nil ? "'" + cell : cell
    }

    /// The text of a cell without the apostrophe that guards it.
    static func unguarded(_ cell: String) -> String {
        cell.utf8.first == UInt8(ascii: "'") && isFormula(cell) ? String(cell.unicodeScalars.dropFirst()) : cell
    }

    /// Whether a mark follows the apostrophes, perhaps with a combining mark, which programs ignore.
    private static func isFormula(_ cell: String) -> Bool {
        cell.unicodeScalars.first { $0 != "'" }.map(marks.contains) ?? false
    }
}
