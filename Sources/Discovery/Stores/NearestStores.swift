public import Geo
public import Hours
public import Model

/// Which products are wanted.
///
/// Several alternatives in one list mean any of them; an empty list allows everything.
public struct ProductFilter: Sendable {
    /// Ids of products.
    public var products: [ProductID] = []
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

    /// The numbers of the products that have the words that are looked for; nil for all.
    public var numbers: [ProductNumber]?

    /// The filter that every product passes.
    public init() {}
}

/// A store with what it has of the products that were asked for.
public struct StoreNearby: Sendable {
    /// The store's document with its number and revision.
    public var store: Versioned<Place>
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

/// The nearest stores that have a product in stock that matches, looked for in parts, between which the picture may change.
public struct NearestStores: SearchInParts {
    private let opening: OpeningQuery
    private let maxScan: Int
    private var search: StoreSearch
    private var isDone = false
    /// What was found so far.
    public private(set) var page: Page<StoreNearby>

    /// The nearest stores to an origin, of those that are among the places that a filter is for.
    public init(
        to origin: Coordinate, having filter: ProductFilter, among stores: PlaceFilter = PlaceFilter(),
        _ opening: OpeningQuery, _ query: NearestQuery
    ) {
        self.init(to: origin, having: filter, among: stores, opening, query, StorePlan())
    }

    package init(
        to origin: Coordinate, having filter: ProductFilter, among stores: PlaceFilter = PlaceFilter(),
        _ opening: OpeningQuery, _ query: NearestQuery, _ plan: StorePlan
    ) {
        self.opening = opening
        maxScan = query.maxScan
        search = StoreSearch(filter, among: stores, opening, query, origin, plan)
        page = Page(items: [], origin: origin)
    }

    /// - Complexity: of all parts together O(limit * places / stores that match), at most O(stores that have one of the products).
    package mutating func look(at picture: borrowing Picture, steps most: Int) -> Bool {
        var steps = 0
        defer { Effort.count(steps) }
        if !isDone { isDone = search.look(picture.catalogue, &steps, until: most) }
        let from = Origin(page.origin)
        while steps < most, told < search.found.count {
            let store = search.store(search.found[told], from, picture.catalogue, &steps)
            if let store { page.items.append(store) }
            told += 1
        }
        guard isDone, told == search.found.count else { return false }
        page.isTruncated = search.isCutOff
        page.next = search.nextPage(picture.catalogue)
        return true
    }

    package var course: SearchCourse { search.course }

    /// How many of what was found are in the page, or gone.
    private var told = 0
}
