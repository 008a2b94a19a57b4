/// A nearest-neighbor query around a place.
public struct NearestQuery: Sendable {
    /// The maximum number of entities in the answer.
    public var limit: Int
    /// The greatest distance of an entity, in meters, inclusive.
    public var within = Double.infinity
    /// The least distance of an entity, in meters, inclusive.
    public var beyond = 0.0
    /// The position in the order of answers after which the answer starts.
    public var after: KeysetPosition?
    /// The filter that an entity's signature must match.
    public var filter = SignatureFilter()
    /// The area that an entity must lie in.
    public var region: Region?
    /// The maximum number of entities examined before the answer is cut off, without those too near to be in it.
    public var maxScan = Int.max
    /// The maximum number of steps of work (`WorkBudget`) before the answer is cut off.
    public var maxSteps = Int.max

    /// Creates a query for entities at any distance, with any signature and in any area.
    public init(limit: Int) { self.limit = limit }
}

/// A position in the order of all answers: by the geodesic distance rounded to 1 µm, then by the bytes of the id.
public struct KeysetPosition: Hashable, Sendable {
    /// Distance in micrometers.
    public var micrometres: Int64
    /// The id of the last entity returned; the empty id precedes every other.
    public var id: String

    /// The position of an id at a distance, in micrometers.
    public init(micrometres: Int64, id: String) {
        self.micrometres = micrometres
        self.id = id
    }
}

/// An entity near a place.
public struct Neighbour: Hashable, Sendable {
    /// The entity's handle in the index.
    public var handle: Int32
    /// The place of the entity.
    public var place: Coordinate

    /// Creates an entity at a place.
    public init(handle: Int32, place: Coordinate) {
        self.handle = handle
        self.place = place
    }
}

/// The entities found, nearest first.
public struct NearestAnswer: Sendable {
    /// At most ``NearestQuery/limit`` entities, in the order of ``KeysetPosition``.
    public var neighbours: [Neighbour]
    /// The position to continue from if ``NearestQuery/maxScan`` or ``NearestQuery/maxSteps`` cut the answer off.
    ///
    /// Everything before this position was returned. After few steps it may be the position at which the query began.
    public var cutOff: KeysetPosition?
    /// The number of entities examined, as ``NearestQuery/maxScan`` counts them.
    public var scanned = 0
    /// The number of steps of work.
    public var steps = 0

    /// Creates an answer; it is complete if `cutOff` is nil.
    public init(neighbours: [Neighbour], cutOff: KeysetPosition? = nil) {
        self.neighbours = neighbours
        self.cutOff = cutOff
    }
}

/// Up to four sets of bits; a signature matches if it shares a bit with each of them.
public struct SignatureFilter: Hashable, Sendable {
    private var sets = InlineSets(repeating: 0)
    private var used = 0

    private typealias InlineSets = SIMD4<UInt64>

    /// Creates a filter that matches everything.
    public init() {}

    /// Adds a set of alternatives, of which a signature must have one.
    ///
    /// - Precondition: the filter has fewer than four sets.
    public mutating func demand(anyOf bits: UInt64) {
        precondition(used < sets.scalarCount, "a filter holds four sets")
        sets[used] = bits
        used += 1
    }

    /// Whether the filter has no sets.
    public var isEmpty: Bool { used == 0 }

    /// Whether a signature, or a union of signatures, shares a bit with each set.
    @inline(__always)
    public func matches(_ signature: UInt64) -> Bool {
        for n in 0..<used where sets[n] & signature == 0 { return false }
        return true
    }
}
