public import Geo
public import Hours
public import Model
internal import Structures

/// A filter for places.
///
/// An empty list of alternatives allows everything.
public struct PlaceFilter: Sendable {
    /// The kind, ignoring case and accents; nil for any.
    public var kind: String?
    /// Categories of which a place must have one, compared like kinds.
    public var categories: [String] = []
    /// Tags of which a place must have at least one, compared like kinds.
    public var tags: [String] = []
    /// The required attributes.
    public var attributes: [AttributeFilter] = []
    /// The owner; nil for no restriction.
    public var owner: PersonID?
    /// The numbers of the places found by a text search; nil for all.
    public var numbers: [PlaceNumber]?
    /// The places found by a text search, for a list by relevance; nil for others.
    public var matches: WordMatches<Place>?
    /// Whether only places with a position match.
    public var isPlaced = false
    /// The person who reads in bulk, and does not get places that others own; nil for no restriction.
    public var reader: PersonID?

    /// The filter that every place passes.
    public init() {}
}

/// A place with its distance and bearing.
public struct PlaceNearby: Sendable {
    /// The place's document with its number and revision.
    public var place: Versioned<Place>
    /// Geodesic distance in tenths of a meter.
    public var decimetres: Int64
    /// Direction in whole degrees clockwise from north.
    public var bearing: Int
    /// The number of people with this favorite.
    public var favourites: Int
    /// The state of its opening hours; nil for a place without hours.
    public var hours: HoursNearby?
}

/// A search for the nearest places, in parts between which the state may change.
public struct NearestPlaces: SearchInParts {
    /// The maximum length of a list that is scanned without a search by distance.
    private static let few = 1000

    private let conditions: PlaceConditions
    private let opening: OpeningQuery
    private let query: NearestQuery
    private var search: NearestSearch
    /// nil before the first part.
    private var terms: PlaceTerms?
    /// The only candidates, if the query specifies an owner or words.
    private var list: [PlaceNumber]?
    private var set: NumberSet<Place>?
    private var isListed = false
    /// The number of search results processed for the page.
    private var returned = 0
    /// The result so far.
    public private(set) var page: Page<PlaceNearby>

    /// A search for the places nearest to an origin.
    ///
    /// - Complexity: O(places found by the text search).
    public init(to origin: Coordinate, _ filter: PlaceFilter, _ opening: OpeningQuery, _ query: NearestQuery) {
        conditions = PlaceConditions(filter)
        self.opening = opening
        self.query = query
        search = NearestSearch(query, to: origin)
        page = Page(items: [], origin: origin)
    }

    /// - Complexity: O(log places + limit) on average for all parts together; a filter with few matches costs more, but
    ///   never enters cells that contain no match.
    package mutating func look(at state: borrowing LiveState, steps most: Int) -> Bool {
        var steps = 0
        defer { WorkBudget.count(steps) }
        guard query.limit > 0, let terms = terms ?? begin(state, &steps) else { return true }
        let isDone = look(state, terms, &steps, most)
        let from = Origin(page.origin)
        page.items.reserveCapacity(search.found.count)
        for neighbour in search.found[returned...] {
            (returned, steps) = (returned + 1, steps + 30)
            if let place = state.nearby(neighbour, from, opening) { page.items.append(place) }
        }
        page.isTruncated = !isDone && !isListed && search.looked >= query.maxScan
        if isDone || page.isTruncated {
            page.next = isDone ? search.nextPage(state.catalogue.placeIndex) : search.next
        }
        return isDone || page.isTruncated
    }

    package var course: QueryTrace {
        QueryTrace(
            (search.given > 0 ? [.byDistance] : []) + (search.listed > 0 ? [.each] : []),
            looked: search.given + search.listed, isCutOff: page.isTruncated)
    }

    /// Compiles the filter for the index; nil if nothing can match.
    private mutating func begin(_ state: borrowing LiveState, _ steps: inout Int) -> PlaceTerms? {
        guard let terms = PlaceTerms(conditions, state.catalogue.placeIndex.words) else { return nil }
        self.terms = terms
        list = conditions.numbers
        if let owner = conditions.owner {
            let owned = state.catalogue.placeIndex.places(ownedBy: owner).numbers
            steps += owned.count / 20
            list = owned.filter { conditions.set?.contains($0) ?? true }
        }
        isListed = list.map { $0.count <= Self.few } ?? false
        set = list == nil || isListed ? nil : conditions.owner == nil ? conditions.set : list.map { NumberSet($0) }
        search.filter(by: terms.signature)
        return terms
    }

    /// Searches by distance while that is efficient, and otherwise scans the list of candidates.
    private mutating func look(
        _ state: borrowing LiveState, _ terms: PlaceTerms, _ steps: inout Int, _ most: Int
    ) -> Bool {
        let (set, opening) = (set, opening)
        if !isListed {
            let scan = min(list?.count ?? .max, query.maxScan)
            let isAny = set == nil && terms.isAny && !opening.isFilter
            let isDone = search.visit(upTo: scan, state.catalogue.placeIndex, &steps, until: most) { number, steps in
                if isAny {
                    steps += 1
                    return true
                }
                return (set?.contains(number) ?? true) && state.isWanted(number, terms, opening, &steps)
            }
            if isDone { return true }
            isListed = list != nil && search.looked >= scan
        }
        guard isListed, let list else { return false }
        return search.look(through: list, state.catalogue.placeIndex, &steps, until: most) { number, steps in
            state.isWanted(number, terms, opening, &steps)
        }
    }
}

extension LiveState {
    fileprivate func isWanted(
        _ number: PlaceNumber, _ terms: PlaceTerms, _ opening: OpeningQuery, _ steps: inout Int
    ) -> Bool {
        steps += 1
        guard let entry = catalogue.placeIndex[number] else { return false }
        return terms.match(entry, &steps) && entry.passes(opening, &steps)
    }

    fileprivate func nearby(_ neighbour: Neighbour, _ from: Origin, _ opening: OpeningQuery) -> PlaceNearby? {
        catalogue.placeIndex[Number(neighbour.handle)].map { entry in
            let course = from.course(to: neighbour.place)
            return PlaceNearby(
                place: entry.record, decimetres: course.decimetres, bearing: course.bearing,
                favourites: favourites.count(.places, Number(neighbour.handle)),
                hours: entry.timetable.map { HoursNearby($0, at: opening.instant) })
        }
    }
}
