package import Discovery
package import Geo
package import Model
package import Storage

/// What an export writes of one thing.
package enum ExportRow {
    case person(Person)
    case friends(Store.Pair)
    case place(Place)
    case product(Product)
    case stock(StockItem)
    case ping(PersonPing)

    /// Where it lies on a map.
    package var place: Coordinate? {
        switch self {
        case .place(let place): place.coordinate
        case .ping(let entry): entry.ping.place
        case .person, .friends, .product, .stock: nil
        }
    }

    /// Writes the members as an import takes them.
    package func write(to json: inout JSONWriter) {
        switch self {
        case .person(let person): json.person(person)
        case .friends(let pair):
            json.member("a", pair.a.text)
            json.member("b", pair.b.text)
        case .place(let place): json.place(place, to: .service)
        case .product(let product): json.product(product)
        case .stock(let item): json.stock(item)
        case .ping(let entry):
            json.member("person", entry.person.text)
            var ping = entry.ping
            ping.seenUntil = nil
            json.ping(ping)
        }
    }
}

extension JSONWriter {
    fileprivate mutating func stock(_ item: StockItem) {
        member("store", item.store.text)
        member("product", item.product.text)
        money(item.price)
        // Without sizes an import takes one piece to be there.
        sizes(item.sizes.isEmpty ? [SizeQuantity(size: .none, quantity: 0)] : item.sizes)
    }
}

extension Export {
    /// All rows of a kind, a page at a time.
    package enum Pages: Sendable {
        case people(KeysetReader<Person>)
        case friends(KeysetReader<Store.Pair>)
        case places(KeysetReader<Place>)
        case products(KeysetReader<Product>)
        case stock(KeysetReader<StockItem>)
        case pings(PingReader)

        /// The rows of a kind other than pings.
        init(_ kind: ImportKind, _ store: Store) {
            switch kind {
            case .people: self = .people(store.people())
            case .friends: self = .friends(store.friends())
            case .places: self = .places(store.places())
            case .products: self = .products(store.products())
            case .stock: self = .stock(store.stock())
            case .pings: preconditionFailure("pings have a walk of their own")
            }
        }

        /// The next page; nil at the end.
        mutating func next() async throws -> [ExportRow]? {
            switch self {
            case .people(var reader):
                let page = try await reader.next()?.map { ExportRow.person($0) }
                self = .people(reader)
                return page
            case .friends(var reader):
                let page = try await reader.next()?.map { ExportRow.friends($0) }
                self = .friends(reader)
                return page
            case .places(var reader):
                let page = try await reader.next()?.map { ExportRow.place($0) }
                self = .places(reader)
                return page
            case .products(var reader):
                let page = try await reader.next()?.map { ExportRow.product($0) }
                self = .products(reader)
                return page
            case .stock(var reader):
                let page = try await reader.next()?.map { ExportRow.stock($0) }
                self = .stock(reader)
                return page
            case .pings(var reader):
                let page = try await reader.next()?.map { ExportRow.ping($0) }
                self = .pings(reader)
                return page
            }
        }
    }
}
