internal import Foundation
internal import GRDB
internal import Geo
internal import Model

extension Versioned<Person> {
    /// Decodes a row of ``Store/personColumns``, which begin at `first`.
    convenience init(person row: Row, from first: Int = 0) throws {
        var person = Person(id: ID(known: row[first + 1]))
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
        guard person.throttle.distance.map({ $0 >= 0 && $0.isFinite }) ?? true else {
            throw StorageError.damaged("the throttle of person \(person.id)")
        }
        person.throttle.interval = try row.duration(first + 16)
        person.retention = try row.duration(first + 18)
        person.isSearchable = row[first + 19]
        person.isSearchableByEmail = row[first + 20]
        person.sharing = try ColumnText.sharing(row[first + 21])
        person.tokensNotBefore = row.isNull(first + 22) ? nil : try row.timestamp(first + 22)
        self.init(number: try row.integer(first), revision: row[first + 2], value: person)
    }
}

extension Store {
    static let personColumns = """
        number, id, revision, name, surname, city, born, sex, relationship, email, phone, photo, about, attributes,
        discoverable, throttle_distance_m, throttle_interval_ms, home_cell, retention_ms, searchable, searchable_by_email,
        sharing, tokens_not_before_ms
        """
}

extension Versioned<Place> {
    convenience init(place row: Row) throws {
        var place = Place(id: ID(known: row[1]), kind: row[3], name: row[4])
        place.address = row[5]
        place.category = row[6]
        place.tags = try ColumnText.list(row[7])
        place.hours = row[8]
        place.timezone = row[9]
        place.owner = (row[10] as String?).map(ID.init(known:))
        place.attributes = try ColumnText.attributes(row[11])
        place.coordinate = try row.withUnsafeData(atIndex: 12) { data in
            guard let data else { return nil }
            guard let coordinate = data.withUnsafeBytes(PointBlob.decode) else {
                throw StorageError.damaged("the position of place \(place.id)")
            }
            return coordinate
        }
        place.created = (row[13] as Int64?).map(Timestamp.init(milliseconds:))
        if let geometry = row[14] as Data? { place.area = PlaceArea(try AreaBlob.decode(geometry, within: row[15])) }
        self.init(number: try row.integer(0), revision: row[2], value: place)
    }
}

extension Store {
    static let placeColumns = """
        number, id, revision, kind, name, address, category, tags, hours, timezone, owner, attributes, position,
        created_ms, area, area_within_m
        """
}

extension Store {
    static let productColumns = """
        number, id, revision, brand, name, category, gender, colors, materials, sizes, price, currency, description,
        url, photo, created_ms, attributes
        """
}

extension Versioned<Product> {
    convenience init(product row: Row) throws {
        var product = Product(id: ID(known: row[1]), name: row[4])
        product.brand = row[3]
        product.category = row[5]
        product.gender = row[6]
        product.colors = try ColumnText.list(row[7])
        product.materials = try ColumnText.list(row[8])
        product.sizes = try ColumnText.list(row[9]).map(ProductSize.init(stored:))
        product.price = row.money(10)
        product.description = row[12]
        product.url = row[13]
        product.photo = row[14]
        product.attributes = try ColumnText.attributes(row[16])
        self.init(number: try row.integer(0), revision: row[2], value: product)
    }
}

extension Row {
    /// The price in a column and its currency in the next; nil if there is none.
    func money(_ index: Int) -> Money? {
        guard let minor = self[index] as Int64?, let currency = self[index + 1] as String? else { return nil }
        return Money(minor: minor, currency: Currency(stored: currency))
    }
}
