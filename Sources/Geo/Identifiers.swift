/// A bidirectional map between external ids and the dense handles of an index.
///
/// A handle is never reused for another id, so a stale handle finds nothing instead of another entity.
public struct Identifiers: Sendable {
    private static let nobody: Int32 = -1

    /// The ids by handle.
    private var names = Pages<String>()
    /// An open-addressing hash table of handles with linear probing, keyed by the id's hash.
    ///
    /// Its size is a power of two and its load factor at most 3/4; the ids themselves are only in ``names``.
    private var handles = Pages<Int32>()
    /// The number of ids that have a handle.
    public private(set) var count = 0

    /// Creates an empty map; the first id gets the handle 0.
    public init() {}

    /// Reserves capacity for `count` ids.
    public mutating func reserveCapacity(_ count: Int) {
        var places = max(handles.count, 4)
        while places * 3 < count * 4 { places *= 2 }
        if places > handles.count { spread(over: places) }
    }

    /// One more than the greatest handle assigned so far.
    public var handleLimit: Int { names.count }

    /// The bytes of memory that the ids occupy, except the bytes of ids longer than 15 bytes.
    ///
    /// Copies share unchanged pages.
    public var bytes: Int { names.bytes + handles.bytes }

    /// The handle of an id; nil if it has none.
    public subscript(_ id: String) -> Int32? { place(of: id).map { handles[$0] } }

    /// The id of a handle; for a released handle, its former id.
    public func id(of handle: Int32) -> String { names[Int(handle)] }

    /// Returns the handle of an id, after assigning the next free one if it has none.
    public mutating func insert(_ id: String) -> Int32 {
        if let handle = self[id] { return handle }
        let handle = Int32(names.count)
        names.append(id)
        take(in: handle)
        return handle
    }

    /// Restores the handle that an id had in an earlier run.
    ///
    /// - Precondition: `handle` is greater than all assigned before, and `id` has none.
    public mutating func insert(_ id: String, as handle: Int32) {
        precondition(Int(handle) >= names.count && self[id] == nil, "handles are restored once and in order")
        names.fill(upTo: Int(handle), with: "")
        names.append(id)
        take(in: handle)
    }

    /// Assigns no handle below this one in the future.
    public mutating func skip(to handle: Int32) { names.fill(upTo: Int(handle), with: "") }

    /// Removes an id; its handle is not reused.
    @discardableResult
    public mutating func remove(_ id: String) -> Int32? {
        guard let place = place(of: id) else { return nil }
        let handle = handles[place]
        handles[place] = Self.nobody
        count -= 1
        // Entries that were displaced may now move nearer to their home slot.
        var next = (place + 1) & (handles.count - 1)
        while handles[next] != Self.nobody {
            let moved = handles[next]
            handles[next] = Self.nobody
            put(moved)
            next = (next + 1) & (handles.count - 1)
        }
        return handle
    }

    private mutating func take(in handle: Int32) {
        count += 1
        if handles.count * 3 < count * 4 { spread(over: max(4, handles.count * 2)) }
        put(handle)
    }

    private mutating func spread(over places: Int) {
        let old = handles
        handles = Pages()
        handles.fill(upTo: places, with: Self.nobody)
        for place in 0..<old.count where old[place] != Self.nobody { put(old[place]) }
    }

    private mutating func put(_ handle: Int32) {
        var place = home(of: names[Int(handle)])
        while handles[place] != Self.nobody { place = (place + 1) & (handles.count - 1) }
        handles[place] = handle
    }

    /// The slot of an id's handle; nil if the id has none.
    private func place(of id: String) -> Int? {
        guard handles.count > 0 else { return nil }
        var place = home(of: id)
        while handles[place] != Self.nobody {
            if names[Int(handles[place])] == id { return place }
            place = (place + 1) & (handles.count - 1)
        }
        return nil
    }

    private func home(of id: String) -> Int { id.hashValue & (handles.count - 1) }

    /// Whether one entity's id sorts before another's, by UTF-8 bytes.
    func precedes(_ a: Int32, _ b: Int32) -> Bool { Self.precedes(names[Int(a)], names[Int(b)]) }

    static func precedes(_ a: String, _ b: String) -> Bool { a.utf8.lexicographicallyPrecedes(b.utf8) }
}
