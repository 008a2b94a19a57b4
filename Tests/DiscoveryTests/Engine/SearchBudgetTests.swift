import Discovery
import Foundation
import Geo
import Hours
import Laws
import Model
import TestSupport
import Testing

/// No part of a search exceeds the budget of a read, for any query and any data.
@Suite struct SearchBudgetTests {
    private static let reported = OpeningQuery(at: morning)
    private static let (places, products) = (RandomCases.count(1000, all: 2500), RandomCases.count(500, all: 1500))

    /// An area of 10,000 vertices whose edges all pass near its center.
    private func star() throws -> Region {
        let ring = (0..<9999).map { number -> (longitude: Double, latitude: Double) in
            let angle = Double(number) * Double.pi * 0.9998
            return (-0.376 + 0.2 * cos(angle), 39.47 + 0.2 * sin(angle))
        }
        return .polygons([try Polygon(rings: [ring + [ring[0]]])])
    }

    private func fill(_ engine: TestEngine) async throws {
        var random = SeededGenerator(seed: 1)
        let list = (0..<80).map { "Ñandú \($0) " + String(repeating: "é", count: 40) }
        let places = (0..<Self.places).map { number in
            var place = Place(id: id("p\(number)"), kind: "store", name: "Áé\(number % 7)")
            place.coordinate = random.jittered(valencia, metres: 300)
            place.tags = (0..<50).map { "t\($0 + number % 9)" }
            place.attributes = ["n": .number(Double(number % 41)), "list": .list(list)]
            place.owner = id("ana")
            place.hours = "Mo-Fr 09:00-14:00,16:00-20:00; Sa 10:00-14:00"
            return Write(place)
        }
        try await engine.add(person("ana"))
        try await engine.perform(PutPlaces(places))
        let products = (0..<Self.products).map { number in
            var product = Product(id: id("q\(number)"), name: "Shoe")
            product.colors = (0..<20).map { "c\($0 + number % 7)" }
            product.price = Currency("EUR").map { Money(minor: Int64(number), currency: $0) }
            product.attributes = ["n": .number(Double(number % 41)), "list": .list(list)]
            return Write(product)
        }
        try await engine.perform(PutProducts(products))
        let stock = (0..<60).flatMap { store in
            products.map { product in
                StockItem(
                    store: id("p\(store)"), product: product.value.id, price: nil,
                    sizes: [SizeQuantity(size: .none, quantity: 1)])
            }
        }
        for start in stride(from: 0, to: stock.count, by: 5000) {
            try await engine.perform(PutStock(Array(stock[start..<min(start + 5000, stock.count)])))
        }
    }

    private func filters() -> [PlaceFilter] {
        var attribute = AttributeFilter(name: "list")
        attribute.values = (0..<100).map { "nothing \($0)" }
        var costly = PlaceFilter()
        costly.attributes = [attribute]
        var tags = PlaceFilter()
        tags.tags = (49..<149).map { "T\($0)" }
        var owned = costly
        owned.owner = id("ana")
        var words = costly
        words.numbers = (0..<Self.places).map { Number($0) }
        return [PlaceFilter(), costly, tags, owned, words]
    }

    /// Runs all parts of a search and checks the longest one.
    private func parts(
        _ engine: TestEngine, _ monitor: WorkMonitor, _ what: String, _ look: (borrowing LiveState) throws -> Bool
    )
        rethrows
    {
        monitor.reset()
        while !(try engine.engine.read(look)) {}
        #expect(monitor.longest(.reading) <= WorkBudget.stepsPerRead && monitor.longest(.reading) > 0, "\(what)")
    }

    @Test("Every part of a search ends by its work") func searchParts() async throws {
        let monitor = WorkMonitor()
        try await withEngine(monitor: monitor) { engine in
            try await fill(engine)
            let areas = [nil, try star(), .box(try Box(west: -1, south: 39, east: 0, north: 40))]
            for (number, filter) in filters().enumerated() {
                for (place, area) in areas.enumerated() {
                    let what = "filter \(number), area \(place)"
                    var query = NearestQuery(limit: 100)
                    query.region = area
                    var nearest = NearestPlaces(to: valencia, filter, OpeningQuery(at: morning, isFilter: true), query)
                    parts(engine, monitor, "nearest, \(what)") { nearest.look(at: $0) }
                    let asked = PlaceListQuery(filter, Self.reported, in: area, maxScan: 200_000)
                    for order in PlaceOrder.allCases {
                        var list = PlaceListing(asked, by: order, after: nil, limit: 100)
                        parts(engine, monitor, "\(order), \(what)") { list.look(at: $0) }
                    }
                    var facets = PlaceFacets(of: asked)
                    parts(engine, monitor, "facets, \(what)") { facets.look(at: $0) }
                }
            }
            var wish = ProductFilter()
            wish.colors = (0..<100).map { "C\($0)" }
            wish.price = Currency("EUR").map { (0...Int64.max, $0) }
            for area in areas {
                var query = NearestQuery(limit: 100)
                query.region = area
                query.within = 20_000
                for (number, shops) in filters().prefix(3).enumerated() {
                    var stores = NearestStores(to: valencia, having: wish, among: shops, Self.reported, query)
                    parts(engine, monitor, "stores \(number)") { stores.look(at: $0) }
                    #expect(area != nil || number > 0 || stores.page.items.count == 60)
                    for onlyCheaper in [false, true] {
                        var byPrice = StoresByPriceSearch(
                            near: valencia, having: wish, among: shops, Self.reported, query, onlyCheaper: onlyCheaper)
                        parts(engine, monitor, "stores by price \(number)") { byPrice.look(at: $0) }
                    }
                }
            }
            var costly = wish
            costly.attributes = filters()[1].attributes
            for (number, wish) in [wish, costly].enumerated() {
                var products = ProductListing(wish, by: .name, limit: 100)
                parts(engine, monitor, "products \(number)") { products.look(at: $0) }
                var facets = ProductFacets(ProductFacet.allCases, of: wish)
                parts(engine, monitor, "facets of products \(number)") { facets.look(at: $0) }
            }
            var stores = NearestStores(to: valencia, having: costly, Self.reported, NearestQuery(limit: 100))
            parts(engine, monitor, "stores by attributes of products") { stores.look(at: $0) }
            #expect(stores.page.items.isEmpty)
            var stock = StockListing(of: id("p1"))
            try parts(engine, monitor, "stock") { try stock.look(at: $0) }
            #expect(stock.items.count == Self.products)
        }
    }
}
