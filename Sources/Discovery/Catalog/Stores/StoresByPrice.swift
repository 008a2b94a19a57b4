public import Geo
public import Hours
internal import Model

/// A search for stores with a matching product in stock, by price, in parts between which the state may change.
public struct StoresByPriceSearch: SearchInParts {
    private let limit: Int
    private let from: Origin
    private var search: StoreSearch
    private var cheapest: CheapestStores
    private var isDone = false
    /// The numbers of found stores already compared, and of best stores processed for the page.
    private var (compared, returned) = (0, 0)
    /// The result, which is always a single page.
    public private(set) var page: Page<StoreNearby>

    /// A search for the cheapest stores, or for the Pareto front of price and distance.
    ///
    /// - Parameters:
    ///   - origin: the point from which distances are measured.
    ///   - filter: the product filter, which must specify the currency of the prices.
    ///   - stores: the filter for stores.
    ///   - opening: the instant for opening hours, and whether stores must be open then.
    ///   - query: limit, radius and region. `after` does not apply, because the whole list is one page.
    ///   - onlyCheaper: nearest first, but only stores cheaper than every nearer one (the Pareto front of price and
    ///     distance). Otherwise lowest price first, with ties by distance.
    public init(
        near origin: Coordinate, having filter: ProductFilter, among stores: PlaceFilter = PlaceFilter(),
        _ opening: OpeningQuery, _ query: NearestQuery, onlyCheaper: Bool
    ) {
        limit = query.limit
        from = Origin(origin)
        var all = query
        all.limit = .max
        all.after = nil
        // All matches are compared, so the switch to the products' stores after the first visits is disabled.
        var plan = StorePlan()
        plan.many = 0
        search = StoreSearch(filter, among: stores, opening, all, origin, plan)
        cheapest = CheapestStores(limit: query.limit, onlyCheaper: onlyCheaper)
        page = Page(items: [], origin: origin)
    }

    /// Examines the next stores, for about `most` work units (``WorkBudget``).
    ///
    /// - Returns: whether this was the last part; the page is truncated if there are more stores, or by the scan limit.
    /// - Complexity: as for the nearest stores, with a limit of all matching stores within the query's radius.
    package mutating func look(at state: borrowing LiveState, steps most: Int) -> Bool {
        var steps = 0
        defer { WorkBudget.count(steps) }
        while steps < most, compared < search.found.count || !isDone {
            if compared == search.found.count { isDone = search.look(state.catalogue, &steps, until: most) }
            while steps < most, compared < search.found.count, !cheapest.isComplete { compare(state, &steps) }
            if cheapest.isComplete { (isDone, compared) = (true, search.found.count) }
        }
        guard isDone, compared == search.found.count else { return false }
        while steps < most, returned < cheapest.best.count {
            let neighbour = cheapest.best[returned].neighbour
            if let store = search.store(neighbour, from, state.catalogue, &steps) { page.items.append(store) }
            returned += 1
        }
        page.isTruncated = search.isCutOff || cheapest.hasMore
        return returned == cheapest.best.count
    }

    package var course: QueryTrace { search.course }

    private mutating func compare(_ state: borrowing LiveState, _ steps: inout Int) {
        let neighbour = search.found[compared]
        compared += 1
        steps += 11
        guard let price = search.bestPrice(in: Number(neighbour.handle), state.catalogue.inventory, &steps) else {
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

/// The best stores so far, which arrive nearest first; one more than the limit is kept to detect that there are more.
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

    /// Whether no farther store can be in the result.
    var isComplete: Bool { onlyCheaper && hasMore }

    mutating func add(_ store: PricedStore) {
        guard !isComplete else { return }
        if let last = found.last, store.price >= last.price, onlyCheaper || hasMore { return }
        guard !onlyCheaper else {
            // At equal distance the cheaper store dominates.
            if found.last?.micrometres == store.micrometres { found.removeLast() }
            return found.append(store)
        }
        if hasMore { found.removeLast() }
        found.insert(store, at: found.firstIndex { store.price < $0.price } ?? found.count)
    }
}
