internal import GRDB
internal import Geo
internal import Model

/// Updates of the text and spatial indexes together with document rows.
extension Transaction {
    /// Writes or deletes a row, and removes its words from the text index if they changed.
    ///
    /// ``indexTexts()`` writes the new words. Removed words stay in old segments until these are merged. They are counted
    /// for ``Store/mergeText(steps:)``.
    func indexing(_ table: TextTable, _ number: Number<some Any>, _ write: () throws -> Void) throws {
        let isIndexed = !(unindexed[table.table]?.contains(number.rawValue) ?? false)
        let old = isIndexed ? try texts(table, number) : nil
        try write()
        if let old {
            guard try texts(table, number) != old else { return }
            try step(table.removal, [number] + old)
            try step(
                "INSERT INTO text_erasures VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET count = count + 1",
                ["\(table.table)_text"])
        }
        unindexed[table.table, default: []].insert(number.rawValue)
        WorkBudget.count(Self.stepsOfNextRow)
    }

    /// Writes the words of new and changed rows by one statement for each table, which costs half as much as one for each
    /// row.
    func indexTexts() throws {
        for table in TextTable.all {
            guard let numbers = unindexed[table.table] else { continue }
            let list = numbers.sorted().map(String.init).joined(separator: ",")
            try step(table.addition, ["[\(list)]"])
        }
    }

    /// Updates the position of a place in SpatiaLite's R*Tree, as SpatiaLite's triggers would.
    ///
    /// - Parameters:
    ///   - place: the place.
    ///   - position: its position; nil for none.
    /// - Throws: SQLite's errors.
    func index(_ place: PlaceNumber, at position: Coordinate?) throws {
        hasPlaces = true
        guard let position else {
            return try step("DELETE FROM idx_places_position WHERE pkid = ?", [place])
        }
        try step(
            "INSERT OR REPLACE INTO idx_places_position (pkid, xmin, xmax, ymin, ymax) VALUES (?1, ?2, ?2, ?3, ?3)",
            [place, position.longitude, position.latitude])
    }

    /// Marks the statistics of places as outdated for SpatiaLite and QGIS.
    func finishPlaces() throws {
        guard hasPlaces else { return }
        try step(
            """
            UPDATE geometry_columns_time SET (last_insert, last_update, last_delete) =
                (SELECT now, now, now FROM (SELECT strftime('%Y-%m-%dT%H:%M:%fZ', 'now') AS now))
            WHERE f_table_name = 'places'
            """, [])
    }

    private func texts(_ table: TextTable, _ number: some DatabaseValueConvertible) throws -> [DatabaseValue]? {
        let statement = try db.cachedStatement(sql: table.texts)
        return try Row.fetchOne(statement, arguments: [number]).map { Array($0.databaseValues) }
    }

    private func step(_ sql: String, _ arguments: [any DatabaseValueConvertible]) throws {
        let statement = try db.cachedStatement(sql: sql)
        statement.setUncheckedArguments(StatementArguments(arguments))
        try statement.execute()
        WorkBudget.count(Self.stepsOfNextRow)
    }
}
