internal import Geo
internal import Model
internal import Structures

/// The requested facets of places.
public struct PlaceFacetNames: Sendable {
    /// The facets that are not attributes.
    public enum Word: String, CaseIterable, Sendable { case kind, category, tag }

    /// The requested word facets.
    public var words: Set<Word>
    /// The requested attributes; nil for all.
    public var attributes: Set<String>?

    /// The requested facets; by default all.
    public init(words: Set<Word> = Set(Word.allCases), attributes: Set<String>? = nil) {
        self.words = words
        self.attributes = attributes
    }
}

/// A search that counts matching places by kind, category, tag and attribute, newest places first; it runs in parts,
/// between which the state may change.
public struct PlaceFacets: SearchInParts {
    /// The maximum number of candidates in an area that are counted without a scan of all places.
    private static let fewInside = 5000

    private let names: PlaceFacetNames
    private let query: PlaceListQuery
    private let conditions: PlaceConditions
    /// nil before the first part.
    private var search: PlaceSearch?
    private var looked = 0
    /// The last place of the scan; nil before the first.
    private var last: PlaceNumber?
    private var isTruncated = false

    private var count = 0
    private var words: [PlaceFacetNames.Word: WordFacet] = [:]
    private var attributes: AttributeFacets

    /// Facets of the places that match a query.
    public init(_ names: PlaceFacetNames = PlaceFacetNames(), of query: PlaceListQuery) {
        self.names = names
        self.query = query
        attributes = AttributeFacets(names.attributes)
        conditions = PlaceConditions(query.filter)
    }

    /// Returns the counts so far, with at most `limit` values per facet.
    ///
    /// - Complexity: O(n log n) in the number of values.
    public func counts(limit: Int) -> FacetCounts {
        let words = PlaceFacetNames.Word.allCases.filter(names.words.contains).map { name in
            FacetValues(name.rawValue, self.words[name]?.values ?? [], limit: limit)
        }
        let (attributes, more) = attributes.values(limit: limit)
        return FacetCounts(count, words + attributes, more: more, isTruncated: isTruncated)
    }

    /// Counts the matches among the next places, for about `most` work units (``WorkBudget``).
    ///
    /// - Returns: whether this was the last part.
    /// - Complexity: O(`most`); the first part also O(candidates) if these are few.
    package mutating func look(at state: borrowing LiveState, steps most: Int) -> Bool {
        var steps = 0
        defer { WorkBudget.count(steps) }
        if search == nil {
            search = PlaceSearch(query, conditions, fewInside: Self.fewInside, state.catalogue.placeIndex, &steps)
        }
        guard let search else { return true }
        if let few = search.few {
            repeat {
                guard looked < few.count else { return true }
                add(few[looked], search, state, &steps)
                looked += 1
            } while steps < most
            return looked == few.count
        }
        var next = state.catalogue.placeIndex.numbers.last(before: last)
        while let number = next, looked < query.maxScan, steps < most {
            last = number
            looked += 1
            add(number, search, state, &steps)
            next = state.catalogue.placeIndex.numbers.last(before: number)
        }
        isTruncated = next != nil && looked >= query.maxScan
        return next == nil || isTruncated
    }

    package var course: QueryTrace {
        QueryTrace(
            search.map { $0.few == nil ? [.all] : [.each] } ?? [], looked: looked, isCutOff: isTruncated)
    }

    private mutating func add(
        _ number: PlaceNumber, _ search: PlaceSearch, _ state: borrowing LiveState, _ steps: inout Int
    ) {
        guard search.matches(number, state.catalogue.placeIndex, &steps),
            let entry = state.catalogue.placeIndex[number]
        else { return }
        let place = entry.record.value
        count += 1
        for name in names.words {
            steps += 2
            switch name {
            case .kind: words[name, default: WordFacet()].add(entry.kind, place.kind)
            case .category:
                guard let term = entry.category, let category = place.category else { continue }
                words[name, default: WordFacet()].add(term, category)
            case .tag:
                steps += 2 * entry.tags.count + entry.tags.count * entry.tags.count / 200
                for (position, tag) in place.tags.enumerated()
                where !entry.tags[..<position].contains(entry.tags[position]) {
                    words[name, default: WordFacet()].add(entry.tags[position], tag)
                }
            }
        }
        attributes.add(place.attributes, &steps)
    }
}
