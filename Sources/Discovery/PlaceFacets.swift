internal import Storage

/// How many of some places are of each kind, in each category, carry each tag and have each attribute.
public struct PlaceFacets: Sendable {
    /// By kind.
    public private(set) var kinds = WordFacet()
    /// By category.
    public private(set) var categories = WordFacet()
    /// By tag.
    public private(set) var tags = WordFacet()
    /// By the attribute's name.
    public private(set) var attributes: [String: AttributeFacet] = [:]
    /// How many places were counted.
    public private(set) var count = 0

    /// Of the names of attributes the first so many are counted.
    private static let mostAttributes = 200

    /// Nothing counted yet.
    public init() {}

    mutating func add(_ entry: Directory.Entry) {
        let place = entry.record.value.value
        count += 1
        kinds.add(entry.kind, place.kind)
        if let term = entry.category, let category = place.category { categories.add(term, category) }
        for (position, tag) in place.tags.enumerated() where !entry.tags[..<position].contains(entry.tags[position]) {
            tags.add(entry.tags[position], tag)
        }
        for (name, value) in place.attributes where attributes[name] != nil || attributes.count < Self.mostAttributes {
            attributes[name, default: AttributeFacet()].add(value.facets)
        }
    }
}

extension AttributeValue {
    fileprivate var facets: [AttributeFacet.Value] {
        switch self {
        case .number(let number): [.number(number)]
        case .flag(let flag): [.flag(flag)]
        case .text(let text): [AttributeFilter.number(text).map { .number($0) } ?? .text(text)]
        case .list(let list): Set(list).map { .text($0) }
        }
    }
}

extension Picture {
    /// Counts the next places that match, newest first, after having looked at those down to a number; nil for none.
    ///
    /// - Returns: the number of the last place looked at; nil if there are no more.
    /// - Complexity: O(`maxScan` of the query).
    public func count(
        _ query: PlaceListQuery, before last: Int32?, into facets: inout PlaceFacets
    ) -> Int32? {
        guard let search = PlaceSearch(query, catalogue.directory) else { return nil }
        var looked = 0
        func look(_ number: Int32) {
            looked += 1
            if search.matches(number, catalogue.directory), let entry = catalogue.directory[number] {
                facets.add(entry)
            }
        }
        if let few = search.few {
            for number in few { look(number) }
            return nil
        }
        var number = min(last ?? .max, catalogue.directory.nextNumber)
        while number > 0, looked < query.maxScan {
            number -= 1
            look(number)
        }
        return number > 0 ? number : nil
    }
}
