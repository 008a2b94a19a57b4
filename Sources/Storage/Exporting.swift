internal import GRDB

/// Reading everything with ids in place of numbers, a row at a time and in the order of numbers, as an import has it.
extension Store {
    /// Calls `body` with each two people who are friends.
    ///
    /// - Throws: ``StorageError``, also for what `body` throws.
    public func forEachFriends(_ body: (EntityID, EntityID) throws -> Void) throws(StorageError) {
        let sql = """
            SELECT one.id, other.id FROM friendships JOIN people one ON one.number = a JOIN people other ON other.number = b
            WHERE since_ms IS NOT NULL ORDER BY a, b
            """
        try forEach(sql) { row in try body(EntityID(known: row[0]), EntityID(known: row[1])) }
    }

    /// Calls `body` with what each store has of each product.
    ///
    /// - Throws: ``StorageError``, also for what `body` throws.
    public func forEachStock(_ body: (StockItem) throws -> Void) throws(StorageError) {
        let sql = """
            SELECT places.id, products.id, stock.price, stock.currency, stock.sizes FROM stock
            JOIN places ON places.number = store JOIN products ON products.number = product ORDER BY store, product
            """
        try forEach(sql) { row in
            try body(
                StockItem(
                    store: EntityID(known: row[0]), product: EntityID(known: row[1]), price: money(row[2], row[3]),
                    sizes: ColumnText.sizes(row[4])))
        }
    }

    /// Calls `body` with each folded ping of each person, oldest first.
    ///
    /// - Throws: ``StorageError``, also for what `body` throws.
    public func forEachPing(_ body: (EntityID, StoredPing) throws -> Void) throws(StorageError) {
        let sql = """
            SELECT \(PingRow.columns), id FROM pings JOIN people ON people.number = person
            ORDER BY person, time_ms, sequence
            """
        try forEach(sql) { row in try body(EntityID(known: row[PingRow.columnCount]), PingRow.decode(row)) }
    }
}
