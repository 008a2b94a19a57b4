public import Geo
public import Storage

/// Which products are wanted.
///
/// Several alternatives in one list mean any of them; an empty list allows everything.
public struct ProductFilter: Sendable {
    /// Ids of products.
    public var products: [EntityID] = []
    /// Brands, whatever their capitals and accents.
    public var brands: [String] = []
    /// Categories, compared as brands are.
    public var categories: [String] = []
    /// Whom a product is made for, compared as brands are.
    public var genders: [String] = []
    /// Colours, compared as brands are.
    public var colors: [String] = []
    /// What a product is made of, compared as brands are.
    public var materials: [String] = []
    /// Sizes that must be in stock or, where no store is asked, that the product is made in.
    public var sizes: [ProductSize] = []
    /// The least and the greatest price in minor units of the currency, which matches only prices in it.
    public var price: (range: ClosedRange<Int64>, currency: Currency)?

    /// The filter that every product passes.
    public init() {}
}

/// A store with what it has of the products that were asked for.
public struct StoreNearby: Sendable {
    /// The store's document with its number and revision.
    public var store: Record<Place>
    /// Geodesic distance in tenths of a metre.
    public var decimetres: Int64
    /// Direction in whole degrees clockwise from north.
    public var bearing: Int
    /// Whether it is open; nil for a store without hours.
    public var hours: HoursNearby?
    /// Cheapest first, then by id; at most ``mostOffers``.
    public var offers: [Offer]

    /// How many offers of one store are told.
    public static let mostOffers = 20
}

/// A product that a store has in stock.
public struct Offer: Sendable {
    /// The product's document.
    public var product: Product
    /// The store's price, or else the product's.
    public var price: Money?
    /// The sizes in stock that were asked for, or all of them.
    public var sizes: [SizeQuantity]
}

extension Picture {
    /// The stores that have a product in stock that matches, nearest first, with their hours at an instant.
    ///
    /// Either the stores are visited by distance and asked for the products, or the products for their stores: what the
    /// numbers of both make look cheaper.
    public func nearestStores(
        to origin: Coordinate, having filter: ProductFilter, _ opening: OpeningQuery, _ query: NearestQuery
    ) -> Page<StoreNearby> {
        guard let wanted = WantedProducts(filter, catalogue.shelves), let kind = catalogue.directory.words.term("store")
        else { return Page(items: [], origin: origin) }
        let nearest: [Neighbour]
        var cutOff: KeysetPosition?
        if let stores = wanted.fewStores(among: catalogue.directory.count, limit: query.limit) {
            let having = stores.numbers.filter { number in
                catalogue.directory[number].map { $0.kind == kind && $0.passes(opening) } ?? false
                    && wanted.isStocked(by: number)
            }
            let places = having.compactMap { number in
                catalogue.directory.grid.place(of: number).map { Neighbour(handle: number, place: $0) }
            }
            nearest = Scan.nearest(query, to: origin, among: places, ids: catalogue.directory.ids)
        } else {
            var query = query
            query.filter.demand(anyOf: PlaceSignature.stocked)
            query.filter.demand(anyOf: PlaceSignature.bit(ofKind: kind))
            let answer = catalogue.directory.grid.nearest(query, to: origin, ids: catalogue.directory.ids) {
                number in
                catalogue.directory[number].map { $0.kind == kind && $0.passes(opening) } ?? false
                    && wanted.isStocked(by: number)
            }
            nearest = answer.neighbours
            cutOff = answer.cutOff
        }
        let from = Origin(origin)
        let items = nearest.compactMap { neighbour -> StoreNearby? in
            guard let entry = catalogue.directory[neighbour.handle] else { return nil }
            return StoreNearby(
                store: entry.record.value, decimetres: from.decimetres(to: neighbour.place),
                bearing: from.bearing(to: neighbour.place),
                hours: entry.timetable.map { HoursNearby($0, at: opening.instant) },
                offers: wanted.offers(of: neighbour.handle))
        }
        let next = cutOff ?? nearest.next(after: query, from: origin, catalogue.directory.ids)
        return Page(items: items, origin: origin, next: next)
    }
}

