internal import Model

/// The number of matches by attribute and value.
struct AttributeFacets: Sendable {
    /// The maximum number of attributes counted; later names are omitted.
    private static let most = 200

    /// The requested attributes; nil for all.
    private let names: Set<String>?
    private var facets: [String: AttributeFacet] = [:]
    private var hasMore = false

    /// No counts yet of some attributes, or of all for nil.
    init(_ names: Set<String>?) { self.names = names }

    /// Counts the attributes of a match; `steps` grows by the work done (``WorkBudget``).
    mutating func add(_ attributes: [String: AttributeValue], _ steps: inout Int) {
        for (name, value) in attributes { add(name, value, &steps) }
    }

    /// Counts one attribute of a match.
    mutating func add(_ name: String, _ value: AttributeValue, _ steps: inout Int) {
        guard names?.contains(name) ?? true else { return }
        steps += 3 + value.steps
        guard facets[name] != nil || facets.count < Self.most else {
            hasMore = true
            return
        }
        facets[name, default: AttributeFacet()].add(value.contents)
    }

    /// The facets by name, with at most `limit` values each; `more` is `attr` if names were omitted.
    func values(limit: Int) -> (facets: [FacetValues], more: [String]) {
        let none = Dictionary(uniqueKeysWithValues: (names ?? []).map { ($0, AttributeFacet()) })
        let sorted = facets.merging(none) { counted, _ in counted }.sorted { $0.key < $1.key }
        return (sorted.map { $1.values("attr.\($0)", limit: limit) }, hasMore ? ["attr"] : [])
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
