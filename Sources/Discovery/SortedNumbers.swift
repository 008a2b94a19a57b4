/// A set of numbers kept in order: small, compact, quick to search.
struct SortedNumbers: Sendable, Equatable {
    private(set) var numbers: [Int32] = []

    var isEmpty: Bool { numbers.isEmpty }
    var count: Int { numbers.count }

    func contains(_ number: Int32) -> Bool {
        let position = position(of: number)
        return position < numbers.count && numbers[position] == number
    }

    mutating func insert(_ number: Int32) {
        if numbers.last.map({ $0 < number }) ?? true { return numbers.append(number) }
        let position = position(of: number)
        if position == numbers.count || numbers[position] != number { numbers.insert(number, at: position) }
    }

    mutating func remove(_ number: Int32) {
        let position = position(of: number)
        if position < numbers.count, numbers[position] == number { numbers.remove(at: position) }
    }

    /// The numbers before one, or all for nil.
    func before(_ number: Int32?) -> ArraySlice<Int32> {
        numbers.prefix(number.map { position(of: $0) } ?? numbers.count)
    }

    /// Where a number stands or would stand.
    private func position(of number: Int32) -> Int {
        var low = 0
        var high = numbers.count
        while low < high {
            let middle = (low + high) / 2
            if numbers[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
