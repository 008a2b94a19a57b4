internal import Geo
internal import Model

/// A condition on an attribute of a place, a product or a person.
///
/// A text that is written as a number also matches as that number, because tables contain only texts.
public struct AttributeFilter: Hashable, Sendable {
    /// The attribute's name, compared exactly.
    public var name: String
    /// The accepted values, of which the attribute must be or (as a list) contain one; empty for any.
    public var values: [String] = []
    /// Bounds for the attribute's number.
    public var bounds: [Bound] = []

    /// A bound of a number.
    public enum Bound: Hashable, Sendable {
        case atLeast(Double), above(Double), atMost(Double), below(Double)
    }

    /// A filter for an attribute with any value.
    public init(name: String) { self.name = name }

    /// Parses a number in JSON notation, to the precision of a double, in which attributes are stored; nil for any
    /// other text.
    public static func number(_ text: String) -> Double? {
        let first = text.utf8.first { $0 != UInt8(ascii: "-") }
        guard let first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return nil }
        return text.decimalNumber
    }
}

/// A compiled attribute filter.
struct AttributeTerm: Sendable {
    let name: String
    private let texts: Set<String>
    private let numbers: Set<Double>
    private let flags: Set<Bool>
    private let isAny: Bool
    private let bounds: [AttributeFilter.Bound]

    /// A filter for an attribute with one of some values.
    init(_ name: String, _ values: [String]) {
        var filter = AttributeFilter(name: name)
        filter.values = values
        self.init(filter)
    }

    init(_ filter: AttributeFilter) {
        name = filter.name
        isAny = filter.values.isEmpty
        texts = Set(filter.values.map(PlainText.of))
        numbers = Set(filter.values.compactMap(AttributeFilter.number))
        flags = Set(filter.values.compactMap { Bool($0) })
        bounds = filter.bounds
    }

    /// Whether attributes match; `steps` grows by the work done (``WorkBudget``).
    func match(_ attributes: [String: AttributeValue], _ steps: inout Int) -> Bool {
        steps += 5
        guard let value = attributes[name] else { return false }
        steps += value.steps
        return (isAny || isWanted(value)) && isWithin(value)
    }

    private func isWanted(_ value: AttributeValue) -> Bool {
        switch value {
        case .number(let number): numbers.contains(number)
        case .flag(let flag): flags.contains(flag)
        case .text(let text): isWanted(text)
        case .list(let list): list.contains(where: isWanted)
        }
    }

    private func isWanted(_ text: String) -> Bool {
        if texts.contains(PlainText.of(text)) { return true }
        return !numbers.isEmpty && AttributeFilter.number(text).map(numbers.contains) ?? false
    }

    private func isWithin(_ value: AttributeValue) -> Bool {
        guard !bounds.isEmpty else { return true }
        guard let number = value.number else { return false }
        return bounds.allSatisfy { bound in
            switch bound {
            case .atLeast(let least): number >= least
            case .above(let least): number > least
            case .atMost(let most): number <= most
            case .below(let most): number < most
            }
        }
    }
}

extension AttributeValue {
    /// The work units of folding the value's texts (``WorkBudget``).
    var steps: Int {
        switch self {
        case .number, .flag: 0
        case .text(let text): text.utf8.count / 8
        case .list(let texts): texts.reduce(texts.count) { $0 + $1.utf8.count / 8 }
        }
    }

    /// The value as a number, also parsed from a text.
    var number: Double? {
        switch self {
        case .number(let number): number
        case .text(let text): AttributeFilter.number(text)
        case .flag, .list: nil
        }
    }
}
