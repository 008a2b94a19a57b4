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
    /// - Returns: At most `query.limit` stores; cut off when `query.maxScan` places were looked at.
    /// - Complexity: as of the nearest stores with a limit of all stores that match within the query's radius.
    public func bargains(
        near origin: Coordinate, having filter: ProductFilter, _ opening: OpeningQuery, _ query: NearestQuery,
        onlyCheaper: Bool
    ) -> Page<StoreNearby> {
        var part = query
        part.limit = Bargains.part
        part.after = nil
        var bargains = Bargains(limit: query.limit, onlyCheaper: onlyCheaper)
        let from = Origin(origin)
        while let search = StoreSearch(filter, opening, part, origin, catalogue, StorePlan()) {
            let answer = search.run(catalogue)
            for neighbour in answer.neighbours {
                guard !bargains.isComplete else { break }
                if let price = search.bestPrice(in: neighbour.handle) { bargains.add(neighbour, price) }
            }
            guard !bargains.isComplete, let last = answer.neighbours.last, answer.neighbours.count == part.limit else {
                return Page(
                    items: bargains.found.compactMap { search.store($0.neighbour, from, catalogue) }, origin: origin,
                    isTruncated: !bargains.isComplete && answer.cutOff != nil)
            }
            part.after = KeysetPosition(
                micrometres: Geodesic.micrometres(from: origin, to: last.place),
                id: catalogue.directory.ids.id(of: last.handle))
            part.maxScan -= Bargains.part
        }
        return Page(items: [], origin: origin)
    }
}

/// The stores kept of those seen, which come nearest first.
private struct Bargains {
    /// How many stores are looked at together.
    static let part = 500

    let limit: Int
    let onlyCheaper: Bool
    private(set) var found: [(neighbour: Neighbour, price: Int64)] = []

    init(limit: Int, onlyCheaper: Bool) {
        self.limit = limit
        self.onlyCheaper = onlyCheaper
    }

    /// Whether nothing farther away can be wanted.
    var isComplete: Bool { onlyCheaper && found.count == limit }

    mutating func add(_ neighbour: Neighbour, _ price: Int64) {
        if let last = found.last, price >= last.price, onlyCheaper || found.count == limit { return }
        if onlyCheaper { return found.append((neighbour, price)) }
        if found.count == limit { found.removeLast() }
        found.insert((neighbour, price), at: found.firstIndex { price < $0.price } ?? found.count)
    }
}
