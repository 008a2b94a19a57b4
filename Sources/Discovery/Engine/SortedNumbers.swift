internal import Algorithms
internal import Geo

/// A sorted array set: small, compact, and searched in O(log n).
struct SortedNumbers<Element: Comparable & Sendable>: Sendable, Equatable {
    private(set) var numbers: [Element] = []

    init() {}

    var isEmpty: Bool { numbers.isEmpty }
    var count: Int { numbers.count }

    /// The heap memory in bytes.
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

    /// Removes all numbers from `number` on.
    mutating func removeAll(from number: Element) {
        let position = numbers.partitioningIndex { $0 >= number }
        numbers.removeLast(numbers.count - position)
    }

    /// Counts a work unit for each kilobyte that is moved.
    private func countMoving(from position: Int) {
        let steps = (numbers.count - position) / 256
        if steps > 0 { WorkBudget.count(steps) }
    }

    /// The numbers greater than or equal to `number`.
    func from(_ number: Element) -> ArraySlice<Element> {
        let position = numbers.partitioningIndex { $0 >= number }
        return numbers[position...]
    }

    /// The numbers less than `number`, or all for nil.
    func before(_ number: Element?) -> ArraySlice<Element> {
        numbers.prefix(number.map { end in numbers.partitioningIndex { $0 >= end } } ?? numbers.count)
    }
}
