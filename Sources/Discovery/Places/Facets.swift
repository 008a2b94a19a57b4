internal import Model

/// A value that some things carry.
public struct FacetValue: Hashable, Sendable {
    /// What a value is.
    public enum Content: Hashable, Sendable {
        case number(Double), flag(Bool), text(String)
    }

    /// As the thing has it that was counted first.
    public var content: Content
    /// How many things carry it.
    public var count: Int
    /// Of a currency the least and the greatest recommended price, in minor units.
    public var prices: ClosedRange<Int64>?

    /// A value that so many things carry.
    init(_ content: Content, count: Int, prices: ClosedRange<Int64>? = nil) {
        self.content = content
        self.count = count
        self.prices = prices
    }
}

/// The values of one facet.
public struct FacetValues: Sendable {
    /// An attribute that has a facet.
    public struct Attribute: Sendable {
        /// How many things have it.
        public var count: Int
        /// The least and the greatest of its numbers; nil if it has none.
        public var numbers: ClosedRange<Double>?
    }

    /// Named as the parameter that filters by it.
    public var name: String
    /// The most frequent first; equally frequent ones by size, or in the order of their bytes.
    public var values: [FacetValue]
    /// Whether there are more.
    public var hasMore: Bool
    /// Of an attribute's values the attribute.
    public var attribute: Attribute?

    /// The first of some values.
    init(_ name: String, _ values: [FacetValue], limit: Int) {
        self.name = name
        let sorted = values.sorted { a, b in a.count == b.count ? a.content < b.content : a.count > b.count }
        self.values = Array(sorted.prefix(limit))
        hasMore = sorted.count > limit
    }
}

/// What things that match a filter can be narrowed down by.
public struct FacetCounts: Sendable {
    /// How many things match.
    public var count: Int
    /// What was asked for of them.
    public var facets: [FacetValues]
    /// What there are more of than is told: facets, or attributes at all.
    public var more: [String]
    /// Whether so many things were looked at that not all were counted.
    public var isTruncated: Bool

    /// Facets of so many things.
    init(_ count: Int, _ facets: [FacetValues], more: [String] = [], isTruncated: Bool = false) {
        self.count = count
        self.facets = facets
        self.more = facets.filter(\.hasMore).map(\.name) + more
        self.isTruncated = isTruncated
    }
}

/// How many things carry each word, whatever its capitals and accents.
struct WordFacet: Sendable {
    /// By the word's number: as it was written first, and how many have it.
    private var counts: [Int32: (spelling: String, count: Int)] = [:]

    /// Counts one thing that carries a word.
    mutating func add(_ term: Int32, _ spelling: @autoclosure () -> String) {
        counts[term, default: (spelling(), 0)].count += 1
    }

    var values: [FacetValue] { counts.values.map { FacetValue(.text($0.spelling), count: $0.count) } }
}

/// How many things have an attribute, and what it says.
struct AttributeFacet: Sendable {
    /// With more different values than this the attribute is a text or a measure, and its values are not counted.
    private static let mostValues = 1000

    private var count = 0
    private var numbers: ClosedRange<Double>?
    private var counts: [FacetValue.Content: (spelling: FacetValue.Content, count: Int)] = [:]
    private var hasTooMany = false

    /// Counts one thing that has these values, each at most once.
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

    /// No values where there are too many different ones.
    func values(_ name: String, limit: Int) -> FacetValues {
        var facet = FacetValues(name, counts.values.map { FacetValue($0.spelling, count: $0.count) }, limit: limit)
        if hasTooMany { facet.hasMore = true }
        facet.attribute = FacetValues.Attribute(count: count, numbers: numbers)
        return facet
    }
}

extension FacetValue.Content: Comparable {
    /// The value by which those are counted together that filters take for one.
    fileprivate var folded: Self {
        if case .text(let text) = self { .text(PlainText.of(text)) } else { self }
    }

    /// Numbers by size, then false and true, then texts by their bytes.
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
