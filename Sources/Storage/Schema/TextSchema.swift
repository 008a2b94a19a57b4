internal import GRDB

/// The text indexes, updated in the transaction of each document (``Transaction/indexing(_:_:_:)``).
///
/// They hold words and numbers only, no text (`content=''`), so a change must supply the old words. Prefixes of one,
/// two and three letters have indexes of their own, because they match the most.
extension Schema {
    @Sendable static func addText(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE people ADD COLUMN searchable INTEGER NOT NULL DEFAULT 1 CHECK (searchable IN (0, 1));
                ALTER TABLE people ADD COLUMN searchable_by_email INTEGER NOT NULL DEFAULT 0
                    CHECK (searchable_by_email IN (0, 1));
                CREATE INDEX people_by_email ON people (lower(email)) WHERE searchable_by_email = 1;
                CREATE TABLE text_erasures (
                    name TEXT PRIMARY KEY,
                    count INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;
                """)
        for table in TextTable.all { try db.execute(sql: table.sql) }
        // The words of deleted rows stay in old segments until these are merged; the trigger notifies the next scrub.
        try db.execute(
            sql: """
                CREATE TRIGGER people_text_erased AFTER DELETE ON people WHEN old.searchable = 1 BEGIN
                    INSERT INTO text_erasures VALUES ('people_text', 1) ON CONFLICT (name) DO UPDATE SET count = count + 1;
                END
                """)
    }
}

extension Schema {
    /// Counts the deleted and replaced words of all indexes; an older file's are merged away once.
    @Sendable static func countErasedWords(_ db: Database) throws {
        try db.execute(sql: "DROP TRIGGER IF EXISTS people_text_erased")
        for table in TextTable.all { try db.execute(sql: table.countingSQL) }
    }

    /// The version of the words in the indexes, which are rebuilt for another version of ``PlainText``; 0 for SQLite's
    /// own folding.
    @Sendable static func addTextVersion(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE text_version (version INTEGER NOT NULL) STRICT;
                INSERT INTO text_version VALUES (0);
                """)
    }
}

extension Schema {
    /// Indexes are written by separate statements, because a statement with triggers opens a savepoint.
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
    let addition: String
    let removal: String

    init(of table: String, _ columns: KeyValuePairs<String, String>, where condition: String = "1") {
        self.table = table
        self.columns = columns.map { ($0.key, $0.value) }
        self.condition = condition
        let names = columns.map(\.key).joined(separator: ", ")
        let marks = String(repeating: ", ?", count: columns.count)
        let values = columns.map { Self.on($0.value, table) }.joined(separator: ", ")
        texts = "SELECT \(values) FROM \(table) WHERE number = ? AND \(Self.on(condition, table))"
        addition = "INSERT INTO \(table)_text (rowid, \(names)) VALUES (?\(marks))"
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

    /// The index with the triggers that updated it up to version 38.
    var sql: String {
        let before = values(of: "old")
        let after = values(of: "new")
        return """
            \(creation())
            \(filling())
            CREATE TRIGGER \(table)_text_insert AFTER INSERT ON \(table) WHEN \(Self.on(condition, "new")) BEGIN
                INSERT INTO \(table)_text (rowid, \(names)) VALUES (new.number, \(after));
            END;
            CREATE TRIGGER \(table)_text_delete AFTER DELETE ON \(table) WHEN \(Self.on(condition, "old")) BEGIN
                INSERT INTO \(table)_text (\(table)_text, rowid, \(names)) VALUES ('delete', old.number, \(before));
            END;
            CREATE TRIGGER \(table)_text_update AFTER UPDATE ON \(table)
                WHEN (\(before), \(Self.on(condition, "old"))) IS NOT (\(after), \(Self.on(condition, "new"))) BEGIN
                INSERT INTO \(table)_text (\(table)_text, rowid, \(names))
                    SELECT 'delete', old.number, \(before) WHERE \(Self.on(condition, "old"));
                INSERT INTO \(table)_text (rowid, \(names)) SELECT new.number, \(after) WHERE \(Self.on(condition, "new"));
            END;
            """
    }

    /// The triggers that count deletions and replacements; existing rows count as one.
    var countingSQL: String {
        let count = """
            INSERT INTO text_erasures VALUES ('\(table)_text', 1) ON CONFLICT (name) DO UPDATE SET count = count + 1;
            """
        return """
            CREATE TRIGGER \(table)_text_erased AFTER DELETE ON \(table) WHEN \(Self.on(condition, "old")) BEGIN \(count) END;
            CREATE TRIGGER \(table)_text_replaced AFTER UPDATE ON \(table) WHEN \(Self.on(condition, "old"))
                AND (\(values(of: "old")), 1) IS NOT (\(values(of: "new")), \(Self.on(condition, "new"))) BEGIN \(count) END;
            INSERT INTO text_erasures SELECT '\(table)_text', 1 WHERE EXISTS (SELECT 1 FROM \(table))
                ON CONFLICT (name) DO NOTHING;
            """
    }

    private func values(of row: String) -> String { columns.map { Self.on($0.value, row) }.joined(separator: ", ") }

    private static func on(_ expression: String, _ row: String) -> String { expression.replacing("@", with: row) }
}
