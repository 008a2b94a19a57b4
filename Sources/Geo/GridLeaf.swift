/// The entities of one leaf cell, in columns, which a query compares four at a time.
///
/// Earth-centered coordinates are integers in units of 1/128 m, so that the difference of any two fits in 32 bits.
struct GridLeaf {
    /// The offset of each column, in bytes for each entity of capacity.
    private enum Column {
        static let x = 0
        static let y = 4
        static let z = 8
        static let handle = 12
        static let latitude = 16
        static let longitude = 20
        static let signature = 24
        static let stride = 32
    }

    /// The minimum capacity: the four entities that are compared at a time.
    private static let step: Int32 = 4

    /// The number of entities by which the capacity changes: four, or a quarter in a rare leaf with very many entities
    /// at one spot, so that it is seldom reallocated.
    private static func step(_ capacity: Int32) -> Int32 { capacity < 64 ? step : capacity / 4 & ~3 }
    /// The handle of an unused row.
    static let nobody: Int32 = -1

    private(set) var block: UnsafeMutableRawPointer
    private(set) var count: Int32 = 0
    private(set) var capacity: Int32
    /// The parent node, the first slot there, and the log2 of the slots spanned along each side (0...3).
    var node: Int32
    var slot: UInt8
    var span: UInt8

    init(node: Int32, slot: UInt8, span: UInt8) {
        capacity = Self.step
        block = Self.allocate(capacity)
        self.node = node
        self.slot = slot
        self.span = span
        clearHandles(from: 0)
    }

    private static func allocate(_ capacity: Int32) -> UnsafeMutableRawPointer {
        .allocate(byteCount: Int(capacity) * Column.stride, alignment: 16)
    }

    func deallocate() { block.deallocate() }

    /// A deep copy.
    func copied() -> GridLeaf {
        var copy = self
        copy.block = Self.allocate(capacity)
        copy.block.copyMemory(from: block, byteCount: Int(capacity) * Column.stride)
        return copy
    }

    private func column<Value>(_ start: Int, of type: Value.Type) -> UnsafeMutablePointer<Value> {
        (block + start * Int(capacity)).assumingMemoryBound(to: type)
    }

    var xs: UnsafeMutablePointer<Int32> { column(Column.x, of: Int32.self) }
    var ys: UnsafeMutablePointer<Int32> { column(Column.y, of: Int32.self) }
    var zs: UnsafeMutablePointer<Int32> { column(Column.z, of: Int32.self) }
    var handles: UnsafeMutablePointer<Int32> { column(Column.handle, of: Int32.self) }
    var latitudes: UnsafeMutablePointer<Int32> { column(Column.latitude, of: Int32.self) }
    var longitudes: UnsafeMutablePointer<Int32> { column(Column.longitude, of: Int32.self) }
    var signatures: UnsafeMutablePointer<UInt64> { column(Column.signature, of: UInt64.self) }

    var bytes: Int { Int(capacity) * Column.stride }

    func place(_ row: Int) -> Coordinate {
        Coordinate(stored: latitudes[row], longitudes[row])
    }

    /// The row of an entity.
    ///
    /// - Complexity: O(count), which is a few dozen.
    func row(of handle: Int32) -> Int {
        let handles = handles
        for row in 0..<Int(count) where handles[row] == handle { return row }
        preconditionFailure("the entity's leaf holds it")
    }

    /// The union of all signatures.
    var signature: UInt64 {
        let signatures = signatures
        return (0..<Int(count)).reduce(0) { $0 | signatures[$1] }
    }

    func write(_ entity: GridEntity, at row: Int) {
        xs[row] = entity.point.x
        ys[row] = entity.point.y
        zs[row] = entity.point.z
        handles[row] = entity.handle
        latitudes[row] = entity.place.latitudeE7
        longitudes[row] = entity.place.longitudeE7
        signatures[row] = entity.signature
    }

    func entity(_ row: Int) -> GridEntity {
        GridEntity(
            handle: handles[row], place: place(row), point: SIMD3(xs[row], ys[row], zs[row]),
            signature: signatures[row])
    }

    mutating func append(_ entity: GridEntity) {
        if count == capacity { resize(capacity + Self.step(capacity)) }
        write(entity, at: Int(count))
        count += 1
    }

    /// Removes an entity by moving the last one into its row.
    mutating func remove(row: Int) {
        count -= 1
        if row != Int(count) { write(entity(Int(count)), at: row) }
        handles[Int(count)] = Self.nobody
        if count > 0, count + 2 * Self.step(capacity) <= capacity { resize(capacity - Self.step(capacity)) }
    }

    private mutating func resize(_ newCapacity: Int32) {
        let old = self
        block = Self.allocate(newCapacity)
        capacity = newCapacity
        let rows = Int(count)
        xs.update(from: old.xs, count: rows)
        ys.update(from: old.ys, count: rows)
        zs.update(from: old.zs, count: rows)
        handles.update(from: old.handles, count: rows)
        latitudes.update(from: old.latitudes, count: rows)
        longitudes.update(from: old.longitudes, count: rows)
        signatures.update(from: old.signatures, count: rows)
        clearHandles(from: rows)
        old.deallocate()
    }

    /// Rows beyond the count are compared too and must be recognizable.
    private func clearHandles(from row: Int) {
        for row in row..<Int(capacity) {
            xs[row] = 0
            ys[row] = 0
            zs[row] = 0
            handles[row] = Self.nobody
        }
    }
}

/// An entity as stored in a leaf.
struct GridEntity {
    var handle: Int32
    var place: Coordinate
    /// Earth-centered, in 1/128 m.
    var point: SIMD3<Int32>
    var signature: UInt64

    /// The number of ``point``'s units in a meter.
    static let stepsPerMetre = 128.0

    static func quantized(_ point: EarthCentred) -> SIMD3<Int32> {
        SIMD3(
            Int32((point.x * stepsPerMetre).rounded()), Int32((point.y * stepsPerMetre).rounded()),
            Int32((point.z * stepsPerMetre).rounded()))
    }
}
