/// An entity that may belong to the answer.
struct Candidate {
    /// The squared approximate chord from the origin, in steps² of ``GridEntity``.
    var squared: Float
    var handle: Int32
    var place: Coordinate
}

/// The best candidates so far: at least the `limit` nearest, and all whose order the approximate chord leaves
/// undecided.
struct Candidates: ~Copyable {
    /// Up to this limit the candidates are kept sorted; above it they are sorted occasionally.
    private static let orderedLimit = 128

    private let limit: Int
    private var base: UnsafeMutablePointer<Candidate>
    private var capacity: Int
    private var isOwner = false
    private(set) var count = 0
    /// No entity with a greater squared approximate chord can belong to the answer.
    private(set) var reach: Float
    private let isOrdered: Bool
    /// The count at which the candidates are sorted and those beyond the limit dropped.
    private var nextCut: Int

    /// A capacity that suffices for most searches.
    static let room = 64

    /// Creates an empty set in memory that the caller owns and that must outlive it.
    init(limit: Int, reach: Float, _ room: UnsafeMutableBufferPointer<Candidate>) {
        guard let start = room.baseAddress else { preconditionFailure("there is room") }
        self.limit = limit
        self.reach = reach
        isOrdered = limit <= Self.orderedLimit
        nextCut = max(1024, limit > .max / 2 ? .max : 2 * limit)
        capacity = room.count
        base = start
    }

    deinit { if isOwner { base.deallocate() } }

    @inline(__always)
    mutating func insert(_ candidate: Candidate) {
        if count == capacity { grow() }
        guard isOrdered else {
            base[count] = candidate
            count += 1
            if count >= nextCut { cut() }
            return
        }
        var position = count
        while position > 0, base[position - 1].squared > candidate.squared {
            base[position] = base[position - 1]
            position -= 1
        }
        base[position] = candidate
        count += 1
        if count >= limit, position < limit { narrow() }
    }

    /// Lowers the reach to the last wanted candidate's and drops the candidates beyond it.
    @inline(__always)
    private mutating func narrow() {
        reach = min(reach, ApproximateChord.reach(squared: base[limit - 1].squared))
        while count > limit, base[count - 1].squared > reach { count -= 1 }
    }

    private mutating func cut() {
        sort()
        narrow()
        nextCut = max(1024, 2 * count)
    }

    private func sort() {
        var all = UnsafeMutableBufferPointer(start: base, count: count)
        all.sort { $0.squared < $1.squared }
    }

    private mutating func grow() {
        let larger = UnsafeMutablePointer<Candidate>.allocate(capacity: capacity * 2)
        larger.update(from: base, count: count)
        if isOwner { base.deallocate() }
        base = larger
        isOwner = true
        capacity *= 2
    }

    /// Whether two approximate chords, the second not shorter, leave the order undecided.
    @inline(__always)
    private static func areTooClose(_ nearer: Float, _ farther: Float) -> Bool {
        guard farther <= ApproximateChord.reach(squared: nearer) else { return false }
        return ApproximateChord.metres(farther) <= ApproximateChord.reach(ApproximateChord.metres(nearer))
    }

    /// The nearest `limit` candidates in the order of (geodesic rounded to 1 µm, id).
    ///
    /// The geodesic is computed only for candidates whose approximate chords are too close to decide.
    func resolved(from origin: Coordinate, ids: borrowing Identifiers) -> [Neighbour] {
        if !isOrdered { sort() }
        var answer: [Neighbour] = []
        answer.reserveCapacity(min(limit, count))
        var start = 0
        while start < count, answer.count < limit {
            var end = start + 1
            while end < count, Self.areTooClose(base[end - 1].squared, base[end].squared) { end += 1 }
            let close = UnsafeMutableBufferPointer(start: base + start, count: end - start)
            if close.count == 1 {
                answer.append(Neighbour(handle: close[0].handle, place: close[0].place))
            } else {
                var ranking = Ranking(limit: limit - answer.count)
                for candidate in close {
                    ranking.insert(
                        Neighbour(handle: candidate.handle, place: candidate.place), from: origin, ids: ids)
                }
                answer += ranking.neighbours
            }
            start = end
        }
        return answer
    }
}

struct Ranking {
    private let limit: Int
    private var ranked: [(micrometres: Int64, neighbour: Neighbour)] = []
    private var last: (place: Coordinate, micrometres: Int64)?

    init(limit: Int) { self.limit = limit }

    var neighbours: [Neighbour] { ranked.map(\.neighbour) }

    mutating func insert(_ neighbour: Neighbour, from origin: Coordinate, ids: borrowing Identifiers) {
        let micrometres =
            if let last, last.place == neighbour.place { last.micrometres } else {
                Geodesic.micrometres(from: origin, to: neighbour.place)
            }
        last = (neighbour.place, micrometres)
        if ranked.count == limit {
            guard let worst = ranked.last,
                precedes(micrometres, neighbour.handle, worst.micrometres, worst.neighbour.handle, ids)
            else { return }
            ranked.removeLast()
        }
        var low = 0
        var high = ranked.count
        while low < high {
            let middle = (low + high) / 2
            let other = ranked[middle]
            if precedes(other.micrometres, other.neighbour.handle, micrometres, neighbour.handle, ids) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        ranked.insert((micrometres, neighbour), at: low)
    }

    private func precedes(
        _ a: Int64, _ first: Int32, _ b: Int64, _ second: Int32, _ ids: borrowing Identifiers
    ) -> Bool {
        a == b ? ids.precedes(first, second) : a < b
    }
}

extension Geodesic {
    /// The distance in whole micrometers, which orders answers.
    public static func micrometres(from origin: Coordinate, to destination: Coordinate) -> Int64 {
        Int64((distance(from: origin, to: destination) * 1e6).rounded())
    }
}
