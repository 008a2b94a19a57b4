/// How the cells of a table are written.
package struct CSVForm: Sendable {
    /// The delimiter between cells.
    package var delimiter: CSVDelimiter
    /// Whether texts that spreadsheets would run as formulas have an apostrophe before them.
    package var isForSpreadsheets: Bool

    package init(_ delimiter: CSVDelimiter = .comma, isForSpreadsheets: Bool = false) {
        self.delimiter = delimiter
        self.isForSpreadsheets = isForSpreadsheets
    }
}
