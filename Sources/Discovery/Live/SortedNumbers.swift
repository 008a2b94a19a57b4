internal import Algorithms
internal import Geo

/// A set of numbers kept in order: small, compact, quick to search.
struct SortedNumbers<Element: Comparable & Sendable>: Sendable, Equatable {
    private(set) var numbers: [Element] = []

    init() {}

    var isEmpty: Bool { numbers.isEmpty }
    var count: Int { numbers.count }

    /// The bytes of memory beside itself.
    var bytes: Int { numbers.capacity == 0 ? 0 : 32 + numbers.capacity * MemoryLayout<Element>.stride }

    func contains(_ number: Element) -> Bool {
        let position = numbers.partitioningIndex { $0 >= number }
        return position < numbers.count && numbers[position] == number
    }

    mutating func insert(_ number: Element) {
        if numbers.last.map({ $0 < number }) ?? true { return numbers.append(number) }
        let position = numbers.partitioningIndex { $0 >= number }
        guard position == numbers.count || numbers[position] != number else { return }
        countMoving(from: position)
        numbers.insert(number, at: position)
    }

    mutating func remove(_ number: Element) {
        let position = numbers.partitioningIndex { $0 >= number }
        guard position < numbers.count, numbers[position] == number else { return }
        countMoving(from: position)
        numbers.remove(at: position)
    }

    /// Takes out all numbers from one on.
    mutating func removeAll(from number: Element) {
        let position = numbers.partitioningIndex { $0 >= number }
        numbers.removeLast(numbers.count - position)
    }

    /// A kilobyte is moved in a step.
    private func countMoving(from position: Int) {
        let steps = (numbers.count - position) / 256
        if steps > 0 { Effort.count(steps) }
    }

    /// The numbers from one on.
    func from(_ number: Element) -> ArraySlice<Element> {
        let position = numbers.partitioningIndex { $0 >= number }
        return numbers[position...]
    }

    /// The numbers before one, or all for nil.
    func before(_ number: Element?) -> ArraySlice<Element> {
        numbers.prefix(number.map { end in numbers.partitioningIndex { $0 >= end } } ?? numbers.count)
    }
}
