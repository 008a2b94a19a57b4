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

/// How much is done in which way to find the nearest stores; answers do not depend on it.
package struct StorePlan: Sendable {
    /// If the products are in no more stores than this, those that have several counted for each, all these are looked at.
    package var few = 4000
    /// How many places a search by distance looks at before it is considered whether to look at the products' stores.
    package var firstLook = 1000
    /// How many times as many as all places the products' stores may be, counted as above, to be looked at then.
    package var many = 4
    /// How many stores known to have the products can be looked at while one is visited in the order of distance.
    package var patience = 5

    package init() {}
}

extension Picture {
    /// The stores that have a product in stock that matches, nearest first, with their hours at an instant.
    ///
    /// Stores are visited by distance and asked for the products, unless few stores have any of these. When that finds too
    /// little near by, the products are asked for their stores, if these are fewer than what is left to visit. So a filter
    /// costs little whether it matches nearly everything, nearly nothing, or only far away.
    ///
    /// - Complexity: O(limit * places / stores that match), at most O(stores that have one of the products).
    public func nearestStores(
        to origin: Coordinate, having filter: ProductFilter, _ opening: OpeningQuery, _ query: NearestQuery
    ) -> Page<StoreNearby> {
        nearestStores(to: origin, having: filter, opening, query, StorePlan())
    }

    package func nearestStores(
        to origin: Coordinate, having filter: ProductFilter, _ opening: OpeningQuery, _ query: NearestQuery,
        _ plan: StorePlan
    ) -> Page<StoreNearby> {
        guard let search = StoreSearch(filter, opening, query, origin, catalogue, plan) else {
            return Page(items: [], origin: origin)
        }
        let answer = search.run(catalogue)
        let from = Origin(origin)
        let items = answer.neighbours.compactMap { search.store($0, from, catalogue) }
        let next = answer.cutOff ?? answer.neighbours.next(after: query, from: origin, catalogue.directory.ids)
        return Page(items: items, origin: origin, next: next, isTruncated: answer.cutOff != nil)
    }
}

/// One search for stores.
struct StoreSearch {
    private let wanted: WantedProducts
    private let kind: Int32
    private let opening: OpeningQuery
    private let query: NearestQuery
    private let origin: Coordinate
    private let plan: StorePlan

    /// Nil if there is nothing to find.
    init?(
        _ filter: ProductFilter, _ opening: OpeningQuery, _ query: NearestQuery, _ origin: Coordinate,
        _ catalogue: borrowing Catalogue, _ plan: StorePlan
    ) {
        guard let wanted = WantedProducts(filter, catalogue.shelves), let kind = catalogue.directory.words.term("store")
        else { return nil }
        self.wanted = wanted
        self.kind = kind
        self.opening = opening
        self.origin = origin
        self.plan = plan
        var query = query
        query.filter.demand(anyOf: PlaceSignature.stocked)
        query.filter.demand(anyOf: PlaceSignature.bit(ofKind: kind))
        self.query = query
    }

    func run(_ catalogue: borrowing Catalogue) -> NearestAnswer {
        if let products = wanted.matchingProducts, wanted.countStores(having: products) <= plan.few {
            return scan(wanted.stores(having: products), catalogue)
        }
        let first = visit(upTo: plan.firstLook, catalogue)
        guard first.cutOff != nil else { return first }
        let products = wanted.likelyProducts
        let count = wanted.countStores(having: products)
        guard count <= min(plan.many * catalogue.directory.count, query.maxScan) else {
            return plan.firstLook < query.maxScan ? visit(upTo: query.maxScan, catalogue) : first
        }
        if count / plan.patience > plan.firstLook {
            let second = visit(upTo: count / plan.patience, catalogue)
            if second.cutOff == nil { return second }
        }
        return scan(wanted.stores(having: products), catalogue)
    }

    /// Asks stores for the products, nearest first.
    private func visit(upTo limit: Int, _ catalogue: borrowing Catalogue) -> NearestAnswer {
        var query = query
        query.maxScan = min(limit, query.maxScan)
        return catalogue.directory.grid.nearest(query, to: origin, ids: catalogue.directory.ids) { store in
            isWanted(store, catalogue)
        }
    }

    /// Looks at each of some stores.
    private func scan(_ stores: NumberSet, _ catalogue: borrowing Catalogue) -> NearestAnswer {
        let neighbours = catalogue.directory.points.nearest(
            query, to: origin, among: stores.numbers,
            of: catalogue.directory.grid, ids: catalogue.directory.ids
        ) { isWanted($0, catalogue) }
        return NearestAnswer(neighbours: neighbours)
    }

    private func isWanted(_ store: Int32, _ catalogue: borrowing Catalogue) -> Bool {
        wanted.isStocked(by: store)
            && catalogue.directory[store].map { $0.kind == kind && $0.passes(opening) } ?? false
    }

    /// The least price at which a store has what is wanted; nil if it has no price.
    func bestPrice(in store: Int32) -> Int64? { wanted.bestPrice(in: store) }

    func store(_ neighbour: Neighbour, _ from: Origin, _ catalogue: borrowing Catalogue) -> StoreNearby? {
        guard let entry = catalogue.directory[neighbour.handle] else { return nil }
        return StoreNearby(
            store: entry.record.value, decimetres: from.decimetres(to: neighbour.place),
            bearing: from.bearing(to: neighbour.place),
            hours: entry.timetable.map { HoursNearby($0, at: opening.instant) },
            offers: wanted.offers(of: neighbour.handle))
    }
}
