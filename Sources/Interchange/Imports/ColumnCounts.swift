internal import Normaliser

/// The fields as which the columns of a file were read, as a dry run reports them.
package struct ColumnCounts: Sendable {
    private static let mostColumns = 1000
    private static let mostDoubts = 3

    private struct Column: Sendable {
        /// The field as which the column was read; nil if it was not read.
        var field: String?
        var values = 0
        /// The number of rows whose value was dropped or refused, and the last of these.
        var (unread, lastUnread) = (0, 0)
        var doubts: [(row: Int, detail: String)] = []

        mutating func doubt(_ row: Int, _ detail: String, isUnread: Bool) {
            if isUnread, row != lastUnread { (unread, lastUnread) = (unread + 1, row) }
            if doubts.count < ColumnCounts.mostDoubts { doubts.append((row, detail)) }
        }
    }

    private var columns: [String: Column] = [:]
    private var isTruncated = false
    /// The column of each header of a table, in order, with the name in the file.
    var header: [(name: String, column: String)] = []

    /// Counts the values of a row before it is read.
    mutating func count(_ members: [String: JSON]) {
        for (name, value) in members where value != .null && value != .text("") {
            if columns[name] == nil, columns.count == Self.mostColumns {
                isTruncated = true
            } else {
                columns[name, default: Column()].values += 1
            }
        }
    }

    /// Records the field of each column that was read in a row, and the doubts about it.
    mutating func read(_ fields: [String: String], row: Int, _ remarks: [Remark]) {
        for (name, field) in fields { columns[name]?.field = field }
        for remark in remarks where remark.kind != .changed {
            doubt(remark.field, row, remark.detail, isUnread: remark.kind == .dropped)
        }
    }

    /// Records why a row was refused.
    mutating func refuse(row: Int, _ errors: [FieldError]) {
        for error in errors where error.code != .unknown {
            let tokens = error.pointer.split(separator: "/").map {
                String($0).replacing("~1", with: "/").replacing("~0", with: "~")
            }
            guard let first = tokens.first else { continue }
            let field = first == "attributes" && tokens.count > 1 ? AttributeColumns.prefix + tokens[1] : first
            doubt(field, row, error.detail, isUnread: true)
        }
    }

    private mutating func doubt(_ field: String, _ row: Int, _ detail: String, isUnread: Bool) {
        for name in columns.filter({ $0.value.field == field || $0.value.field == nil && $0.key == field }).keys {
            columns[name]?.doubt(row, detail, isUnread: isUnread)
        }
    }

    /// Writes the columns in the order of the header, others by name.
    func write(to json: inout JSONWriter) {
        let places = Dictionary(header.enumerated().map { ($1.column, $0) }) { first, _ in first }
        let sorted = columns.sorted { a, b in
            (places[a.key] ?? .max, a.key) < (places[b.key] ?? .max, b.key)
        }
        let named = sorted.map { name, column in
            (name: places[name].map { header[$0].name } ?? name, column: column)
        }
        json.objects("columns", named) { json, entry in
            json.member("name", entry.name)
            json.member("read_as", entry.column.field)
            json.member("values", Int64(entry.column.values))
            json.member("not_read", Int64(entry.column.field == nil ? entry.column.values : entry.column.unread))
            if !entry.column.doubts.isEmpty {
                json.objects("doubts", entry.column.doubts) { json, doubt in
                    json.member("row", Int64(doubt.row))
                    json.member("detail", doubt.detail)
                }
            }
        }
        if isTruncated { json.member("columns_truncated", true) }
    }
}
