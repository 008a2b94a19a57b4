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
        case people(Walk<Person>)
        case friends(Walk<Store.Pair>)
        case places(Walk<Place>)
        case products(Walk<Product>)
        case stock(Walk<StockItem>)
        case pings(PingWalk)

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
            case .people(var walk):
                let page = try await walk.next()?.map { ExportRow.person($0) }
                self = .people(walk)
                return page
            case .friends(var walk):
                let page = try await walk.next()?.map { ExportRow.friends($0) }
                self = .friends(walk)
                return page
            case .places(var walk):
                let page = try await walk.next()?.map { ExportRow.place($0) }
                self = .places(walk)
                return page
            case .products(var walk):
                let page = try await walk.next()?.map { ExportRow.product($0) }
                self = .products(walk)
                return page
            case .stock(var walk):
                let page = try await walk.next()?.map { ExportRow.stock($0) }
                self = .stock(walk)
                return page
            case .pings(var walk):
                let page = try await walk.next()?.map { ExportRow.ping($0) }
                self = .pings(walk)
                return page
            }
        }
    }
}
