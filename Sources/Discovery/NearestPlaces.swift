public import Geo
public import Storage

/// Which places are wanted.
///
/// An empty list of alternatives allows everything.
public struct PlaceFilter: Sendable {
    /// The kind that is wanted, whatever its capitals and accents; nil for any.
    public var kind: String?
    /// Categories of which a place must have one, compared as kinds are.
    public var categories: [String] = []
    /// Tags of which a place must have at least one, compared as kinds are.
    public var tags: [String] = []
    /// What attributes a place must have.
    public var attributes: [AttributeFilter] = []
    /// The person who owns a place; nil for anybody and nobody.
    public var owner: EntityID?
    /// The numbers of the places that have the words that are looked for; nil for all.
    public var numbers: [Int32]?

    /// The filter that every place passes.
    public init() {}
}

/// A place with its distance.
public struct PlaceNearby: Sendable {
    /// The place's document with its number and revision.
    public var place: Record<Place>
    /// Geodesic distance in tenths of a metre.
    public var decimetres: Int64
    /// Direction in whole degrees clockwise from north.
    public var bearing: Int
    /// How many people have it among their favourites.
    public var favourites: Int
    /// Whether it is open; nil for a place without hours.
    public var hours: HoursNearby?
}

/// The nearest places, looked for in parts, between which the picture may change.
///
/// A part goes on where the one before was cut off, as pages do.
public struct NearestPlaces: Sendable {
    private let filter: PlaceFilter
    private let opening: OpeningQuery
    private let query: NearestQuery
    private var looked = 0
    /// What was found so far.
    public private(set) var page: Page<PlaceNearby>

    /// The places nearest to an origin.
    public init(to origin: Coordinate, _ filter: PlaceFilter, _ opening: OpeningQuery, _ query: NearestQuery) {
        self.filter = filter
        self.opening = opening
        self.query = query
        page = Page(items: [], origin: origin, next: query.after)
    }

    /// Looks at the next places, about so many, or at all whose owner or words are asked for.
    ///
    /// - Returns: whether this was the last part.
    public mutating func look(at picture: borrowing Picture, atMost most: Int = 40_000) -> Bool {
        var part = query
        part.after = page.next
        part.limit -= page.items.count
        if filter.owner == nil, filter.numbers == nil { part.maxScan = min(most, query.maxScan) }
        // Each part looks again at what lay beyond the cut of the one before; that counts once.
        looked += part.maxScan < query.maxScan ? max(1, part.maxScan / 2) : part.maxScan
        let found = picture.nearestPlaces(to: page.origin, filter, opening, part)
        page.items += found.items
        page.next = found.next
        page.isTruncated = found.isTruncated
        return !page.isTruncated || looked >= query.maxScan
    }
}

extension Picture {
    /// The places that match a filter, nearest first, with their hours at an instant.
    ///
    /// - Complexity: O(log places + limit) on average; a filter that matches little costs more, but never enters cells
    ///   in which nothing can match.
    public func nearestPlaces(
        to origin: Coordinate, _ filter: PlaceFilter, _ opening: OpeningQuery, _ query: NearestQuery
    ) -> Page<PlaceNearby> {
        guard let terms = PlaceTerms(filter, catalogue.directory.words) else { return Page(items: [], origin: origin) }
        var query = query
        query.filter = terms.signature
        let owned = filter.owner.map { catalogue.directory.places(ownedBy: $0).numbers }
        let set = owned == nil ? nil : filter.numbers.map { NumberSet($0) }
        let numbers = owned.map { owned in owned.filter { set?.contains($0) ?? true } } ?? filter.numbers
        let answer = nearest(query, to: origin, terms, opening, among: numbers)
        let from = Origin(origin)
        let items = answer.neighbours.compactMap { neighbour -> PlaceNearby? in
            guard let entry = catalogue.directory[neighbour.handle] else { return nil }
            return PlaceNearby(
                place: entry.record.value, decimetres: from.decimetres(to: neighbour.place),
                bearing: from.bearing(to: neighbour.place),
                favourites: favourites.count(.places, neighbour.handle),
                hours: entry.timetable.map { HoursNearby($0, at: opening.instant) })
        }
        let next = answer.cutOff ?? answer.neighbours.next(after: query, from: origin, catalogue.directory.ids)
        return Page(items: items, origin: origin, next: next, isTruncated: answer.cutOff != nil)
    }
}

