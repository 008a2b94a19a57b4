internal import GRDB
public import Model

extension Store {
    /// Calls `body` with each favorite of a kind: the favorite, the person and the time, ordered by favorite, then
    /// person.
    public func forEachFavourite(
        _ kind: FavouriteKind, _ body: (_ other: AnyNumber, _ person: PersonNumber, _ since: Timestamp) throws -> Void
    ) throws(StorageError) {
        try forEach("SELECT other, person, since_ms FROM \(kind.table) ORDER BY other, person") { row in
            try body(row.integer(0), row.integer(1), Timestamp(milliseconds: row[2]))
        }
    }
}

extension Transaction {
    func write(_ change: FavouriteChange) throws {
        switch change {
        case .added(let person, let kind, let other, let since):
            let values: [any DatabaseValueConvertible] = [other, person, since.milliseconds]
            try run("INSERT INTO \(kind.table) (other, person, since_ms) VALUES (?, ?, ?)", values)
        case .removed(let person, let kind, let other):
            try run("DELETE FROM \(kind.table) WHERE other = ? AND person = ?", [other, person])
        }
    }
}
