internal import Geo
internal import Hours
internal import Model
internal import Structures

/// One search for stores, in parts.
///
/// Stores are visited by distance and asked for the products, unless few stores have any of these. When that finds too
/// little near by, the products are asked for their stores, if these are fewer than what is left to visit. So a filter
/// costs little whether it matches nearly everything, nearly nothing, or only far away.
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
    /// Which places are stores that are asked for; nil before the first part.
    private var terms: PlaceTerms?
    /// Whether so many places were looked at that the search ended.
    private(set) var isCutOff = false

    private enum Stage {
        case beginning
        case selecting(ProductSelection)
        /// Visiting the first stores.
        case firstLook
        /// Visiting further ones, up to so many, before those of the products are looked at.
        case secondLook(Int)
        /// Visiting as many as the query allows.
        case visiting
        /// Looking at each of some stores.
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

    /// Nearest first; of a list only once it was gone through.
    var found: [Neighbour] { search.found }

    var course: SearchCourse {
        SearchCourse(
            (search.given > 0 ? [.byDistance] : []) + (search.listed > 0 ? [.byProduct] : []),
            looked: search.given + search.listed, isCutOff: isCutOff)
    }

    /// Where the next page begins; nil if nothing is left.
    func nextPage(_ catalogue: borrowing Catalogue) -> KeysetPosition? {
        isCutOff ? search.next : search.nextPage(catalogue.placeIndex)
    }

    /// Looks until the steps are `end`.
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

    /// How the search begins.
    private func choice(_ wanted: WantedProducts, _ inventory: Inventory, _ steps: inout Int) -> Stage {
        guard let products = wanted.matchingProducts(&steps),
            inventory.countStores(having: products, &steps) <= plan.few
        else { return .firstLook }
        return .listing(inventory.stores(having: products, &steps))
    }

    /// How the search goes on after the first look.
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

    /// The least price at which a store has what is wanted; nil if it has no price.
    func bestPrice(in store: PlaceNumber, _ inventory: Inventory, _ steps: inout Int) -> Int64? {
        wanted?.bestPrice(in: store, inventory, &steps)
    }

    /// A store as answers tell of it; nil for one that is gone.
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
