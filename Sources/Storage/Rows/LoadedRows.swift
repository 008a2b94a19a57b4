internal import Foundation
internal import GRDB
public import Geo
public import Model

/// Loading of all data at startup, each table in one pass, ordered by number.
extension Store {
    /// One more than the greatest number of a person.
    public func countPeople() throws(StorageError) -> Int { try highest("people") }

    /// One more than the greatest number of a place.
    public func countPlaces() throws(StorageError) -> Int { try highest("places") }

    private func highest(_ table: String) throws(StorageError) -> Int {
        try readNow { db in try Int.fetchOne(db, sql: "SELECT ifnull(max(number), -1) + 1 FROM \(table)") ?? 0 }
    }

    /// Calls `body` with each person, the public cell of the person's city and the person's last position.
    public func forEachPerson(
        _ body: (Versioned<Person>, _ homeCell: CubeCell?, _ last: StoredPing?) throws -> Void
    ) throws(StorageError) {
        let sql = """
            SELECT \(PingRow.columns), \(Self.personColumns)
            FROM people LEFT JOIN positions ON positions.person = people.number ORDER BY people.number
            """
        try forEach(sql) { row in
            let first = PingRow.columnCount
            let cell = (row[first + 17] as Int64?).flatMap { CubeCell(id: UInt64(bitPattern: $0)) }
            let last = (row[0] as Int64?) == nil ? nil : try PingRow.decode(row)
            try body(Versioned(person: row, from: first), cell, last)
        }
    }

    /// Calls `body` with each person who has suspect pings, and the fix time of the newest one.
    public func forEachSuspect(_ body: (_ person: PersonNumber, _ newest: Timestamp) throws -> Void)
        throws(StorageError)
    {
        try forEach("SELECT person, max(time_ms) FROM pings WHERE suspect = 1 GROUP BY person") { row in
            try body(row.integer(0), Timestamp(milliseconds: row[1]))
        }
    }

    /// Calls `body` with the hash of each deleted person's id whose tokens were ended, and the bound of their issue.
    public func forEachKeptEndOfTokens(_ body: (_ hash: UInt64, _ before: Timestamp) throws -> Void)
        throws(StorageError)
    {
        try forEach("SELECT person_hash, not_before_ms FROM ended_tokens") { row in
            try body(UInt64(bitPattern: row[0]), try row.timestamp(1))
        }
    }

    /// Calls `body` with each device as it was registered, and then with its last contact.
    public func forEachDevice(_ body: (DeviceChange) throws -> Void) throws(StorageError) {
        try forEach(
            "SELECT number, person, id, token_hash, since_ms, last_heard_ms FROM devices ORDER BY number"
        ) { row in
            let hash = row[3] as Data
            guard hash.count == TokenHash.size else {
                throw StorageError.damaged("the token of device \(row[0] as Int64)")
            }
            let device = Device(
                id: ID(known: row[2]), token: TokenHash(hash),
                since: Timestamp(milliseconds: row[4]))
            let number: DeviceNumber = try row.integer(0)
            try body(.put(number, of: try row.integer(1), device))
            if !row.hasNull(atIndex: 5) { try body(.contact(number, at: try row.timestamp(5))) }
        }
    }

    /// Calls `body` with each place.
    public func forEachPlace(_ body: (Versioned<Place>) throws -> Void) throws(StorageError) {
        try forEach("SELECT \(Self.placeColumns) FROM places ORDER BY number") { row in try body(Versioned(place: row))
        }
    }

    /// Calls `body` with each product and its creation time.
    public func forEachProduct(_ body: (Versioned<Product>, _ made: Timestamp) throws -> Void) throws(StorageError) {
        try forEach("SELECT \(Self.productColumns) FROM products ORDER BY number") { row in
            try body(Versioned(product: row), Timestamp(milliseconds: row[15]))
        }
    }

    /// Calls `body` with the stock of each store, ordered by product.
    public func forEachStockItem(
        _ body: (_ store: PlaceNumber, _ product: ProductNumber, Money?, [SizeQuantity]) throws -> Void
    ) throws(StorageError) {
        try forEach("SELECT store, product, price, currency, sizes FROM stock ORDER BY store, product") { row in
            try body(row.integer(0), row.integer(1), row.money(2), ColumnText.sizes(row[4]))
        }
    }

    func forEach(_ sql: String, _ body: (Row) throws -> Void) throws(StorageError) {
        try readNow { db in
            let rows = try Row.fetchCursor(db, sql: sql)
            while let row = try rows.next() { try body(row) }
        }
    }
}
