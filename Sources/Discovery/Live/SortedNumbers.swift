internal import Geo
internal import Structures

/// A set of numbers kept in order: small, compact, quick to search.
struct SortedNumbers<Number: Comparable & Sendable>: Sendable, Equatable {
    private(set) var numbers: [Number] = []

    init() {}

    var isEmpty: Bool { numbers.isEmpty }
    var count: Int { numbers.count }

    func contains(_ number: Number) -> Bool {
        let position = numbers.position(of: number)
        return position < numbers.count && numbers[position] == number
    }

    mutating func insert(_ number: Number) {
        if numbers.last.map({ $0 < number }) ?? true { return numbers.append(number) }
        let position = numbers.position(of: number)
        guard position == numbers.count || numbers[position] != number else { return }
        countMoving(from: position)
        numbers.insert(number, at: position)
    }

    mutating func remove(_ number: Number) {
        let position = numbers.position(of: number)
        guard position < numbers.count, numbers[position] == number else { return }
        countMoving(from: position)
        numbers.remove(at: position)
    }

    /// A kilobyte is moved in a step.
    private func countMoving(from position: Int) {
        let steps = (numbers.count - position) / 256
        if steps > 0 { Effort.count(steps) }
    }

    /// The numbers before one, or all for nil.
    func before(_ number: Number?) -> ArraySlice<Number> {
        numbers.prefix(number.map { numbers.position(of: $0) } ?? numbers.count)
    }
}
