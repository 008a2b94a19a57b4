public import Geo
public import Hours
public import Model

/// A filter for products.
///
/// The values of a list are alternatives; an empty list allows everything.
public struct ProductFilter: Sendable {
    /// Ids of products.
    public var products: [ProductID] = []
    /// Brands, ignoring case and accents.
    public var brands: [String] = []
    /// Categories, compared like brands.
    public var categories: [String] = []
    /// Target genders, compared like brands.
    public var genders: [String] = []
    /// Colors, compared like brands.
    public var colors: [String] = []
    /// Materials, compared like brands.
    public var materials: [String] = []
    /// Sizes that must be in stock or, in queries without stores, among the product's sizes.
    public var sizes: [ProductSize] = []
    /// Conditions on attributes, all of which must hold.
    public var attributes: [AttributeFilter] = []
    /// The price range in minor units of a currency; prices in other currencies do not match.
    public var price: (range: ClosedRange<Int64>, currency: Currency)?

    /// The numbers of the products found by a text search; nil for all.
    public var numbers: [ProductNumber]?
    /// The products found by a text search, for a list by relevance; nil for others.
    public var matches: WordMatches<Product>?

    /// The filter that every product passes.
    public init() {}
}

/// A store with its matching offers.
public struct StoreNearby: Sendable {
    /// The store's document with its number and revision.
    public var store: Versioned<Place>
    /// Geodesic distance in tenths of a meter.
    public var decimetres: Int64
    /// Direction in whole degrees clockwise from north.
    public var bearing: Int
    /// The state of its opening hours; nil for a store without hours.
    public var hours: HoursNearby?
    /// Cheapest first, then by id; at most ``mostOffers``.
    public var offers: [Offer]

    /// The maximum number of offers shown per store.
    public static let mostOffers = 20
}

/// A product that a store has in stock.
public struct Offer: Sendable {
    /// The product's document.
    public var product: Product
    /// The store's price, or else the product's.
    public var price: Money?
    /// The sizes in stock, restricted to the requested ones if any.
    public var sizes: [SizeQuantity]
}

/// The query plan of a search for nearest stores, which affects its cost but not its results.
package struct StorePlan: Sendable {
    /// The maximum total of the products' store counts at which all these stores are examined at once.
    package var few = 4000
    /// The number of places visited by distance before a switch to the products' stores is considered.
    package var firstLook = 1000
    /// The maximum total of the products' store counts for that switch, as a multiple of all places.
    package var many = 4
    /// The number of products' stores that can be examined in the time of one visit in order of distance.
    package var patience = 5

    package init() {}
}

/// A search for the nearest stores with a matching product in stock, in parts between which the state may change.
public struct NearestStores: SearchInParts {
    private let opening: OpeningQuery
    private let maxScan: Int
    private var search: StoreSearch
    private var isDone = false
    /// The result so far.
    public private(set) var page: Page<StoreNearby>

    /// A search for the stores nearest to an origin, among the places that match a filter.
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

    /// - Complexity: O(limit * places / matching stores) for all parts, at most O(stores with one of the products).
    package mutating func look(at state: borrowing LiveState, steps most: Int) -> Bool {
        var steps = 0
        defer { WorkBudget.count(steps) }
        if !isDone { isDone = search.look(state.catalogue, &steps, until: most) }
        let from = Origin(page.origin)
        while steps < most, returned < search.found.count {
            let store = search.store(search.found[returned], from, state.catalogue, &steps)
            if let store { page.items.append(store) }
            returned += 1
        }
        guard isDone, returned == search.found.count else { return false }
        page.isTruncated = search.isCutOff
        page.next = search.nextPage(state.catalogue)
        return true
    }

    package var course: QueryTrace { search.course }

    /// The number of search results processed for the page.
    private var returned = 0
}
