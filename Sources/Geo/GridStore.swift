/// A growable store of numbered values in one block of memory, which reuses the numbers of removed values, last first.
///
/// `Value` must be trivial: copying its bytes copies it.
struct GridStore<Value: ~Copyable>: ~Copyable {
    private var base: UnsafeMutablePointer<Value>
    private var capacity: Int
    private var used = 0
    private var free: [Int32] = []

    init() {
        capacity = 8
        base = .allocate(capacity: capacity)
    }

    private init(copying other: borrowing GridStore) {
        capacity = other.capacity
        used = other.used
        free = other.free
        base = .allocate(capacity: capacity)
        UnsafeMutableRawPointer(base).copyMemory(from: other.base, byteCount: used * MemoryLayout<Value>.stride)
    }

    deinit { base.deallocate() }

    /// A copy with the same bytes under the same numbers.
    func copy() -> GridStore { GridStore(copying: self) }

    var count: Int { used - free.count }
    var bytes: Int { capacity * MemoryLayout<Value>.stride }

    /// The address of a value, valid until the next ``insert(_:)``.
    func pointer(_ number: Int32) -> UnsafeMutablePointer<Value> { base + Int(number) }

    mutating func insert(_ value: consuming Value) -> Int32 {
        if let number = free.popLast() {
            (base + Int(number)).initialize(to: value)
            return number
        }
        if used == capacity { grow() }
        (base + used).initialize(to: value)
        used += 1
        return Int32(used - 1)
    }

    private mutating func grow() {
        let larger = UnsafeMutablePointer<Value>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: base, count: used)
        base.deallocate()
        base = larger
        capacity *= 2
    }

    mutating func remove(_ number: Int32) { free.append(number) }

    /// Calls `body` with every value.
    func forEach(_ body: (UnsafeMutablePointer<Value>) -> Void) {
        let unused = Set(free)
        for number in 0..<used where !unused.contains(Int32(number)) { body(base + number) }
    }
}

extension GridStore {
    subscript(number: Int32) -> Value { base[Int(number)] }
}