extension Picture {
    /// Of some numbers the nearest: by distance if that finds them soon, else each is looked at.
    private func nearest(
        _ query: NearestQuery, to origin: Coordinate, _ terms: PlaceTerms, _ opening: OpeningQuery,
        among numbers: [Int32]?
    ) -> NearestAnswer {
        guard let numbers else {
            return terms.isEmpty && !opening.isFilter
                ? catalogue.directory.grid.nearest(query, to: origin, ids: catalogue.directory.ids)
                : catalogue.directory.grid.nearest(query, to: origin, ids: catalogue.directory.ids) { number in
                    isWanted(number, terms, opening)
                }
        }
        if numbers.count > Self.few {
            let set = NumberSet(numbers)
            var first = query
            first.maxScan = min(numbers.count, query.maxScan)
            let answer = catalogue.directory.grid.nearest(first, to: origin, ids: catalogue.directory.ids) { number in
                set.contains(number) && isWanted(number, terms, opening)
            }
            if answer.cutOff == nil { return answer }
        }
        let neighbours = catalogue.directory.points.nearest(
            query, to: origin, among: numbers, of: catalogue.directory.grid, ids: catalogue.directory.ids
        ) { isWanted($0, terms, opening) }
        return NearestAnswer(neighbours: neighbours)
    }

    /// So many places are looked at one by one without a search by distance.
    private static var few: Int { 1000 }

    private func isWanted(_ number: Int32, _ terms: PlaceTerms, _ opening: OpeningQuery) -> Bool {
        catalogue.directory[number].map { terms.match($0) && $0.passes(opening) } ?? false
    }
}

/// A filter in the terms of the catalogue.directory.
struct PlaceTerms {
    let kind: Int32?
    let categories, tags: [Int32]
    private let attributes: [AttributeTerm]
    private let owner: EntityID?
    private(set) var signature = SignatureFilter()

    /// Nil if nothing can match, because no place carries the words.
    init?(_ filter: PlaceFilter, _ words: Vocabulary) {
        kind = filter.kind.flatMap(words.term)
        categories = words.terms(filter.categories)
        tags = words.terms(filter.tags)
        attributes = filter.attributes.map(AttributeTerm.init)
        owner = filter.owner
        if filter.kind != nil {
            guard let kind else { return nil }
            signature.demand(anyOf: PlaceSignature.bit(ofKind: kind))
        }
        if !filter.categories.isEmpty {
            guard !categories.isEmpty else { return nil }
            signature.demand(anyOf: categories.reduce(0) { $0 | PlaceSignature.bit(ofCategory: $1) })
        }
        if !filter.tags.isEmpty {
            guard !tags.isEmpty else { return nil }
            signature.demand(anyOf: tags.reduce(0) { $0 | PlaceSignature.bit(ofTag: $1) })
        }
    }

    var isEmpty: Bool { signature.isEmpty && attributes.isEmpty && owner == nil }

    func match(_ entry: Directory.Entry) -> Bool {
        if let kind, entry.kind != kind { return false }
        if !categories.isEmpty, !(entry.category.map(categories.contains) ?? false) { return false }
        guard tags.isEmpty || entry.tags.contains(where: tags.contains) else { return false }
        guard !attributes.isEmpty || owner != nil else { return true }
        let place = entry.record.value.value
        return owner.map { $0 == place.owner } ?? true && attributes.allSatisfy { $0.match(place.attributes) }
    }
}
