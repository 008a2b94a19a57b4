internal import Algorithms
internal import Geo

/// A set of numbers kept in order: small, compact, quick to search.
package struct SortedNumbers: Sendable, Equatable {
    package private(set) var numbers: [Int32] = []

    package init() {}

    package var isEmpty: Bool { numbers.isEmpty }
    package var count: Int { numbers.count }

    package func contains(_ number: Int32) -> Bool {
        let position = numbers.position(of: number)
        return position < numbers.count && numbers[position] == number
    }

    package mutating func insert(_ number: Int32) {
        if numbers.last.map({ $0 < number }) ?? true { return numbers.append(number) }
        let position = numbers.position(of: number)
        guard position == numbers.count || numbers[position] != number else { return }
        countMoving(from: position)
        numbers.insert(number, at: position)
    }

    package mutating func remove(_ number: Int32) {
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
    package func before(_ number: Int32?) -> ArraySlice<Int32> {
        numbers.prefix(number.map { numbers.position(of: $0) } ?? numbers.count)
    }
}

extension Array where Element: Comparable {
    /// Where an element stands or would stand in a sorted array.
    ///
    /// - Complexity: O(log n).
    package func position(of element: Element) -> Int {
        partitioningIndex { $0 >= element }
    }
}
