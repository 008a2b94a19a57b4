public import Geo
public import Hours
public import Model

/// The sort order of places.
public enum PlaceOrder: String, CaseIterable, Sendable {
    /// By descending number of favorites, then newest first.
    case popularity
    /// Newest first.
    case newest
    /// By name, ignoring case and accents, then oldest first.
    case name
    /// By the match of the words of a search: a name with all words as typed, a name with forms of them, then others; then
    /// newest first.
    case relevance

    fileprivate func puts(_ a: PlacePosition, before b: PlacePosition) -> Bool {
        switch self {
        case .popularity, .relevance: (a.count, a.number) > (b.count, b.number)
        case .newest: a.number > b.number
        case .name: (a.name, a.number) < (b.name, b.number)
        }
    }
}

/// A keyset position in a list of places, which stays valid when its place is deleted.
public struct PlacePosition: Hashable, Sendable {
    /// The last place's number of favorites if sorted by popularity, its rank if by relevance; else 0.
    public var count: Int32 = 0
    /// The last place's folded name if sorted by name; else empty.
    public var name = ""
    /// The number of the last place.
    public var number: PlaceNumber

    /// The position after a place.
    public init(number: PlaceNumber) { self.number = number }
}

/// An entry of a list of places.
public struct PlaceListed: Sendable {
    /// The place's document with its number and revision.
    public var place: Versioned<Place>
    /// The number of people with this favorite.
    public var favourites: Int
    /// The state of its opening hours; nil for a place without hours.
    public var hours: HoursNearby?
}

/// A page of a list of places.
public struct PlacePage: Sendable {
    /// In the requested order.
    public var items: [PlaceListed]
    /// The position at which the list continues; nil at its end.
    public var next: PlacePosition?
    /// Whether the scan limit was reached, so that the page may be short.
    public var isTruncated = false
}

/// A query for a list of places, with its scan limit.
public struct PlaceListQuery: Sendable {
    /// The conditions on the places.
    public var filter: PlaceFilter
    /// The condition on their opening hours.
    public var opening: OpeningQuery
    /// The region that must contain the places; nil for no restriction.
    public var region: Region?
    /// The point that the places' own areas must contain; nil for no restriction.
    public var contained: Coordinate?
    /// The maximum number of places examined for a page.
    public var maxScan: Int

    /// A query for the places that match a filter.
    public init(_ filter: PlaceFilter, _ opening: OpeningQuery, in region: Region?, maxScan: Int) {
        self.filter = filter
        self.opening = opening
        self.region = region
        self.maxScan = maxScan
    }
}

/// A sorted list of places after a position; it is searched in parts, between which the state may change.
///
/// It examines the candidates if these are few, and otherwise scans in the order until the page is full. A place whose
/// sort key does not change in the meantime is listed exactly once, as of its examination.
public struct PlaceListing: SearchInParts {
    private let query: PlaceListQuery
    private let conditions: PlaceConditions
    private let order: PlaceOrder
    private let relevance: Relevance<Place>?
    private let after: PlacePosition?
    private let limit: Int
    /// nil before the first part.
    private var search: PlaceSearch?
    private var looked = 0
    /// The last place examined, in the order.
    private var last: PlacePosition?
    /// The matches in the order, up to one beyond the limit.
    private var found: [(position: PlacePosition, place: PlaceListed)] = []
    private var isCutOff = false
    private var hasNarrowed = false

    /// The number of candidates in an area that is small enough to examine all, and the number of places scanned in
    /// order before a second attempt at narrowing, which takes long in dense areas.
    private static let (fewInside, walkBeforeNarrowing) = (200, 1000)

    /// A list of at most `limit` places.
    public init(_ query: PlaceListQuery, by order: PlaceOrder, after: PlacePosition?, limit: Int) {
        self.query = query
        conditions = PlaceConditions(query.filter)
        self.order = order
        relevance = query.filter.matches.map(Relevance.init)
        self.after = after
        self.limit = limit
        last = after
    }

    /// The result, once all parts are done.
    public var page: PlacePage {
        let isFull = found.count > limit
        let next = isFull ? found[limit - 1].position : isCutOff ? last : nil
        return PlacePage(items: found.prefix(limit).map(\.place), next: next, isTruncated: !isFull && isCutOff)
    }

    /// - Complexity: O(log places + `most`); the first part also O(candidates) if these are few.
    package mutating func look(at state: borrowing LiveState, steps most: Int) -> Bool {
        var steps = 0
        defer { WorkBudget.count(steps) }
        if search == nil {
            search = PlaceSearch(query, conditions, fewInside: Self.fewInside, state.catalogue.placeIndex, &steps)
        } else if looked == Self.walkBeforeNarrowing, search?.few == nil, !hasNarrowed {
            // The break-even point: a scan costs `limit` * places / candidates, and a lookup costs candidates.
            let few = (Double(limit) * Double(state.catalogue.placeIndex.count)).squareRoot()
            hasNarrowed = true
            if search?.narrow(toAtMost: Int(few), state.catalogue.placeIndex, &steps) ?? false {
                (looked, found) = (0, [])
            }
        }
        guard let search else { return true }
        return search.few.map { look(up: $0, search, state, &steps, most) } ?? walk(search, state, &steps, most)
    }

    package var course: QueryTrace {
        let isEach = search?.few != nil
        let walked = hasNarrowed && isEach ? Self.walkBeforeNarrowing : 0
        let ways: [QueryTrace.Way] = isEach ? [.each] : search == nil ? [] : [.inOrder]
        return QueryTrace((walked > 0 ? [.inOrder] : []) + ways, looked: walked + looked, isCutOff: isCutOff)
    }

    private mutating func look(
        up few: [PlaceNumber], _ search: PlaceSearch, _ state: borrowing LiveState, _ steps: inout Int, _ most: Int
    ) -> Bool {
        let order = order
        var fresh: [PlacePosition] = []
        repeat {
            guard looked < few.count else { break }
            let number = few[looked]
            looked += 1
            guard search.matches(number, state.catalogue.placeIndex, &steps) else { continue }
            // The name is folded for the comparison.
            steps += 5
            let position = state.position(number, order, relevance)
            if after.map({ order.puts($0, before: position) }) ?? true { fresh.append(position) }
        } while steps < most
        fresh.sort { order.puts($0, before: $1) }
        for position in fresh.prefix(limit + 1) { add(position, state, &steps) }
        found.sort { order.puts($0.position, before: $1.position) }
        found.removeLast(max(0, found.count - limit - 1))
        return looked == few.count
    }

    private mutating func walk(
        _ search: PlaceSearch, _ state: borrowing LiveState, _ steps: inout Int, _ most: Int
    ) -> Bool {
        let end = min(query.maxScan, hasNarrowed || query.region == nil ? .max : Self.walkBeforeNarrowing)
        var hasEnded = true
        state.visit(order, relevance, after: last) { position in
            last = position
            steps += 1
            looked += 1
            if state.stands(position, order, relevance),
                search.matches(position.number, state.catalogue.placeIndex, &steps)
            {
                add(position, state, &steps)
            }
            hasEnded = found.count <= limit && looked < end && steps < most
            return hasEnded
        }
        isCutOff = !hasEnded && looked == query.maxScan
        return hasEnded || isCutOff || found.count > limit
    }

    private mutating func add(_ position: PlacePosition, _ state: borrowing LiveState, _ steps: inout Int) {
        steps += 20
        guard let place = state.listed(position.number, query.opening) else { return }
        found.append((position, place))
    }
}
