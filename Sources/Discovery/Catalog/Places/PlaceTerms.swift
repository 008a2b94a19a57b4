internal import Geo
internal import Model
internal import Structures

/// A place filter with folded values, compiled once independently of the state.
struct PlaceConditions: Sendable {
    fileprivate let kind: String?
    fileprivate let categories, tags: [String]
    fileprivate let attributes: [AttributeTerm]
    let owner: PersonID?
    fileprivate let isPlaced: Bool
    fileprivate let reader: PersonID?
    /// The numbers of the places found by a text search; nil for all.
    let numbers: [PlaceNumber]?
    /// ``numbers`` as a set.
    let set: NumberSet<Place>?

    init(_ filter: PlaceFilter) {
        kind = filter.kind.map(PlainText.of)
        categories = filter.categories.map(PlainText.of)
        tags = filter.tags.map(PlainText.of)
        attributes = filter.attributes.map(AttributeTerm.init)
        owner = filter.owner
        isPlaced = filter.isPlaced
        reader = filter.reader
        numbers = filter.numbers
        set = filter.numbers.map { NumberSet($0) }
    }
}

/// A place filter compiled to the numbers of the index.
struct PlaceTerms: Sendable {
    let kind: Int32?
    let categories, tags: [Int32]
    private let attributes: [AttributeTerm]
    private let owner: PersonID?
    private let isPlaced: Bool
    private let reader: PersonID?
    private(set) var signature = SignatureFilter()

    /// Compiles a filter; nil if nothing can match because no place has the words.
    init?(_ conditions: PlaceConditions, _ words: Vocabulary) {
        kind = conditions.kind.flatMap(words.term(folded:))
        categories = conditions.categories.compactMap(words.term(folded:))
        tags = conditions.tags.compactMap(words.term(folded:))
        attributes = conditions.attributes
        owner = conditions.owner
        isPlaced = conditions.isPlaced
        reader = conditions.reader
        if conditions.kind != nil {
            guard let kind else { return nil }
            signature.demand(anyOf: PlaceSignature.bit(ofKind: kind))
        }
        if !conditions.categories.isEmpty {
            guard !categories.isEmpty else { return nil }
            signature.demand(anyOf: categories.reduce(0) { $0 | PlaceSignature.bit(ofCategory: $1) })
        }
        if !conditions.tags.isEmpty {
            guard !tags.isEmpty else { return nil }
            signature.demand(anyOf: tags.reduce(0) { $0 | PlaceSignature.bit(ofTag: $1) })
        }
    }

    /// Whether every place matches.
    var isAny: Bool {
        kind == nil && categories.isEmpty && tags.isEmpty && attributes.isEmpty && owner == nil && !isPlaced
            && reader == nil
    }

    /// Whether a place matches; `steps` grows by the work done (``WorkBudget``).
    func match(_ entry: PlaceIndex.Entry, _ steps: inout Int) -> Bool {
        if let kind, entry.kind != kind { return false }
        if !categories.isEmpty, !(entry.category.map(categories.contains) ?? false) { return false }
        if !tags.isEmpty {
            steps += entry.tags.count * tags.count / 200
            guard entry.tags.contains(where: tags.contains) else { return false }
        }
        if isPlaced, entry.record.value.coordinate == nil { return false }
        guard !attributes.isEmpty || owner != nil || reader != nil else { return true }
        let place = entry.record.value
        guard owner.map({ $0 == place.owner }) ?? true else { return false }
        if let reader, let owner = place.owner, owner != reader { return false }
        return attributes.allSatisfy { $0.match(place.attributes, &steps) }
    }
}