/// A product filter in the terms of the shelves.
struct WantedProducts {
    private let shelves: Shelves
    /// The products that match but for size in stock and price; nil when all do.
    private let products: Set<Int32>?
    private let sizes: Set<ProductSize>
    private let price: (range: ClosedRange<Int64>, currency: Currency)?

    /// Nil if no product matches.
    init?(_ filter: ProductFilter, _ shelves: Shelves) {
        self.shelves = shelves
        sizes = Set(filter.sizes)
        price = filter.price
        guard let products = Self.products(filter, shelves) else {
            self.products = nil
            return
        }
        guard !products.isEmpty else { return nil }
        self.products = products
    }

    private static func products(_ filter: ProductFilter, _ shelves: Shelves) -> Set<Int32>? {
        let facets: [(Shelves.Facet, [String])] = [
            (.brand, filter.brands), (.category, filter.categories), (.gender, filter.genders),
            (.color, filter.colors), (.material, filter.materials),
        ]
        var sets: [Set<Int32>] = []
        if !filter.products.isEmpty { sets.append(Set(filter.products.compactMap { shelves.numbers[$0] })) }
        for (facet, words) in facets where !words.isEmpty {
            let terms = shelves.words.terms(words)
            sets.append(Set(terms.flatMap { shelves.products(carrying: $0, as: facet).numbers }))
        }
        guard var common = sets.min(by: { $0.count < $1.count }) else { return nil }
        for set in sets { common.formIntersection(set) }
        return common
    }

    /// The stores that have one of the products, if they are so few that asking each costs less than a search.
    ///
    /// A search by distance visits about `limit * places / matching stores` places.
    func fewStores(among places: Int, limit: Int) -> SortedNumbers? {
        guard let products else { return nil }
        var total = 0
        for product in products {
            total += shelves.stores(having: product).count
            guard total * total < limit * places else { return nil }
        }
        var stores = SortedNumbers()
        for product in products { for store in shelves.stores(having: product).numbers { stores.insert(store) } }
        return stores
    }

    /// Whether a store has one of the products in stock, in size and price.
    func isStocked(by store: Int32) -> Bool { shelves.items(of: store).contains { matches($0) } }

    /// The products that match by themselves: with a recommended price and a size that they are made in.
    var listed: [Int32] {
        (products.map(Array.init) ?? shelves.products).filter { number in
            guard let product = shelves[number]?.record.value.value else { return false }
            if !sizes.isEmpty, !product.sizes.contains(where: sizes.contains) { return false }
            guard let price else { return true }
            return product.price.map { $0.currency == price.currency && price.range.contains($0.minor) } ?? false
        }
    }

    func offers(of store: Int32) -> [Offer] {
        let offers = shelves.items(of: store).filter(matches).compactMap { item -> Offer? in
            guard let product = shelves[item.product]?.record.value.value else { return nil }
            return Offer(
                product: product, price: item.price ?? product.price,
                sizes: item.sizes.value.filter { $0.quantity > 0 && (sizes.isEmpty || sizes.contains($0.size)) })
        }
        return Array(offers.sorted(by: Self.precedes).prefix(StoreNearby.mostOffers))
    }

    private static func precedes(_ a: Offer, _ b: Offer) -> Bool {
        (a.price?.minor ?? .max, a.product.id) < (b.price?.minor ?? .max, b.product.id)
    }

    private func matches(_ item: Shelves.Item) -> Bool {
        if let products, !products.contains(item.product) { return false }
        guard
            item.sizes.value.contains(where: { entry in
                entry.quantity > 0 && (sizes.isEmpty || sizes.contains(entry.size))
            })
        else { return false }
        guard let price else { return true }
        guard let asked = item.price ?? shelves[item.product]?.record.value.value.price else { return false }
        return asked.currency == price.currency && price.range.contains(asked.minor)
    }
}
