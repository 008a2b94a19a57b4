internal import Geo

/// Texts that spreadsheets would run as formulas, kept as texts by an apostrophe before them (OWASP, "CSV Injection").
enum SpreadsheetText {
    /// The first characters of formulas, in full width too, and of lines.
    private static let marks: Set<Unicode.Scalar> = ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"]

    /// The text of a cell, with an apostrophe if an import would remove one, or if a spreadsheet would run it.
    static func guarded(_ cell: String, forSpreadsheets: Bool) -> String {
        guard isFormula(cell) else { return cell }
        let isGuarded = cell.utf8.first == UInt8(ascii: "'") || quoted(cell) != nil
        return isGuarded || forSpreadsheets && cell.decimalNumber == nil ? "'" + cell : cell
    }

    /// The text of a cell without the apostrophe that guards it, or the text in a formula such as `="00123"`, which
    /// keeps zeros for Excel.
    static func unguarded(_ cell: String) -> String {
        switch cell.utf8.first {
        case UInt8(ascii: "'"): isFormula(cell) ? String(cell.unicodeScalars.dropFirst()) : cell
        case UInt8(ascii: "="): quoted(cell) ?? cell
        default: cell
        }
    }

    /// The text in a formula such as `="00123"`, which has its quotation marks twice; nil for other cells.
    private static func quoted(_ cell: String) -> String? {
        guard cell.utf8.count >= 3, cell.hasPrefix("=\""), cell.hasSuffix("\"") else { return nil }
        let parts = cell.dropFirst(2).dropLast().split(separator: "\"\"", omittingEmptySubsequences: false)
        return parts.contains { $0.contains("\"") } ? nil : parts.joined(separator: "\"")
    }

    /// Whether a mark follows the apostrophes, perhaps with a combining mark, which programs ignore.
    private static func isFormula(_ cell: String) -> Bool {
        cell.unicodeScalars.first { $0 != "'" }.map(marks.contains) ?? false
    }
}
