/// How many things carry each word, whatever its capitals and accents.
public struct WordFacet: Sendable {
    /// By the word's number: as it was written first, and how many have it.
    private var counts: [Int32: (spelling: String, count: Int)] = [:]

    /// Counts nothing yet.
    public init() {}

    /// Counts one thing that carries a word.
    mutating func add(_ term: Int32, _ spelling: @autoclosure () -> String) {
        counts[term, default: (spelling(), 0)].count += 1
    }

    /// The words that most carry, most frequent first, equally frequent ones in their order.
    ///
    /// - Complexity: O(n log n) in the number of words.
    public func most(_ limit: Int) -> [(value: String, count: Int)] {
        counts.values.sorted { a, b in a.count == b.count ? a.spelling < b.spelling : a.count > b.count }
            .prefix(limit).map { ($0.spelling, $0.count) }
    }
}

/// How many things have an attribute, and what it says.
public struct AttributeFacet: Sendable {
    /// With more different values than this the attribute is a text or a measure, and its values are not counted.
    private static let mostValues = 1000

    /// A value that things can have in common.
    public enum Value: Hashable, Sendable {
        case number(Double), flag(Bool), text(String)
    }

    /// How many have it.
    public private(set) var count = 0
    /// The least and the greatest of its numbers; nil if it has none.
    public private(set) var numbers: ClosedRange<Double>?
    private var counts: [Value: (spelling: Value, count: Int)] = [:]
    private var hasTooMany = false

    /// Counts nothing yet.
    init() {}

    /// Counts one thing that has these values, each at most once.
    mutating func add(_ values: [Value]) {
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

    /// The values that most have, most frequent first, equally frequent ones in their order; none where there are too many
    /// different ones.
    public func most(_ limit: Int) -> [(value: Value, count: Int)] {
        counts.values.sorted { a, b in a.count == b.count ? a.spelling < b.spelling : a.count > b.count }
            .prefix(limit).map { ($0.spelling, $0.count) }
    }
}

extension AttributeFacet.Value: Comparable {
    /// The value by which those are counted together that filters take for one.
    fileprivate var folded: Self {
        if case .text(let text) = self { .text(Vocabulary.folded(text)) } else { self }
    }

    /// Numbers by size, then false and true, then texts.
    public static func < (a: Self, b: Self) -> Bool {
        switch (a, b) {
        case (.number(let a), .number(let b)): a < b
        case (.flag(let a), .flag(let b)): !a && b
        case (.text(let a), .text(let b)): a < b
        case (.number, _), (.flag, .text): true
        case (.flag, .number), (.text, _): false
        }
    }
}
