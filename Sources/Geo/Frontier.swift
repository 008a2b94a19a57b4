/// The cells to search, nearest first: a binary heap of (squared lower bound in m², child).
struct Frontier: ~Copyable {
    /// A capacity that suffices for most searches.
    static let room = 128

    private var base: UnsafeMutablePointer<UInt64>
    private var capacity: Int
    private var count = 0
    private var isOwner = false

    /// Creates a frontier in memory that the caller owns and that must outlive it.
    init(_ room: UnsafeMutableBufferPointer<UInt64>) {
        guard let start = room.baseAddress else { preconditionFailure("there is room") }
        base = start
        capacity = room.count
    }

    deinit { if isOwner { base.deallocate() } }

    var isEmpty: Bool { count == 0 }

    /// A lower bound of the squared distances in the frontier, in m²; infinite if it is empty.
    @inline(__always)
    var nearest: Double { count == 0 ? .infinity : Self.bound(base[0]) }

    /// Positive floating-point numbers sort as their bit patterns do.
    ///
    /// The bound is rounded down, never up.
    @inline(__always)
    mutating func insert(_ child: Int32, squaredBound: Double) {
        if count == capacity { grow() }
        let bound = max(0, Float(squaredBound).nextDown)
        let item = UInt64(bound.bitPattern) << 32 | UInt64(UInt32(bitPattern: child))
        var position = count
        count += 1
        while position > 0 {
            let above = (position - 1) / 2
            guard item < base[above] else { break }
            base[position] = base[above]
            position = above
        }
        base[position] = item
    }

    private static func bound(_ item: UInt64) -> Double { Double(Float(bitPattern: UInt32(item >> 32))) }

    /// Removes and returns the nearest cell.
    ///
    /// - Precondition: the frontier is not empty.
    @inline(__always)
    mutating func removeNearest() -> (child: Int32, squaredBound: Double) {
        let first = base[0]
        count -= 1
        let item = base[count]
        var position = 0
        while true {
            var below = 2 * position + 1
            guard below < count else { break }
            if below + 1 < count, base[below + 1] < base[below] { below += 1 }
            guard base[below] < item else { break }
            base[position] = base[below]
            position = below
        }
        base[position] = item
        return (Int32(bitPattern: UInt32(truncatingIfNeeded: first)), Self.bound(first))
    }

    private mutating func grow() {
        let larger = UnsafeMutablePointer<UInt64>.allocate(capacity: capacity * 2)
        larger.update(from: base, count: count)
        if isOwner { base.deallocate() }
        base = larger
        isOwner = true
        capacity *= 2
    }
}
