internal import Foundation
internal import GRDB
public import Geo

/// Reading everything at start, each table in one pass and in the order of numbers.
extension Store {
    /// One more than the greatest number of a person.
    public func countPeople() throws(StorageError) -> Int { try highest("people") }

    /// One more than the greatest number of a place.
    public func countPlaces() throws(StorageError) -> Int { try highest("places") }

    private func highest(_ table: String) throws(StorageError) -> Int {
        try StorageError.wrap {
            try pool.read { db in try Int.fetchOne(db, sql: "SELECT ifnull(max(number), -1) + 1 FROM \(table)") ?? 0 }
        }
    }

    /// Calls `body` with each person, the cell of the person's city and the person's last position.
    public func forEachPerson(
        _ body: (Record<Person>, _ homeCell: CubeCell?, _ last: StoredPing?) throws -> Void
    ) throws(StorageError) {
        let sql = """
            SELECT \(PingRow.columns), people.*
            FROM people LEFT JOIN positions ON positions.person = people.number ORDER BY people.number
            """
        try forEach(sql) { row in
            let first = PingRow.columnCount
            var person = Person(id: EntityID(known: row[first + 1]))
            person.name = row[first + 3]
            person.surname = row[first + 4]
            person.city = row[first + 5]
            person.born = (row[first + 6] as String?).flatMap { CalendarDate($0) }
            person.sex = (row[first + 7] as String?).flatMap(Sex.init)
            person.relationship = (row[first + 8] as String?).flatMap(Relationship.init)
            person.email = row[first + 9]
            person.phone = row[first + 10]
            person.photo = row[first + 11]
            person.about = row[first + 12]
            person.attributes = try ColumnText.attributes(row[first + 13])
            person.isDiscoverable = row[first + 14]
            person.throttle.distance = row[first + 15]
            person.throttle.interval = (row[first + 16] as Int64?).map { .milliseconds($0) }
            let cell = (row[first + 17] as Int64?).flatMap { CubeCell(id: UInt64(bitPattern: $0)) }
            person.retention = (row[first + 18] as Int64?).map { .milliseconds($0) }
            let last = (row[0] as Int64?) == nil ? nil : try PingRow.decode(row)
            try body(Record(number: try row.integer(first), revision: row[first + 2], value: person), cell, last)
        }
    }

    /// Calls `body` with each person who has suspect pings, and the fix time of the newest of them.
    public func forEachSuspect(_ body: (_ person: Int32, _ newest: Timestamp) throws -> Void) throws(StorageError) {
        try forEach("SELECT person, max(time_ms) FROM pings WHERE suspect = 1 GROUP BY person") { row in
            try body(row.integer(0), Timestamp(milliseconds: row[1]))
        }
    }

    /// Calls `body` with each friendship, and each request with nil for its beginning.
    public func forEachFriendship(
        _ body: (_ asker: Int32, _ other: Int32, _ asked: Timestamp, _ since: Timestamp?) throws -> Void
    ) throws(StorageError) {
        try forEach("SELECT asked_by, a + b - asked_by, asked_ms, since_ms FROM friendships ORDER BY a, b") { row in
            try body(
                row.integer(0), row.integer(1), Timestamp(milliseconds: row[2]),
                (row[3] as Int64?).map(Timestamp.init(milliseconds:)))
        }
    }

    /// Calls `body` with each person who blocked another.
    public func forEachBlock(_ body: (_ person: Int32, _ other: Int32) throws -> Void) throws(StorageError) {
        try forEach("SELECT person, other FROM blocks") { row in try body(row.integer(0), row.integer(1)) }
    }

    /// Calls `body` with each decision of a person about another.
    public func forEachDecision(
        _ body: (_ person: Int32, _ other: Int32, _ likes: Bool) throws -> Void
    ) throws(StorageError) {
        try forEach("SELECT person, other, likes FROM decisions") { row in
            try body(row.integer(0), row.integer(1), row[2])
        }
    }

    /// Calls `body` with each device, its number and the number of its person.
    public func forEachDevice(
        _ body: (_ number: Int32, _ person: Int32, Device) throws -> Void
    ) throws(StorageError) {
        try forEach("SELECT number, person, id, token_hash, since_ms FROM devices ORDER BY number") { row in
            let hash = row[3] as Data
            guard hash.count == TokenHash.size else {
                throw StorageError.damaged("the token of device \(row[0] as Int64)")
            }
            let device = Device(
                id: EntityID(known: row[2]), token: TokenHash(hash),
                since: Timestamp(milliseconds: row[4]))
            try body(row.integer(0), row.integer(1), device)
        }
    }

    /// Calls `body` with each place.
    public func forEachPlace(_ body: (Record<Place>) throws -> Void) throws(StorageError) {
        try forEach(
            """
            SELECT number, id, revision, kind, name, address, category, tags, hours, timezone, owner, attributes, position
            FROM places ORDER BY number
            """
        ) { row in
            var place = Place(id: EntityID(known: row[1]), kind: row[3], name: row[4])
            place.address = row[5]
            place.category = row[6]
            place.tags = try ColumnText.list(row[7])
            place.hours = row[8]
            place.timezone = row[9]
            place.owner = (row[10] as String?).map(EntityID.init(known:))
            place.attributes = try ColumnText.attributes(row[11])
            place.coordinate = try row.withUnsafeData(atIndex: 12) { data in
                guard let data else { return nil }
                guard let coordinate = data.withUnsafeBytes(PointBlob.decode) else {
                    throw StorageError.damaged("the position of place \(place.id)")
                }
                return coordinate
            }
            try body(Record(number: try row.integer(0), revision: row[2], value: place))
        }
    }

    /// Calls `body` with each product.
    public func forEachProduct(_ body: (Record<Product>) throws -> Void) throws(StorageError) {
        try forEach("SELECT * FROM products ORDER BY number") { row in
            var product = Product(id: EntityID(known: row[1]), name: row[4])
            product.brand = row[3]
            product.category = row[5]
            product.gender = row[6]
            product.colors = try ColumnText.list(row[7])
            product.materials = try ColumnText.list(row[8])
            product.sizes = try ColumnText.list(row[9]).map(ProductSize.init(stored:))
            product.price = money(row[10], row[11])
            product.description = row[12]
            product.url = row[13]
            product.photo = row[14]
            try body(Record(number: try row.integer(0), revision: row[2], value: product))
        }
    }

    /// Calls `body` with the stock of each store, product by product.
    public func forEachStockItem(
        _ body: (_ store: Int32, _ product: Int32, Money?, [SizeQuantity]) throws -> Void
    ) throws(StorageError) {
        try forEach("SELECT store, product, price, currency, sizes FROM stock ORDER BY store, product") { row in
            try body(row.integer(0), row.integer(1), money(row[2], row[3]), ColumnText.sizes(row[4]))
        }
    }

    private func money(_ minor: Int64?, _ currency: String?) -> Money? {
        guard let minor, let currency else { return nil }
        return Money(minor: minor, currency: Currency(stored: currency))
    }

    private func forEach(_ sql: String, _ body: (Row) throws -> Void) throws(StorageError) {
        try StorageError.wrap {
            try pool.read { db in
                let rows = try Row.fetchCursor(db, sql: sql)
                while let row = try rows.next() { try body(row) }
            }
        }
    }
}
