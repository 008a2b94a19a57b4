/// A bit set of small numbers.
package struct NumberSet: Sendable {
    private var words: [UInt64] = []

    package init() {}

    package init(_ numbers: some Sequence<Int32>) {
        for number in numbers { insert(number) }
    }

    /// One more than the greatest number that it has room for.
    package var width: Int { words.count << 6 }
    package var isEmpty: Bool { words.allSatisfy { $0 == 0 } }
    package var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    @inline(__always)
    package func contains(_ number: Int32) -> Bool {
        let word = Int(number >> 6)
        return word < words.count && words[word] & 1 << UInt64(number & 63) != 0
    }

    package mutating func insert(_ number: Int32) {
        let word = Int(number >> 6)
        if word >= words.count { words.append(contentsOf: repeatElement(0, count: word + 1 - words.count)) }
        words[word] |= 1 << UInt64(number & 63)
    }

    package mutating func formIntersection(_ other: NumberSet) {
        if words.count > other.words.count { words.removeLast(words.count - other.words.count) }
        for word in words.indices { words[word] &= other.words[word] }
    }

    /// The numbers, in order.
    package var numbers: [Int32] {
        var numbers: [Int32] = []
        for (position, word) in words.enumerated() {
            var left = word
            while left != 0 {
                numbers.append(Int32(position << 6 + left.trailingZeroBitCount))
                left &= left - 1
            }
        }
        return numbers
    }
}
