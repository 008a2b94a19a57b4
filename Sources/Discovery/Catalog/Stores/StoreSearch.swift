internal import Geo
internal import Hours
internal import Model
internal import Structures

/// A search for stores, in parts.
///
/// It visits stores by distance and checks their products, unless few stores have any of these. If that finds too
/// little nearby, it switches to the products' stores, provided that they are fewer than the places left to visit. So a
/// filter is cheap whether it matches nearly everything, nearly nothing, or only far away.
struct StoreSearch: Sendable {
    private let conditions: ProductConditions
    private let stores: PlaceConditions
    private let opening: OpeningQuery
    private let maxScan: Int
    private let plan: StorePlan
    private var stage = Stage.beginning
    private var search: NearestSearch
    private var query: NearestQuery
    private let origin: Coordinate
    private var wanted: WantedProducts?
    /// The compiled filter for stores; nil before the first part.
    private var terms: PlaceTerms?
    /// Whether the scan limit ended the search.
    private(set) var isCutOff = false

    private enum Stage {
        case beginning
        case selecting(ProductSelection)
        /// Visits the first stores by distance.
        case firstLook
        /// Visits more stores by distance, up to a number, before the products' stores are examined.
        case secondLook(Int)
        /// Visits stores by distance up to the query's scan limit.
        case visiting
        /// Examines each store of a list.
        case listing([PlaceNumber])
    }

    init(
        _ filter: ProductFilter, among stores: PlaceFilter, _ opening: OpeningQuery, _ query: NearestQuery,
        _ origin: Coordinate, _ plan: StorePlan
    ) {
        conditions = ProductConditions(filter)
        var stores = stores
        stores.kind = "store"
        self.stores = PlaceConditions(stores)
        self.opening = opening
        self.plan = plan
        self.query = query
        self.origin = origin
        maxScan = query.maxScan
        search = NearestSearch(query, to: origin)
    }

    /// Nearest first; results from a list appear only after the whole list.
    var found: [Neighbour] { search.found }

    var course: QueryTrace {
        QueryTrace(
            (search.given > 0 ? [.byDistance] : []) + (search.listed > 0 ? [.byProduct] : []),
            looked: search.given + search.listed, isCutOff: isCutOff)
    }

    /// The position of the next page; nil if nothing is left.
    func nextPage(_ catalogue: borrowing Catalogue) -> KeysetPosition? {
        isCutOff ? search.next : search.nextPage(catalogue.placeIndex)
    }

    /// Searches until the steps reach `end`.
    ///
    /// - Returns: whether this was the last part.
    mutating func look(_ catalogue: borrowing Catalogue, _ steps: inout Int, until end: Int) -> Bool {
        while steps < end {
            switch stage {
            case .beginning:
                guard query.limit > 0, let terms = PlaceTerms(stores, catalogue.placeIndex.words) else { return true }
                self.terms = terms
                var signature = terms.signature
                signature.demand(anyOf: PlaceSignature.stocked)
                search.filter(by: signature)
                stage = .selecting(ProductSelection(ProductTerms(conditions, catalogue.inventory, &steps)))
            case .selecting(var selection):
                let isSelected = selection.look(catalogue.inventory, &steps, until: end)
                stage = .selecting(selection)
                guard isSelected else { return false }
                wanted = WantedProducts(conditions.filter, of: selection.products, catalogue.inventory)
                guard let wanted else { return true }
                stage = choice(wanted, catalogue.inventory, &steps)
            case .firstLook:
                if visit(upTo: min(plan.firstLook, maxScan), catalogue, &steps, end) { return true }
                if search.looked >= min(plan.firstLook, maxScan) { stage = weighed(catalogue, &steps) }
            case .secondLook(let most):
                if visit(upTo: min(most, maxScan), catalogue, &steps, end) { return true }
                if search.looked >= min(most, maxScan) { stage = listing(catalogue.inventory, &steps) }
            case .visiting:
                if visit(upTo: maxScan, catalogue, &steps, end) { return true }
                isCutOff = search.looked >= maxScan
                if isCutOff { return true }
            case .listing(let stores):
                return look(through: stores, catalogue, &steps, end)
            }
        }
        return false
    }

    /// The initial stage.
    private func choice(_ wanted: WantedProducts, _ inventory: Inventory, _ steps: inout Int) -> Stage {
        guard let products = wanted.matchingProducts(&steps),
            inventory.countStores(having: products, &steps) <= plan.few
        else { return .firstLook }
        return .listing(inventory.stores(having: products, &steps))
    }

    /// The stage after the first visits.
    private func weighed(_ catalogue: borrowing Catalogue, _ steps: inout Int) -> Stage {
        guard let products = wanted?.likelyProducts(catalogue.inventory, &steps) else { return .visiting }
        let count = catalogue.inventory.countStores(having: products, &steps)
        let most = plan.many.multipliedReportingOverflow(by: catalogue.placeIndex.count)
        guard count <= min(most.overflow ? .max : most.partialValue, maxScan) else { return .visiting }
        return count / plan.patience > plan.firstLook
            ? .secondLook(count / plan.patience) : .listing(catalogue.inventory.stores(having: products, &steps))
    }

    private func listing(_ inventory: Inventory, _ steps: inout Int) -> Stage {
        .listing(inventory.stores(having: wanted?.likelyProducts(inventory, &steps) ?? [], &steps))
    }

    private mutating func visit(
        upTo most: Int, _ catalogue: borrowing Catalogue, _ steps: inout Int, _ end: Int
    ) -> Bool {
        guard let wanted, let terms else { return true }
        let opening = opening
        return search.visit(upTo: most, catalogue.placeIndex, &steps, until: end) { store, steps in
            catalogue.isWanted(store, terms, wanted, opening, &steps)
        }
    }

    private mutating func look(
        through stores: [PlaceNumber], _ catalogue: borrowing Catalogue, _ steps: inout Int, _ end: Int
    ) -> Bool {
        guard let wanted, let terms else { return true }
        let opening = opening
        return search.look(through: stores, catalogue.placeIndex, &steps, until: end) { store, steps in
            catalogue.isWanted(store, terms, wanted, opening, &steps)
        }
    }

    /// The lowest price of a match in a store; nil if no match has a price.
    func bestPrice(in store: PlaceNumber, _ inventory: Inventory, _ steps: inout Int) -> Int64? {
        wanted?.bestPrice(in: store, inventory, &steps)
    }

    /// A store in the form for answers; nil if it was deleted.
    func store(
        _ neighbour: Neighbour, _ from: Origin, _ catalogue: borrowing Catalogue, _ steps: inout Int
    ) -> StoreNearby? {
        steps += 30
        guard let entry = catalogue.placeIndex[Number(neighbour.handle)], let wanted else { return nil }
        let course = from.course(to: neighbour.place)
        return StoreNearby(
            store: entry.record, decimetres: course.decimetres, bearing: course.bearing,
            hours: entry.timetable.map { HoursNearby($0, at: opening.instant) },
            offers: wanted.offers(of: Number(neighbour.handle), catalogue.inventory, &steps))
    }
}

extension Catalogue {
    fileprivate func isWanted(
        _ store: PlaceNumber, _ terms: PlaceTerms, _ wanted: WantedProducts, _ opening: OpeningQuery,
        _ steps: inout Int
    ) -> Bool {
        steps += 1
        guard wanted.isStocked(by: store, inventory, &steps), let entry = placeIndex[store] else { return false }
        return terms.match(entry, &steps) && entry.passes(opening, &steps)
    }
}
