/// A value in memory of its own, which counts as one field of the type that owns it.
///
/// The compiler checks each use of a noncopyable value against all its fields, nested ones included. ``LiveState`` has
/// hundreds: with three of its parts in boxes the checks of this module take 20 s instead of 190.
struct UniqueBox<Value: ~Copyable>: ~Copyable {
    private let memory: UnsafeMutablePointer<Value>

    init(_ value: consuming Value) {
        memory = .allocate(capacity: 1)
        memory.initialize(to: value)
    }

    deinit {
        memory.deinitialize(count: 1)
        memory.deallocate()
    }

    var value: Value {
        @inline(__always) _read { yield memory.pointee }
        @inline(__always) _modify { yield &memory.pointee }
    }
}

extension UniqueBox: @unchecked Sendable where Value: Sendable & ~Copyable {}  // Only mutation writes its memory.
