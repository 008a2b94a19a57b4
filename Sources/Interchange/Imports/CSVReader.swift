internal import Foundation

/// Comma-separated values (RFC 4180) with a header row, quotes, line breaks within quotes and a byte order mark.
///
/// Rows end with LF, CRLF or CR. The delimiter is the most frequent one of comma, semicolon and tab in the header.
/// Excel's first line `sep=;` names another one. Texts are UTF-8, UTF-16, or Windows-1252 if the first text that is not
/// ASCII is not UTF-8. Rows without any text are passed over, and so are columns without a name, and rows that repeat
/// the header, as in files that were joined.
///
/// An unclosed quote costs only the line in which it stands: the lines after it are read again without it. After 15
/// such rereadings an unclosed quote costs everything after it, so that reading stays linear.
package struct CSVReader: RowReader {
    package static let mostColumns = 1000
    private static let mostRereadings = 15

    private let synonyms: Synonyms
    /// The beginning of the file, until it shows the delimiter; then nil.
    private var head: Head? = Head()
    private var delimiter = UInt8(ascii: ",")
    private var unicode = UTF16Bytes()
    private var encoding = TableEncoding()
    /// The columns; one without a name is not read.
    private var columns: [String]?
    /// The fields of the header, and the number of rows that repeat them.
    private var names: (fields: [String], repeated: Int) = ([], 0)
    /// The columns without a name in which a text was found.
    private var unnamed: Set<Int> = []
    package private(set) var notes: [String] = []
    package private(set) var header: [(name: String, column: String)] = []
    private var fields: [String] = []
    /// The number of fields in the row so far, including fields beyond ``mostColumns``, which are dropped.
    private var fieldCount = 0
    private var field: [UInt8] = []
    /// The lines after the first line of a row, as far as they were read within quotes.
    private var laterLines: [UInt8] = []
    private var rereadings = 0
    private var state = State.start
    private var rowBytes = 0
    private var number = 0
    private var fault: FieldError?
    /// Whether the last byte was a carriage return that ended a row, so that a line feed may follow.
    private var mayEndTwice = false

    package init(_ synonyms: Synonyms) { self.synonyms = synonyms }

    private enum State {
        case start
        case plain
        case quoted
        /// After a quote within quotes, which ends the field or begins an escaped quote.
        case quoteInQuoted
        /// In a row that was refused.
        case skipped
    }

    package mutating func read(_ bytes: some Sequence<UInt8>) throws(FormError) -> [ImportRow] {
        if unicode.isOther { return try readText(bytes) }
        let wasUTF16 = unicode.isUTF16
        let text = unicode.utf8(bytes)
        if !wasUTF16, unicode.isUTF16 { notes.append("texts were read as UTF-16") }
        return try readText(text)
    }

    private mutating func readText(_ bytes: some Sequence<UInt8>) throws(FormError) -> [ImportRow] {
        var rows: [ImportRow] = []
        for byte in bytes {
            if head != nil {
                if head?.isWhole(with: byte) ?? false { rows += try takeHead() }
                continue
            }
            if let row = try take(byte) { rows.append(row) }
            if rowBytes > longestImportRow, state != .skipped { rows += try giveUp(overlong) }
        }
        return rows
    }

    /// Reads the buffered beginning of the file after its delimiter is known.
    private mutating func takeHead() throws(FormError) -> [ImportRow] {
        guard let head else { return [] }
        self.head = nil
        delimiter = head.delimiter
        switch delimiter {
        case UInt8(ascii: ","): break
        case UInt8(ascii: ";"): notes.append("columns were read as separated by semicolons")
        case UInt8(ascii: "\t"): notes.append("columns were read as separated by tabs")
        default: notes.append("columns were read as separated by '\(Character(Unicode.Scalar(delimiter)))'")
        }
        guard head.separator == nil else {
            mayEndTwice = head.bytes.last == UInt8(ascii: "\r")
            return []
        }
        return try readText(head.bytes)
    }

    package mutating func finish() throws(FormError) -> [ImportRow] {
        var rows = try readText(unicode.finish())
        rows += try takeHead()
        while state == .quoted { rows += try giveUp(.row("ends within quotes")) }
        if state != .start || fieldCount > 0 || !field.isEmpty, let row = try endRow() { rows.append(row) }
        guard columns != nil else { throw headerFault("The file has no header.") }
        if names.repeated > 0 { notes.append("rows that repeat the header, which were not read: \(names.repeated)") }
        return rows
    }

    private mutating func take(_ byte: UInt8) throws(FormError) -> ImportRow? {
        defer { mayEndTwice = byte == UInt8(ascii: "\r") && state == .start }
        if mayEndTwice, byte == UInt8(ascii: "\n") { return nil }
        rowBytes += 1
        let isLineBreak = byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
        if !laterLines.isEmpty || state == .quoted && isLineBreak { laterLines.append(byte) }
        switch (state, byte) {
        case (.quoted, UInt8(ascii: "\"")): state = .quoteInQuoted
        case (.quoted, _): field.append(byte)
        case _ where isLineBreak: return try endRow()
        case (.skipped, _): break
        case (.quoteInQuoted, UInt8(ascii: "\"")):
            field.append(byte)
            state = .quoted
        case _ where byte == delimiter:
            endField()
            state = .start
        case (.start, UInt8(ascii: "\"")) where field.isEmpty || isByteOrderMark && field.count == 3:
            field = []
            state = .quoted
        case (.quoteInQuoted, _):
            fault = .row("has text after a closing quote")
            state = .plain
        default:
            field.append(byte)
            if state == .start, !isByteOrderMark { state = .plain }
        }
        return nil
    }

    /// Whether the field is only a byte order mark at the beginning of a row, or the start of one; files that were joined
    /// have several.
    private var isByteOrderMark: Bool {
        fieldCount == 0 && field.count <= 3 && [0xef, 0xbb, 0xbf].starts(with: field)
    }

    private mutating func endField() {
        defer { field.removeAll(keepingCapacity: true) }
        if fieldCount == 0, field.starts(with: [0xef, 0xbb, 0xbf]) { field.removeFirst(3) }
        fieldCount += 1
        guard fieldCount <= Self.mostColumns else { return }
        let wasFound = encoding.isWindows
        do throws(FieldError) { fields.append(try encoding.text(field)) } catch {
            fields.append("")
            fault = error
        }
        if encoding.isWindows, !wasFound {
            notes.append("row \(number + 1) is not UTF-8: texts were read as Windows-1252 from there on")
        }
    }

    private var overlong: FieldError {
        state == .quoted && !laterLines.isEmpty
            ? .row("has a quote that is not closed within \(longestImportRow) bytes") : .overlongRow
    }

    /// Refuses a row; the lines that an unclosed quote took in are read again on their own.
    private mutating func giveUp(_ fault: FieldError) throws(FormError) -> [ImportRow] {
        let lines = state == .quoted && rereadings < Self.mostRereadings ? laterLines : []
        clearRow()
        self.fault = fault
        state = .skipped
        if !lines.isEmpty { rereadings += 1 }
        var rows: [ImportRow] = []
        for byte in lines {
            if let row = try take(byte) { rows.append(row) }
        }
        return rows
    }

    private mutating func clearRow() {
        fields.removeAll(keepingCapacity: true)
        fieldCount = 0
        field.removeAll(keepingCapacity: true)
        laterLines.removeAll(keepingCapacity: true)
        state = .start
        fault = nil
        rowBytes = 0
    }

    private mutating func endRow() throws(FormError) -> ImportRow? {
        endField()
        let isBlank = fault == nil && fields.allSatisfy { $0.allSatisfy(\.isWhitespace) }
        defer { clearRow() }
        number += 1
        guard !isBlank else { return nil }
        guard let columns else {
            names.fields = fields.map(\.trimmed)
            self.columns = try readHeader()
            return nil
        }
        if fault == nil, fields.map(\.trimmed) == names.fields {
            names.repeated += 1
            return nil
        }
        return ImportRow(number: number, members: members(columns))
    }

    private mutating func members(_ columns: [String]) -> Result<[String: JSON], FieldError> {
        if let fault { return .failure(fault) }
        // Spreadsheets end rows with delimiters for columns that are empty.
        guard fieldCount >= columns.count, fields.dropFirst(columns.count).allSatisfy(\.isEmpty) else {
            return .failure(.row("has \(fieldCount) fields; the header has \(columns.count)"))
        }
        var members: [String: JSON] = [:]
        for (index, column) in columns.enumerated() {
            let text = SpreadsheetText.unguarded(fields[index].trimmed)
            if !column.isEmpty {
                members[column] = .text(text)
            } else if !text.isEmpty, unnamed.insert(index).inserted {
                notes.append("warning: column \(index + 1) has no name and was not read")
            }
        }
        return .success(members)
    }

    private mutating func readHeader() throws(FormError) -> [String] {
        if let fault { throw headerFault("The header \(fault.detail).") }
        guard fieldCount <= Self.mostColumns else {
            throw headerFault("The header has more than \(Self.mostColumns) columns.")
        }
        var known: Set<String> = []
        return try fields.map { name throws(FormError) in
            let name = SpreadsheetText.unguarded(name)
            let column = synonyms.standard(name)
            guard !column.isEmpty else { return "" }
            guard known.insert(column).inserted else { throw headerFault("The header has '\(column)' twice.") }
            if column != Synonyms.folded(name) { notes.append("column '\(name)' was read as '\(column)'") }
            header.append((name.trimmed, column))
            return column
        }
    }

    private func headerFault(_ detail: String) -> FormError { FormError(.invalidBody, detail: detail) }
}
