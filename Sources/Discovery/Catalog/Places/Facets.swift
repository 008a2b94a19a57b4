internal import Model

/// A facet value with its count.
public struct FacetValue: Hashable, Sendable {
    /// The type of a facet value.
    public enum Content: Hashable, Sendable {
        case number(Double), flag(Bool), text(String)
    }

    /// The value, in the spelling of the first match.
    public var content: Content
    /// The number of matches with this value.
    public var count: Int
    /// For a currency, the range of recommended prices in minor units.
    public var prices: ClosedRange<Int64>?

    init(_ content: Content, count: Int, prices: ClosedRange<Int64>? = nil) {
        self.content = content
        self.count = count
        self.prices = prices
    }
}

/// The values of one facet.
public struct FacetValues: Sendable {
    /// The attribute of an attribute facet.
    public struct Attribute: Sendable {
        /// The number of matches with the attribute.
        public var count: Int
        /// The range of its numbers; nil if it has none.
        public var numbers: ClosedRange<Double>?
    }

    /// The facet's name, which is the parameter that filters by it.
    public var name: String
    /// The values by descending count; ties by size, or in byte order.
    public var values: [FacetValue]
    /// Whether `values` is incomplete.
    public var hasMore: Bool
    /// The attribute, for an attribute facet.
    public var attribute: Attribute?

    /// The `limit` most frequent of some values.
    init(_ name: String, _ values: [FacetValue], limit: Int) {
        self.name = name
        let sorted = values.sorted { a, b in a.count == b.count ? a.content < b.content : a.count > b.count }
        self.values = Array(sorted.prefix(limit))
        hasMore = sorted.count > limit
    }
}

/// The facets of the records that match a filter.
public struct FacetCounts: Sendable {
    /// The number of matches.
    public var count: Int
    /// The requested facets.
    public var facets: [FacetValues]
    /// The names of incomplete facets, and `attr` for omitted attributes.
    public var more: [String]
    /// Whether the scan limit was reached before all matches were counted.
    public var isTruncated: Bool

    init(_ count: Int, _ facets: [FacetValues], more: [String] = [], isTruncated: Bool = false) {
        self.count = count
        self.facets = facets
        self.more = facets.filter(\.hasMore).map(\.name) + more
        self.isTruncated = isTruncated
    }
}

/// The number of matches per word, ignoring case and accents.
struct WordFacet: Sendable {
    /// The first spelling and the count, by the word's number.
    private var counts: [Int32: (spelling: String, count: Int)] = [:]

    /// Counts a record with a word.
    mutating func add(_ term: Int32, _ spelling: @autoclosure () -> String) {
        counts[term, default: (spelling(), 0)].count += 1
    }

    var values: [FacetValue] { counts.values.map { FacetValue(.text($0.spelling), count: $0.count) } }
}

/// The number of records with an attribute, by value.
struct AttributeFacet: Sendable {
    /// The maximum number of distinct values; an attribute with more is free text or a measure, and gets no counts.
    private static let mostValues = 1000

    private var count = 0
    private var numbers: ClosedRange<Double>?
    private var counts: [FacetValue.Content: (spelling: FacetValue.Content, count: Int)] = [:]
    private var hasTooMany = false

    /// Counts a record with these distinct values.
    mutating func add(_ values: [FacetValue.Content]) {
        count += 1
        for value in values {
            if case .number(let number) = value {
                numbers = min(numbers?.lowerBound ?? number, number)...max(numbers?.upperBound ?? number, number)
            }
            guard !hasTooMany else { continue }
            counts[value.folded, default: (value, 0)].count += 1
            if counts.count > Self.mostValues {
                hasTooMany = true
                counts = [:]
            }
        }
    }

    /// The facet; without values if there are too many distinct ones.
    func values(_ name: String, limit: Int) -> FacetValues {
        var facet = FacetValues(name, counts.values.map { FacetValue($0.spelling, count: $0.count) }, limit: limit)
        if hasTooMany { facet.hasMore = true }
        facet.attribute = FacetValues.Attribute(count: count, numbers: numbers)
        return facet
    }
}

extension FacetValue.Content: Comparable {
    /// The value in the normal form by which filters compare it.
    fileprivate var folded: Self {
        if case .text(let text) = self { .text(PlainText.of(text)) } else { self }
    }

    /// Orders numbers by size, then false and true, then texts by their bytes.
    public static func < (a: Self, b: Self) -> Bool {
        switch (a, b) {
        case (.number(let a), .number(let b)): a < b
        case (.flag(let a), .flag(let b)): !a && b
        case (.text(let a), .text(let b)): a.utf8.lexicographicallyPrecedes(b.utf8)
        case (.number, _), (.flag, .text): true
        case (.flag, .number), (.text, _): false
        }
    }
}
