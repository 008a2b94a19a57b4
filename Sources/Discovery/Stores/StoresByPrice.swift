public import Geo
public import Hours
internal import Model

/// The stores that have a product in stock that matches, by price, looked for in parts, between which the picture may change.
public struct StoresByPriceSearch: SearchInParts {
    private let limit: Int
    private let from: Origin
    private var search: StoreSearch
    private var cheapest: CheapestStores
    private var isDone = false
    /// How many of the stores that were found are compared, and how many of the best are in the page, or gone.
    private var (compared, told) = (0, 0)
    /// The stores, all of them in one page.
    public private(set) var page: Page<StoreNearby>

    /// The cheapest stores, or those cheaper than every nearer one.
    ///
    /// - Parameters:
    ///   - origin: where distances are measured from.
    ///   - filter: what is wanted; it names the currency of the prices.
    ///   - stores: among which places the stores are to be.
    ///   - opening: of which instant hours are told, and whether a store has to be open then.
    ///   - query: how many, how near and where. `after` does not apply: the whole list is one page.
    ///   - onlyCheaper: nearest first, but only stores that are cheaper than every nearer one: those that somebody may choose
    ///     who wants to go not far and pay not much (the Pareto front). Else those with the lowest price first, of equal ones
    ///     the nearer.
    public init(
        near origin: Coordinate, having filter: ProductFilter, among stores: PlaceFilter = PlaceFilter(),
        _ opening: OpeningQuery, _ query: NearestQuery, onlyCheaper: Bool
    ) {
        limit = query.limit
        from = Origin(origin)
        var all = query
        all.limit = .max
        all.after = nil
        // All are compared: whether the products' stores are fewer than those near by is not asked.
        var plan = StorePlan()
        plan.many = 0
        search = StoreSearch(filter, among: stores, opening, all, origin, plan)
        cheapest = CheapestStores(limit: query.limit, onlyCheaper: onlyCheaper)
        page = Page(items: [], origin: origin)
    }

    /// Looks at the next stores, for about so many steps (``Effort``).
    ///
    /// - Returns: whether this was the last part; the page is truncated when there are more stores, or too many were looked at.
    /// - Complexity: as of the nearest stores with a limit of all stores that match within the query's radius.
    package mutating func look(at picture: borrowing Picture, steps most: Int) -> Bool {
        var steps = 0
        defer { Effort.count(steps) }
        while steps < most, compared < search.found.count || !isDone {
            if compared == search.found.count { isDone = search.look(picture.catalogue, &steps, until: most) }
            while steps < most, compared < search.found.count, !cheapest.isComplete { compare(picture, &steps) }
            if cheapest.isComplete { (isDone, compared) = (true, search.found.count) }
        }
        guard isDone, compared == search.found.count else { return false }
        while steps < most, told < cheapest.best.count {
            let neighbour = cheapest.best[told].neighbour
            if let store = search.store(neighbour, from, picture.catalogue, &steps) { page.items.append(store) }
            told += 1
        }
        page.isTruncated = search.isCutOff || cheapest.hasMore
        return told == cheapest.best.count
    }

    package var course: SearchCourse { search.course }

    private mutating func compare(_ picture: borrowing Picture, _ steps: inout Int) {
        let neighbour = search.found[compared]
        compared += 1
        steps += 11
        guard let price = search.bestPrice(in: Number(neighbour.handle), picture.catalogue.inventory, &steps) else {
            return
        }
        let distance = Geodesic.micrometres(from: page.origin, to: neighbour.place)
        cheapest.add(PricedStore(neighbour: neighbour, micrometres: distance, price: price))
    }
}

private struct PricedStore: Sendable {
    var neighbour: Neighbour
    var micrometres: Int64
    var price: Int64
}

/// The stores kept of those seen, which come nearest first: one more than is asked for, to know whether there are more.
private struct CheapestStores: Sendable {
    private let limit: Int
    private let onlyCheaper: Bool
    private var found: [PricedStore] = []

    init(limit: Int, onlyCheaper: Bool) {
        self.limit = limit
        self.onlyCheaper = onlyCheaper
    }

    var best: ArraySlice<PricedStore> { found.prefix(limit) }
    var hasMore: Bool { found.count > limit }

    /// Whether nothing farther away can be wanted.
    var isComplete: Bool { onlyCheaper && hasMore }

    mutating func add(_ store: PricedStore) {
        guard !isComplete else { return }
        if let last = found.last, store.price >= last.price, onlyCheaper || hasMore { return }
        guard !onlyCheaper else {
            // Of two stores as far away the cheaper one is in nobody's way.
            if found.last?.micrometres == store.micrometres { found.removeLast() }
            return found.append(store)
        }
        if hasMore { found.removeLast() }
        found.insert(store, at: found.firstIndex { store.price < $0.price } ?? found.count)
    }
}
