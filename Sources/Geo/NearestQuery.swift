/// What to look for around a place.
public struct NearestQuery: Sendable {
    /// How many entities are wanted at most.
    public var limit: Int
    /// The greatest distance, in metres, that an entity may have; it may have exactly this.
    public var within = Double.infinity
    /// The least distance, in metres, that an entity may have; it may have exactly this.
    public var beyond = 0.0
    /// Only entities after this position in the order of answers.
    public var after: KeysetPosition?
    /// What an entity's signature must share with the filter.
    public var filter = SignatureFilter()
    /// The area an entity must lie in.
    public var region: Region?
    /// How many entities may be looked at before the answer is cut off, those apart that are too near to be in it.
    public var maxScan = Int.max
    /// How many steps of work (`Effort`) may be done before the answer is cut off, wherever that is.
    public var maxSteps = Int.max

    /// A query for entities at any distance, of any signature and in any area.
    public init(limit: Int) { self.limit = limit }
}

/// A position in the order of all answers: by the geodesic distance rounded to 1 µm, then by the bytes of the id.
public struct KeysetPosition: Hashable, Sendable {
    /// Distance in micrometres.
    public var micrometres: Int64
    /// The id of the last entity that was returned; empty stands before every id.
    public var id: String

    /// The position of an id at a distance, in micrometres.
    public init(micrometres: Int64, id: String) {
        self.micrometres = micrometres
        self.id = id
    }
}

/// An entity near a place.
public struct Neighbour: Hashable, Sendable {
    /// What stands for the entity in the index.
    public var handle: Int32
    /// Where the entity is.
    public var place: Coordinate

    /// An entity at a place.
    public init(handle: Int32, place: Coordinate) {
        self.handle = handle
        self.place = place
    }
}

/// The entities found, nearest first.
public struct NearestAnswer: Sendable {
    /// At most ``NearestQuery/limit`` entities, in the order of ``KeysetPosition``.
    public var neighbours: [Neighbour]
    /// Where to go on when ``NearestQuery/maxScan`` or ``NearestQuery/maxSteps`` cut the answer off.
    ///
    /// Everything before this position was returned. After few steps it may be where the query began.
    public var cutOff: KeysetPosition?
    /// How many entities were looked at, as ``NearestQuery/maxScan`` counts them.
    public var scanned = 0
    /// How many steps of work it was.
    public var steps = 0

    /// An answer that was not cut off unless said so.
    public init(neighbours: [Neighbour], cutOff: KeysetPosition? = nil) {
        self.neighbours = neighbours
        self.cutOff = cutOff
    }
}

/// Up to four sets of bits; a signature matches when it shares a bit with each of them.
public struct SignatureFilter: Hashable, Sendable {
    private var sets = InlineSets(repeating: 0)
    private var used = 0

    private typealias InlineSets = SIMD4<UInt64>

    /// The filter that everything matches.
    public init() {}

    /// Demands one more set of alternatives.
    ///
    /// - Precondition: fewer than four were demanded before.
    public mutating func demand(anyOf bits: UInt64) {
        precondition(used < sets.scalarCount, "a filter holds four sets")
        sets[used] = bits
        used += 1
    }

    /// Whether the filter demands nothing.
    public var isEmpty: Bool { used == 0 }

    /// Whether a signature, or a union of signatures, shares a bit with each set.
    @inline(__always)
    public func matches(_ signature: UInt64) -> Bool {
        for n in 0..<used where sets[n] & signature == 0 { return false }
        return true
    }
}
