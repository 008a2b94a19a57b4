internal import Geo
internal import Model

/// The sizes of a range such as `36-42` or `S-XL`.
enum SizeRange {
    /// The greatest number at the end of a range; greater ones are double sizes such as `98-104`.
    private static let greatest = 60.0

    /// The sizes from one end to the other, in steps of a half if one end is a half.
    ///
    /// - Parameter ends: the parts of a size between dashes.
    /// - Returns: the size itself if it is no range; empty if the range is not understood.
    static func sizes(_ ends: [String]) -> [String] {
        let whole = [ends.joined(separator: "-")]
        guard ends.count > 1 else { return whole }
        let numbers = ends.compactMap(\.decimalNumber)
        if numbers.count == ends.count {
            guard ends.count == 2, numbers[0] < numbers[1] else { return [] }
            return numbers[1] > greatest ? whole : halves(numbers[0] * 2, numbers[1] * 2)
        }
        let steps = ends.compactMap(step)
        guard steps.count == ends.count else { return whole }
        guard ends.count == 2, steps[0] < steps[1] else { return [] }
        let isCounted = ends.contains { $0.first?.isNumber ?? false }
        return (steps[0]...steps[1]).map { letters($0, isCounted) }
    }

    private static func halves(_ first: Double, _ last: Double) -> [String] {
        guard let first = Int(exactly: first), let last = Int(exactly: last), last - first <= 60 else { return [] }
        let step = first % 2 == 0 && last % 2 == 0 ? 2 : 1
        return stride(from: first, through: last, by: step).map { $0 % 2 == 0 ? "\($0 / 2)" : "\($0 / 2).5" }
    }

    /// The place of a size in letters, as steps from M; nil for another text.
    static func step(_ size: String) -> Int? {
        if size == "M" { return 0 }
        guard let match = size.wholeMatch(of: Patterns.letters) else { return nil }
        let crosses = match.1.flatMap { Int($0) } ?? match.2?.count ?? 0
        return match.3 == "S" ? -1 - crosses : 1 + crosses
    }

    private static func letters(_ step: Int, _ isCounted: Bool) -> String {
        guard step != 0 else { return "M" }
        let crosses = abs(step) - 1
        let prefix = isCounted && crosses > 1 ? "\(crosses)X" : String(repeating: "X", count: crosses)
        return prefix + (step < 0 ? "S" : "L")
    }
}

private enum Patterns {
    static let letters = Pattern(#/(?:([2-9])X|(X{0,5}))([SL])/#)
}
