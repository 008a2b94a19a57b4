internal import Geo
internal import Model
internal import Structures

/// Which facets of places are wanted.
public struct PlaceFacetNames: Sendable {
    /// The facets that are no attributes.
    public enum Word: String, CaseIterable, Sendable { case kind, category, tag }

    /// Of the words those.
    public var words: Set<Word>
    /// The attributes; nil for all.
    public var attributes: Set<String>?

    /// Some words and attributes; all, unless said otherwise.
    public init(words: Set<Word> = Set(Word.allCases), attributes: Set<String>? = nil) {
        self.words = words
        self.attributes = attributes
    }
}

/// How many places that match are of each kind, in each category, carry each tag and have each attribute: counted in parts,
/// newest first, between which the picture may change.
public struct PlaceFacets: SearchInParts {
    /// Of the names of attributes the first so many are counted.
    private static let mostAttributes = 200
    /// So many places of an area are counted without looking at others.
    private static let fewInside = 5000

    private let names: PlaceFacetNames
    private let query: PlaceListQuery
    private let conditions: PlaceConditions
    /// Nil before the first part.
    private var search: PlaceSearch?
    private var looked = 0
    /// The last place counted among all; nil before the first.
    private var last: PlaceNumber?
    private var isTruncated = false

    private var count = 0
    private var words: [PlaceFacetNames.Word: WordFacet] = [:]
    private var attributes: [String: AttributeFacet] = [:]
    private var hasMoreAttributes = false

    /// Facets of the places that a query is for.
    public init(_ names: PlaceFacetNames = PlaceFacetNames(), of query: PlaceListQuery) {
        self.names = names
        self.query = query
        conditions = PlaceConditions(query.filter)
    }

    /// What was counted so far, at most `limit` values of each facet.
    ///
    /// - Complexity: O(n log n) in the number of values.
    public func counts(limit: Int) -> FacetCounts {
        let words = PlaceFacetNames.Word.allCases.filter(names.words.contains).map { name in
            FacetValues(name.rawValue, self.words[name]?.values ?? [], limit: limit)
        }
        let none = Dictionary(uniqueKeysWithValues: (names.attributes ?? []).map { ($0, AttributeFacet()) })
        let attributes = self.attributes.merging(none) { counted, _ in counted }.sorted { $0.key < $1.key }.map {
            name, facet in
            facet.values("attr.\(name)", limit: limit)
        }
        return FacetCounts(
            count, words + attributes, more: hasMoreAttributes ? ["attr"] : [], isTruncated: isTruncated)
    }

    /// Counts those that match among the next places, for about so many steps (``Effort``).
    ///
    /// - Returns: whether this was the last part.
    /// - Complexity: O(`most`); of the first part also O(places that can match) if these are few.
    package mutating func look(at picture: borrowing Picture, steps most: Int) -> Bool {
        var steps = 0
        defer { Effort.count(steps) }
        if search == nil {
            search = PlaceSearch(query, conditions, fewInside: Self.fewInside, picture.catalogue.placeIndex, &steps)
        }
        guard let search else { return true }
        if let few = search.few {
            repeat {
                guard looked < few.count else { return true }
                add(few[looked], search, picture, &steps)
                looked += 1
            } while steps < most
            return looked == few.count
        }
        var next = picture.catalogue.placeIndex.numbers.last(before: last)
        while let number = next, looked < query.maxScan, steps < most {
            last = number
            looked += 1
            add(number, search, picture, &steps)
            next = picture.catalogue.placeIndex.numbers.last(before: number)
        }
        isTruncated = next != nil && looked >= query.maxScan
        return next == nil || isTruncated
    }

    package var course: SearchCourse {
        SearchCourse(
            search.map { $0.few == nil ? [.all] : [.each] } ?? [], looked: looked, isCutOff: isTruncated)
    }

    private mutating func add(
        _ number: PlaceNumber, _ search: PlaceSearch, _ picture: borrowing Picture, _ steps: inout Int
    ) {
        guard search.matches(number, picture.catalogue.placeIndex, &steps),
            let entry = picture.catalogue.placeIndex[number]
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
        count(place.attributes, &steps)
    }

    private mutating func count(_ all: [String: AttributeValue], _ steps: inout Int) {
        for (name, value) in all where names.attributes?.contains(name) ?? true {
            steps += 3 + value.steps
            guard attributes[name] != nil || attributes.count < Self.mostAttributes else {
                hasMoreAttributes = true
                continue
            }
            attributes[name, default: AttributeFacet()].add(value.contents)
        }
    }
}

extension AttributeValue {
    fileprivate var contents: [FacetValue.Content] {
        switch self {
        case .number(let number): [.number(number)]
        case .flag(let flag): [.flag(flag)]
        case .text(let text): [AttributeFilter.number(text).map { .number($0) } ?? .text(text)]
        case .list(let list): Set(list).map { .text($0) }
        }
    }
}
