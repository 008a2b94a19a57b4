/// The entities of one leaf cell, in columns: what a query reads lies together and is compared four at a time.
///
/// Earth-centred coordinates are held in 1/128 m, so that a difference of any two fits in 32 bits.
struct GridLeaf {
    /// Where each column starts, in bytes for each entity of capacity.
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

    /// How many entities the columns have room for at least: the four that are compared at a time.
    private static let step: Int32 = 4

    /// How many entities the columns grow or shrink by: a little, or in the rare leaf that holds very many at one spot so
    /// much that they are seldom moved.
    private static func step(_ capacity: Int32) -> Int32 { capacity < 64 ? step : capacity / 4 & ~3 }
    /// The handle of a place in the columns that holds nobody.
    static let nobody: Int32 = -1

    private(set) var block: UnsafeMutableRawPointer
    private(set) var count: Int32 = 0
    private(set) var capacity: Int32
    /// The node this leaf hangs in, its first slot there, and the log2 of the slots it spans along each side (0...3).
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

    /// A leaf with the same entities in memory of its own.
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

    /// The bytes that the columns occupy.
    var bytes: Int { Int(capacity) * Column.stride }

    func place(_ row: Int) -> Coordinate {
        Coordinate(stored: latitudes[row], longitudes[row])
    }

    /// Where an entity stands in the columns.
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

    /// Takes an entity out; the last one comes to stand in its row.
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

    /// Rows beyond the count are compared too and must be recognisable.
    private func clearHandles(from row: Int) {
        for row in row..<Int(capacity) {
            xs[row] = 0
            ys[row] = 0
            zs[row] = 0
            handles[row] = Self.nobody
        }
    }
}

/// An entity as a leaf holds it.
struct GridEntity {
    var handle: Int32
    var place: Coordinate
    /// Earth-centred, in 1/128 m.
    var point: SIMD3<Int32>
    var signature: UInt64

    /// Steps of ``point`` in a metre.
    static let stepsPerMetre = 128.0

    static func quantized(_ point: EarthCentred) -> SIMD3<Int32> {
        SIMD3(
            Int32((point.x * stepsPerMetre).rounded()), Int32((point.y * stepsPerMetre).rounded()),
            Int32((point.z * stepsPerMetre).rounded()))
    }
}
