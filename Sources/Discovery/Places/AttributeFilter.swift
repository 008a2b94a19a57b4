internal import Geo
internal import Model

/// What an attribute of a place must be.
///
/// A text that is written as a number counts as that number too, because tables have nothing but texts.
public struct AttributeFilter: Hashable, Sendable {
    /// The name of the attribute, to the letter.
    public var name: String
    /// Values of which the attribute must be one, or hold one if it is a list; empty for any.
    public var values: [String] = []
    /// Numbers between which the attribute must lie.
    public var bounds: [Bound] = []

    /// One end of a range of numbers.
    public enum Bound: Hashable, Sendable {
        case atLeast(Double), above(Double), atMost(Double), below(Double)
    }

    /// An attribute of a name that may be anything.
    public init(name: String) { self.name = name }

    /// The number that is written here as JSON writes numbers, to the precision of a double, in which attributes are kept; nil
    /// for anything else.
    public static func number(_ text: String) -> Double? {
        let first = text.utf8.first { $0 != UInt8(ascii: "-") }
        guard let first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return nil }
        return text.decimalNumber
    }
}

/// A filter of one attribute with its values read.
struct AttributeTerm: Sendable {
    private let name: String
    private let texts: Set<String>
    private let numbers: Set<Double>
    private let flags: Set<Bool>
    private let isAny: Bool
    private let bounds: [AttributeFilter.Bound]

    /// That an attribute has one of some values.
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

    /// Whether attributes have what is asked for; `steps` grows by what it took (``Effort``).
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
    /// What it takes to fold the value's texts (``Effort``).
    var steps: Int {
        switch self {
        case .number, .flag: 0
        case .text(let text): text.utf8.count / 8
        case .list(let texts): texts.reduce(texts.count) { $0 + $1.utf8.count / 8 }
        }
    }

    /// The number that the value is, or that its text is written as.
    var number: Double? {
        switch self {
        case .number(let number): number
        case .text(let text): AttributeFilter.number(text)
        case .flag, .list: nil
        }
    }
}
