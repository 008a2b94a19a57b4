internal import Foundation
internal import HTTPTypes

/// Comma-separated values (RFC 4180) with a header row: quotes, line breaks within them, LF or CRLF, a byte order mark.
struct CSVReader: RowReader {
    private var columns: [String]?
    private(set) var notes: [String] = []
    private var fields: [String] = []
    private var field: [UInt8] = []
    private var state = State.start
    private var rowBytes = 0
    private var number = 0
    private var fault: FieldError?
    private var isAtBeginning = true

    private enum State {
        /// At the start of a field.
        case start
        case plain
        case quoted
        /// After a quote within quotes, which ends the field or is half of an escaped quote.
        case quoteInQuoted
        case carriageReturn
    }

    mutating func read(_ bytes: some Sequence<UInt8>) throws(Problem) -> [ImportRow] {
        var rows: [ImportRow] = []
        for byte in bytes {
            rowBytes += 1
            guard rowBytes <= longestImportRow else {
                throw Problem(
                    .contentTooLarge, .bodyTooLarge,
                    detail: "Row \(number + 1) has more than \(longestImportRow) bytes.")
            }
            if let row = try take(byte) { rows.append(row) }
        }
        return rows
    }

    mutating func finish() throws(Problem) -> [ImportRow] {
        if state == .quoted { fault = FieldError(pointer: "", code: .format, detail: "ends within quotes") }
        guard state != .start || !fields.isEmpty || fault != nil else { return [] }
        return try endRow().map { [$0] } ?? []
    }

    private mutating func take(_ byte: UInt8) throws(Problem) -> ImportRow? {
        if state == .carriageReturn {
            state = .start
            if byte == UInt8(ascii: "\n") { return try endRow() }
            fault = FieldError(pointer: "", code: .format, detail: "has a carriage return that no line feed follows")
        }
        switch (state, byte) {
        case (.quoted, UInt8(ascii: "\"")): state = .quoteInQuoted
        case (.quoted, _): field.append(byte)
        case (.quoteInQuoted, UInt8(ascii: "\"")):
            field.append(byte)
            state = .quoted
        case (_, UInt8(ascii: ",")):
            endField()
            state = .start
            // The next field is there, even if it is empty.
            isAtBeginning = false
        case (_, UInt8(ascii: "\n")): return try endRow()
        case (_, UInt8(ascii: "\r")): state = .carriageReturn
        case (.start, UInt8(ascii: "\"")) where field.isEmpty || isByteOrderMark:
            field = []
            state = .quoted
        case (.quoteInQuoted, _):
            fault = FieldError(pointer: "", code: .format, detail: "has text after a closing quote")
            state = .plain
        default:
            field.append(byte)
            if state == .start, !isByteOrderMark { state = .plain }
        }
        return nil
    }

    /// Whether the field holds nothing but (the beginning of) a byte order mark at the beginning of the file.
    private var isByteOrderMark: Bool {
        isAtBeginning && number == 0 && field.count <= 3 && [0xef, 0xbb, 0xbf].starts(with: field)
    }

    private mutating func endField() {
        if number == 0, fields.isEmpty, field.starts(with: [0xef, 0xbb, 0xbf]) { field.removeFirst(3) }
        if let text = String(validating: field, as: UTF8.self) {
            fields.append(text)
        } else {
            fields.append("")
            fault = FieldError(pointer: "", code: .format, detail: "is not UTF-8")
        }
        field.removeAll(keepingCapacity: true)
    }

    private mutating func endRow() throws(Problem) -> ImportRow? {
        let isBlank = fields.isEmpty && field.isEmpty && state == .start
        endField()
        defer {
            fields.removeAll(keepingCapacity: true)
            state = .start
            fault = nil
            rowBytes = 0
        }
        number += 1
        guard !isBlank else { return nil }
        guard let columns else {
            self.columns = try header(fields)
            return nil
        }
        return ImportRow(number: number, members: members(columns))
    }

    private func members(_ columns: [String]) -> Result<[String: JSON], FieldError> {
        if let fault { return .failure(fault) }
        guard fields.count == columns.count else {
            return .failure(
                FieldError(
                    pointer: "", code: .format, detail: "has \(fields.count) fields; the header has \(columns.count)"))
        }
        var members: [String: JSON] = [:]
        for (column, field) in zip(columns, fields) {
            members[column] = .text(field.trimmingCharacters(in: .whitespaces))
        }
        return .success(members)
    }

    private mutating func header(_ names: [String]) throws(Problem) -> [String] {
        var columns: [String] = []
        for name in names {
            let column = Synonyms.standard(name)
            guard !column.isEmpty, !columns.contains(column) else {
                throw Problem(
                    .badRequest, .invalidBody,
                    detail: column.isEmpty ? "The header has an empty name." : "The header has '\(column)' twice.")
            }
            if column != name.trimmingCharacters(in: .whitespaces).lowercased() {
                notes.append("column '\(name)' was read as '\(column)'")
            }
            columns.append(column)
        }
        return columns
    }
}
