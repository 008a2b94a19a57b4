internal import GRDB
public import Model

/// All data by kind, with ids instead of numbers, ordered by number, in the format of an import.
extension Store {
    /// The maximum numbers of documents, which may be large, and of short rows per transaction.
    private static let (documents, short) = (500, 5_000)

    /// All people except those whose deletion has begun.
    public func people() -> KeysetReader<Person> {
        KeysetReader(
            self,
            """
            SELECT \(Self.personColumns) FROM people WHERE number > ? AND number NOT IN (SELECT person FROM leaving)
            ORDER BY number LIMIT ?
            """, after: [-1], pagesOf: Self.documents
        ) {
            try Versioned(person: $0).value
        }
    }

    /// All places.
    public func places() -> KeysetReader<Place> {
        KeysetReader(
            self, "SELECT \(Self.placeColumns) FROM places WHERE number > ? ORDER BY number LIMIT ?", after: [-1],
            pagesOf: Self.documents
        ) { try Versioned(place: $0).value }
    }

    /// All products.
    public func products() -> KeysetReader<Product> {
        KeysetReader(
            self, "SELECT \(Self.productColumns) FROM products WHERE number > ? ORDER BY number LIMIT ?", after: [-1],
            pagesOf: Self.documents
        ) { try Versioned(product: $0).value }
    }

    /// All pairs of friends.
    public func friends() -> KeysetReader<Pair> {
        let sql = """
            SELECT a, b, one.id, other.id FROM friendships
            JOIN people one ON one.number = a JOIN people other ON other.number = b
            WHERE (a, b) > (?, ?) AND since_ms IS NOT NULL ORDER BY a, b LIMIT ?
            """
        return KeysetReader(self, sql, after: [-1, -1], pagesOf: Self.short) {
            Pair(a: ID(known: $0[2]), b: ID(known: $0[3]))
        }
    }

    /// A pair of friends.
    public struct Pair: Sendable {
        /// The friend with the smaller number.
        public var a: PersonID
        /// The other friend.
        public var b: PersonID
    }

    /// All stock, by store and product.
    public func stock() -> KeysetReader<StockItem> {
        let sql = """
            SELECT store, product, places.id, products.id, stock.price, stock.currency, stock.sizes FROM stock
            JOIN places ON places.number = store JOIN products ON products.number = product
            WHERE (store, product) > (?, ?) AND places.kind = 'store' ORDER BY store, product LIMIT ?
            """
        return KeysetReader(self, sql, after: [-1, -1], pagesOf: Self.short) { row in
            StockItem(
                store: ID(known: row[2]), product: ID(known: row[3]), price: row.money(4),
                sizes: try ColumnText.sizes(row[6]))
        }
    }

    /// The believed compacted pings of some people, without people whose deletion has begun: by person, oldest first.
    public func pings(of people: ClosedRange<PersonNumber>) -> KeysetReader<PersonPing> {
        let sql = """
            SELECT \(PingRow.columns), id FROM pings JOIN people ON people.number = person
            WHERE (person, time_ms, sequence) > (?, ?, ?) AND person <= ? AND suspect = 0
                AND person NOT IN (SELECT person FROM leaving)
            ORDER BY person, time_ms, sequence LIMIT ?
            """
        return KeysetReader(
            self, sql, after: [Int64(people.lowerBound), .min, 0], bounds: [Int64(people.upperBound)],
            pagesOf: Self.short
        ) { row in
            PersonPing(person: ID(known: row[PingRow.columnCount]), ping: try PingRow.decode(row))
        }
    }
}

/// A stored ping with the id of its person.
public struct PersonPing: Sendable {
    /// The id of the person.
    public var person: PersonID
    /// The ping.
    public var ping: StoredPing

    /// Creates a ping of a person.
    public init(person: PersonID, ping: StoredPing) {
        self.person = person
        self.ping = ping
    }
}
