/// External ids and the dense handles that stand for them in the index.
///
/// A handle is never used for another id, so that one that outlived its entity finds nothing instead of a stranger.
public struct Identifiers: Sendable {
    private static let nobody: Int32 = -1

    /// By handle.
    private var names = Pages<String>()
    /// The handles of ids that have one, each where the hash of its id says or in the next free place after that.
    ///
    /// A power of two of places, of which at most three in four are taken; the ids themselves are in ``names`` only.
    private var handles = Pages<Int32>()
    /// The number of ids that have a handle.
    public private(set) var count = 0

    /// No ids; the first one gets the handle 0.
    public init() {}

    /// Makes room for so many ids.
    public mutating func reserveCapacity(_ count: Int) {
        var places = max(handles.count, 4)
        while places * 3 < count * 4 { places *= 2 }
        if places > handles.count { spread(over: places) }
    }

    /// One more than the greatest handle ever given.
    public var handleLimit: Int { names.count }

    /// The bytes of memory that the ids occupy, but for those of ids of more than 15 bytes.
    ///
    /// Copies share what neither has changed.
    public var bytes: Int { names.bytes + handles.bytes }

    /// The handle of an id, nil if it has none.
    public subscript(_ id: String) -> Int32? { place(of: id).map { handles[$0] } }

    /// The id that a handle was given to; of a released handle, the id that it had.
    public func id(of handle: Int32) -> String { names[Int(handle)] }

    /// Gives an id its handle, the next one free, or returns the one it has.
    public mutating func insert(_ id: String) -> Int32 {
        if let handle = self[id] { return handle }
        let handle = Int32(names.count)
        names.append(id)
        take(in: handle)
        return handle
    }

    /// Gives an id the handle that it had in an earlier run.
    ///
    /// - Precondition: `handle` is beyond all those given before, and `id` has none.
    public mutating func insert(_ id: String, as handle: Int32) {
        precondition(Int(handle) >= names.count && self[id] == nil, "handles are restored once and in order")
        names.fill(upTo: Int(handle), with: "")
        names.append(id)
        take(in: handle)
    }

    /// Gives no handle below this one from now on.
    public mutating func skip(to handle: Int32) { names.fill(upTo: Int(handle), with: "") }

    /// Forgets an id; its handle stays unused.
    @discardableResult
    public mutating func remove(_ id: String) -> Int32? {
        guard let place = place(of: id) else { return nil }
        let handle = handles[place]
        handles[place] = Self.nobody
        count -= 1
        // What had to make way may stand nearer to its own place now.
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

    /// Where the handle of an id stands; nil if it has none.
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

    /// Whether one entity's id sorts before another's, by their UTF-8 bytes.
    func precedes(_ a: Int32, _ b: Int32) -> Bool { Self.precedes(names[Int(a)], names[Int(b)]) }

    static func precedes(_ a: String, _ b: String) -> Bool { a.utf8.lexicographicallyPrecedes(b.utf8) }
}
