/// External ids and the dense handles that stand for them in the index.
///
/// A handle is never used for another id, so that one that outlived its entity finds nothing instead of a stranger.
public struct Identifiers: Sendable {
    private var names: ContiguousArray<String> = []
    private var handles: [String: Int32] = [:]

    /// No ids; the first one gets the handle 0.
    public init() {}

    /// Makes room for so many ids.
    public mutating func reserveCapacity(_ count: Int) {
        names.reserveCapacity(count)
        handles.reserveCapacity(count)
    }

    /// The number of ids that have a handle.
    public var count: Int { handles.count }

    /// One more than the greatest handle ever given.
    public var handleLimit: Int { names.count }

    /// The handle of an id, nil if it has none.
    public subscript(_ id: String) -> Int32? { handles[id] }

    /// The id that a handle was given to; of a released handle, the id that it had.
    public func id(of handle: Int32) -> String { names[Int(handle)] }

    /// Gives an id its handle, the next one free, or returns the one it has.
    public mutating func insert(_ id: String) -> Int32 {
        if let handle = handles[id] { return handle }
        let handle = Int32(names.count)
        names.append(id)
        handles[id] = handle
        return handle
    }

    /// Gives an id the handle that it had in an earlier run.
    ///
    /// - Precondition: `handle` is beyond all those given before, and `id` has none.
    public mutating func insert(_ id: String, as handle: Int32) {
        precondition(Int(handle) >= names.count && handles[id] == nil, "handles are restored once and in order")
        names.append(contentsOf: repeatElement("", count: Int(handle) - names.count))
        names.append(id)
        handles[id] = handle
    }

    /// Forgets an id; its handle stays unused.
    @discardableResult
    public mutating func remove(_ id: String) -> Int32? { handles.removeValue(forKey: id) }

    /// Whether one entity's id sorts before another's, by their UTF-8 bytes.
    func precedes(_ a: Int32, _ b: Int32) -> Bool { Self.precedes(names[Int(a)], names[Int(b)]) }

    static func precedes(_ a: String, _ b: String) -> Bool { a.utf8.lexicographicallyPrecedes(b.utf8) }
}
