internal import Model

/// A bit set of small numbers.
struct NumberSet<Thing>: Sendable {
    private var words: [UInt64] = []

    init() {}

    init(_ numbers: some Sequence<Number<Thing>>) {
        for number in numbers { insert(number) }
    }

    /// One more than the greatest number within the capacity.
    var width: Int { words.count << 6 }
    var isEmpty: Bool { words.allSatisfy { $0 == 0 } }
    var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    @inline(__always)
    func contains(_ number: Number<Thing>) -> Bool {
        let word = Int(number.rawValue >> 6)
        return word < words.count && words[word] & 1 << UInt64(number.rawValue & 63) != 0
    }

    mutating func insert(_ number: Number<Thing>) {
        let word = Int(number.rawValue >> 6)
        if word >= words.count { words.append(contentsOf: repeatElement(0, count: word + 1 - words.count)) }
        words[word] |= 1 << UInt64(number.rawValue & 63)
    }

    mutating func remove(_ number: Number<Thing>) {
        guard contains(number) else { return }
        words[Int(number.rawValue >> 6)] &= ~(1 << UInt64(number.rawValue & 63))
    }

    /// The greatest member less than `number`, or of all for nil; nil for none.
    ///
    /// - Complexity: O(length of the gap / 64).
    func last(before number: Number<Thing>?) -> Number<Thing>? {
        let end = min(number.map { Int($0) } ?? width, width)
        guard end > 0 else { return nil }
        var word = (end - 1) >> 6
        var left = words[word] & (UInt64.max >> UInt64(63 - ((end - 1) & 63)))
        while left == 0 {
            guard word > 0 else { return nil }
            word -= 1
            left = words[word]
        }
        return Number(word << 6 + 63 - left.leadingZeroBitCount)
    }

    mutating func formIntersection(_ other: NumberSet) {
        if words.count > other.words.count { words.removeLast(words.count - other.words.count) }
        for word in words.indices { words[word] &= other.words[word] }
    }

    /// The members, in ascending order.
    var numbers: [Number<Thing>] {
        var numbers: [Number<Thing>] = []
        for (position, word) in words.enumerated() {
            var left = word
            while left != 0 {
                numbers.append(Number(position << 6 + left.trailingZeroBitCount))
                left &= left - 1
            }
        }
        return numbers
    }
}
