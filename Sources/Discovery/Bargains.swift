public import Geo

extension Picture {
    /// The stores that have a product in stock that matches, by price.
    ///
    /// - Parameters:
    ///   - origin: where distances are measured from.
    ///   - filter: what is wanted; it names the currency of the prices.
    ///   - opening: of which instant hours are told, and whether a store has to be open then.
    ///   - query: how many, how near and where. `after` does not apply: the whole list is one page.
    ///   - onlyCheaper: nearest first, but only stores that are cheaper than every nearer one: those that somebody may choose
    ///     who wants to go not far and pay not much (the Pareto front). Else those with the lowest price first, of equal ones
    ///     the nearer.
    /// - Returns: At most `query.limit` stores; truncated when there are more, or `query.maxScan` places were looked at.
    /// - Complexity: as of the nearest stores with a limit of all stores that match within the query's radius.
    public func bargains(
        near origin: Coordinate, having filter: ProductFilter, _ opening: OpeningQuery, _ query: NearestQuery,
        onlyCheaper: Bool
    ) -> Page<StoreNearby> {
        var part = query
        part.limit = 500
        part.after = nil
        var bargains = Bargains(limit: query.limit, onlyCheaper: onlyCheaper)
        let from = Origin(origin)
        var isTruncated = false
        while !bargains.isComplete, part.maxScan > 0,
            let search = StoreSearch(filter, opening, part, origin, catalogue, StorePlan())
        {
            let answer = search.run(catalogue)
            for neighbour in answer.neighbours {
                guard let price = search.bestPrice(in: neighbour.handle) else { continue }
                let distance = Geodesic.micrometres(from: origin, to: neighbour.place)
                bargains.add(Bargain(neighbour: neighbour, micrometres: distance, price: price))
            }
            isTruncated = answer.cutOff != nil
            guard let last = answer.neighbours.last, answer.neighbours.count == part.limit else { break }
            part.after = KeysetPosition(
                micrometres: Geodesic.micrometres(from: origin, to: last.place),
                id: catalogue.directory.ids.id(of: last.handle))
            part.maxScan -= part.limit
            isTruncated = part.maxScan <= 0
            // Each part is searched anew from the start: the larger they become, the fewer there are.
            part.limit *= 4
        }
        let search = StoreSearch(filter, opening, part, origin, catalogue, StorePlan())
        return Page(
            items: bargains.best.compactMap { search?.store($0.neighbour, from, catalogue) }, origin: origin,
            isTruncated: isTruncated || bargains.hasMore)
    }
}

private struct Bargain {
    var neighbour: Neighbour
    var micrometres: Int64
    var price: Int64
}

/// The stores kept of those seen, which come nearest first: one more than is asked for, to know whether there are more.
private struct Bargains {
    private let limit: Int
    private let onlyCheaper: Bool
    private var found: [Bargain] = []

    init(limit: Int, onlyCheaper: Bool) {
        self.limit = limit
        self.onlyCheaper = onlyCheaper
    }

    var best: ArraySlice<Bargain> { found.prefix(limit) }
    var hasMore: Bool { found.count > limit }

    /// Whether nothing farther away can be wanted.
    var isComplete: Bool { onlyCheaper && hasMore }

    mutating func add(_ store: Bargain) {
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
