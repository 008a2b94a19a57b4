internal import Geo
internal import Hours
internal import Model
internal import Structures

/// A compiled query for places.
struct PlaceSearch {
    /// The maximum number of candidates that are examined one by one, regardless of order.
    private static var mostLookups: Int { 20_000 }
    /// The maximum number of places whose area's cover may include a point.
    private static var mostCovering: Int { 10_000 }
    private let terms: PlaceTerms
    private let opening: OpeningQuery
    private let region: Region?
    private let contained: Coordinate?
    /// The only numbers that can match; nil for no restriction.
    private let set: NumberSet<Place>?
    /// The candidates, sorted, if they are few.
    private(set) var few: [PlaceNumber]?

    /// Compiles a query, with up to `fewInside` places of an area as ``few``; nil if nothing can match.
    init?(
        _ query: PlaceListQuery, _ conditions: PlaceConditions, fewInside: Int, _ placeIndex: borrowing PlaceIndex,
        _ steps: inout Int
    ) {
        guard let terms = PlaceTerms(conditions, placeIndex.words) else { return nil }
        self.terms = terms
        opening = query.opening
        region = query.region
        contained = query.contained
        set = conditions.set
        let covering = query.contained.flatMap { placeIndex.covering($0, atMost: Self.mostCovering, steps: &steps) }
        let lists =
            placeIndex.candidates(for: conditions.owner, terms)
            + [conditions.numbers.map { [$0] }, covering.map { [$0] }]
        let least = lists.compactMap(\.self).min { Self.size($0) < Self.size($1) }
        let few = least.flatMap { lists -> [PlaceNumber]? in
            guard Self.size(lists) <= Self.mostLookups else { return nil }
            steps += Self.size(lists) / 10
            return lists.count == 1 ? lists[0] : NumberSet(lists.joined()).numbers
        }
        self.few = few
        if few == nil { self.few = inside(atMost: fewInside, placeIndex, &steps) }
    }

    /// Uses the places of the area as candidates, if they are quickly found to be at most `most`.
    ///
    /// - Returns: whether they are.
    mutating func narrow(toAtMost most: Int, _ placeIndex: borrowing PlaceIndex, _ steps: inout Int) -> Bool {
        few = inside(atMost: most, placeIndex, &steps)
        return few != nil
    }

    private func inside(atMost most: Int, _ placeIndex: borrowing PlaceIndex, _ steps: inout Int) -> [PlaceNumber]? {
        guard let region, let centre = region.circles?.first?.centre else { return nil }
        var query = NearestQuery(limit: most + 1)
        query.region = region
        query.filter = terms.signature
        query.maxScan = Self.mostLookups
        query.maxSteps = WorkBudget.stepsPerChunk
        let answer = placeIndex.grid.nearest(query, to: centre, ids: placeIndex.ids)
        steps += answer.steps
        guard answer.cutOff == nil, answer.neighbours.count <= most else { return nil }
        return answer.neighbours.map { PlaceNumber($0.handle) }
    }

    private static func size(_ lists: [[PlaceNumber]]) -> Int { lists.reduce(0) { $0 + $1.count } }

    /// The signature filter that all matches pass.
    var signature: SignatureFilter { terms.signature }

    /// Whether every place matches.
    var isAny: Bool { terms.isAny && set == nil && !opening.isFilter && region == nil && contained == nil }

    /// Whether a place matches; `steps` grows by the work done (``WorkBudget``).
    func matches(_ number: PlaceNumber, _ placeIndex: borrowing PlaceIndex, _ steps: inout Int) -> Bool {
        steps += 1
        guard set?.contains(number) ?? true, let entry = placeIndex[number], terms.match(entry, &steps),
            entry.passes(opening, &steps)
        else { return false }
        if let contained, !(entry.record.value.area?.contains(contained, steps: &steps) ?? false) { return false }
        guard let region else { return true }
        return entry.record.value.coordinate.map { region.contains($0, steps: &steps) } ?? false
    }
}

extension PlaceIndex {
    /// The posting lists for each condition, which may overlap; nil for an absent condition.
    fileprivate func candidates(for owner: PersonID?, _ terms: PlaceTerms) -> [[[PlaceNumber]]?] {
        [
            terms.kind.map { [postings.ofKind($0)] },
            terms.categories.isEmpty ? nil : postings.ofCategories(terms.categories),
            terms.tags.isEmpty ? nil : postings.ofTags(terms.tags),
            owner.map { [places(ownedBy: $0).numbers] },
        ]
    }
}
