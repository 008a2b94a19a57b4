/// A column in the report of a dry run.
struct ColumnLine: Decodable {
    struct Doubt: Decodable {
        var row: Int
        var detail: String
    }

    var name: String
    /// The field as which it was read; nil if it was not read.
    var read_as: String?
    var values: Int
    var not_read: Int
    var doubts: [Doubt]?

    /// The columns as a table with their doubts.
    static func lines(of columns: [ColumnLine]) -> [String] {
        guard !columns.isEmpty else { return [] }
        let rows =
            [["column", "read as", "values", "not read"]]
            + columns.map { [$0.name, $0.read_as ?? "-", "\($0.values)", $0.not_read == 0 ? "" : "\($0.not_read)"] }
        let widths = rows[0].indices.map { index in rows.map { $0[index].count }.max() ?? 0 }
        let table = rows.map { row in
            let cells = row.indices.map { index in
                let blank = String(repeating: " ", count: widths[index] - row[index].count)
                return index < 2 ? row[index] + blank : blank + row[index]
            }
            return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }
        return zip(table.dropFirst(), columns).reduce(into: [table[0]]) { lines, row in
            lines.append(row.0)
            lines += (row.1.doubts ?? []).map { "  row \($0.row): \($0.detail)" }
        }
    }
}
