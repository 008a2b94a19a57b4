internal import GRDB

/// The text indexes, updated in the transaction of each document (``Transaction/indexing(_:_:_:)``).
///
/// They hold words and numbers only, no text (`content=''`), so a change must supply the old words. Prefixes of one,
/// two and three letters have indexes of their own, because they match the most.
extension Schema {
    /// Indexes are written by statements of their own: a statement with triggers opens a savepoint, at which FTS5 writes its
    /// words to the file as a segment of their own.
    ///
    /// At a savepoint FTS5 writes its words to the file as a separate segment. SpatiaLite's triggers are dropped for
    /// the same reason; see ``Transaction/index(_:at:)``.
    @Sendable static func dropIndexTriggers(_ db: Database) throws {
        let tables = TextTable.all.map { "'\($0.table)'" }.joined(separator: ", ")
        let triggers = try String.fetchAll(
            db, sql: "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name IN (\(tables))")
        for trigger in triggers { try db.execute(sql: "DROP TRIGGER \"\(trigger)\"") }
    }
}

/// A text index of a table's rows.
struct TextTable: Sendable {
    let table: String
    /// The indexed expressions by their name in the index, with `@` for the row.
    private let columns: [(name: String, value: String)]
    private let condition: String
    /// The query for the indexed texts of a row; no row if it is not indexed.
    let texts: String
    /// The statement that adds the words of the rows in a JSON list of numbers, as far as they are indexed.
    let addition: String
    let removal: String

    init(of table: String, _ columns: KeyValuePairs<String, String>, where condition: String = "1") {
        self.table = table
        self.columns = columns.map { ($0.key, $0.value) }
        self.condition = condition
        let names = columns.map(\.key).joined(separator: ", ")
        let marks = String(repeating: ", ?", count: columns.count)
        let values = columns.map { Self.on($0.value, table) }.joined(separator: ", ")
        let condition = Self.on(condition, table)
        texts = "SELECT \(values) FROM \(table) WHERE number = ? AND \(condition)"
        addition = """
            INSERT INTO \(table)_text (rowid, \(names)) SELECT number, \(values) FROM \(table)
            WHERE number IN (SELECT value FROM json_each(?)) AND \(condition)
            """
        removal = "INSERT INTO \(table)_text (\(table)_text, rowid, \(names)) VALUES ('delete', ?\(marks))"
    }

    static let people = TextTable(
        of: "people", ["name": "@.name", "surname": "@.surname"], where: "@.searchable = 1")
    static let places = TextTable(
        of: "places", ["name": "@.name", "address": "@.address", "category": "@.category", "tags": list("@.tags")])
    static let products = TextTable(
        of: "products",
        [
            "brand": "@.brand", "name": "@.name", "category": "@.category", "description": "@.description",
            "colors": list("@.colors"), "materials": list("@.materials"),
        ])
    static let all = [people, places, products]

    /// The texts of a JSON list.
    static func list(_ column: String) -> String { "(SELECT group_concat(value, ' ') FROM json_each(\(column)))" }

    private var names: String { columns.map(\.name).joined(separator: ", ") }

    /// The statement that creates an empty index.
    ///
    /// - Parameter schema: the attached database to create it in, with a trailing point; empty for the tables'
    ///   database.
    /// - Returns: SQL.
    func creation(in schema: String = "") -> String {
        """
        CREATE VIRTUAL TABLE \(schema)\(table)_text USING fts5(\(names), content = '', detail = column, prefix = '1 2 3',
            tokenize = "\(WordTokenizer.name)");
        """
    }

    /// The statement that adds the words of all rows to an empty index.
    func filling(in schema: String = "") -> String {
        """
        INSERT INTO \(schema)\(table)_text (rowid, \(names))
            SELECT number, \(values(of: table)) FROM main.\(table) WHERE \(Self.on(condition, table));
        """
    }

    private func values(of row: String) -> String { columns.map { Self.on($0.value, row) }.joined(separator: ", ") }

    private static func on(_ expression: String, _ row: String) -> String { expression.replacing("@", with: row) }
}
