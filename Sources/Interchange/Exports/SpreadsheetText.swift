internal import Geo

/// Texts that spreadsheets would run as formulas, kept as texts by an apostrophe before them (OWASP, "CSV Injection").
enum SpreadsheetText {
    /// The first characters of formulas, in full width too.
    private static let marks: Set<Character> = ["=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠"]

    /// The text of a cell, with an apostrophe if an import would remove one, or if a spreadsheet would run it.
    static func guarded(_ cell: String, forSpreadsheets: Bool) -> String {
        let plain = cell.drop { $0 == "'" }
        guard let first = plain.first, marks.contains(first) else { return cell }
        let isGuarded = plain.startIndex > cell.startIndex
        return isGuarded || forSpreadsheets && cell.decimalNumber == nil ? "'" + cell : cell
    }

    /// The text of a cell without the apostrophe that guards it.
    static func unguarded(_ cell: String) -> String {
        guard cell.utf8.first == UInt8(ascii: "'"), let first = cell.first(where: { $0 != "'" }), marks.contains(first)
        else {
            return cell
        }
        return String(cell.dropFirst())
    }
}
