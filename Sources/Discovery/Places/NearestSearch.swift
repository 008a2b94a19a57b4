internal import Geo
internal import Model

/// A search for the nearest places that match, in parts, between which the picture may change.
///
/// What lies beyond the cut of a part is met again in the next one. It is remembered what was said of each, so that each place
/// is judged once, in a bit for each place that there is.
struct NearestSearch: Sendable {
    /// Whether a place matches; it adds what it costs to the steps.
    typealias Condition = (PlaceNumber, inout Int) -> Bool

    private var query: NearestQuery
    private let origin: Coordinate
    /// Nearest first; all of them are nearer than ``next``.
    private(set) var found: [Neighbour] = []
    /// Where the search goes on; nil before it began.
    private(set) var next: KeysetPosition?
    private(set) var looked = 0
    /// How many places the index gave, and how many of a list were looked at.
    private(set) var (given, listed) = (0, 0)
    /// Which places were judged, and which of those that may lie beyond ``next`` are wanted.
    private var judged = NumberSet<Place>()
    private var wanted = NumberSet<Place>()
    /// How many places the last part asked about.
    private var asked = 0
    /// How many steps a part may take beyond those that are given to it.
    private var way = Effort.part / 4
    /// A list as the index names its places, how much of it is done, and the best of that.
    private var handles: [Int32] = []
    private var best: [Ranked] = []

    init(_ query: NearestQuery, to origin: Coordinate) {
        self.query = query
        self.origin = origin
        next = query.after
    }

    /// Narrows the search, before it begins, to places whose signature matches.
    mutating func filter(by signature: SignatureFilter) { query.filter = signature }

    /// A region of which only the surroundings are searched; what is there is compared with it once.
    private var outline: Region? { query.region.flatMap { $0.isCostly ? $0 : nil } }

    private var rest: NearestQuery {
        var rest = query
        rest.after = next
        rest.limit -= found.count
        return rest
    }

    /// Looks at the next places by distance, until so many were looked at in all, or the steps are `end`.
    ///
    /// A part takes more steps than that, for it begins with the way to where the one before was cut off.
    ///
    /// - Returns: whether all that is wanted was found, or nothing is left.
    mutating func visit(
        upTo most: Int, _ placeIndex: borrowing PlaceIndex, _ steps: inout Int, until end: Int, _ isWanted: Condition
    ) -> Bool {
        let outline = outline
        while looked < most, steps < end {
            var query = rest
            (query.maxScan, query.maxSteps) = (most == .max ? most : most - looked + asked, end - steps + way)
            if let outline { query.region = outline.surroundings }
            // Most searches are done before anything needs to be remembered.
            let start = judged.width == 0 ? Effort.part : 0
            var (met, new) = (0, 0)
            let answer = placeIndex.grid.nearest(query, to: origin, ids: placeIndex.ids) { handle, steps in
                let number = PlaceNumber(handle)
                if judged.contains(number) {
                    met += 1
                    return wanted.contains(number)
                }
                new += 1
                var verdict = true
                if let outline, let place = placeIndex.grid.place(of: handle) {
                    verdict = outline.contains(place, steps: &steps)
                }
                verdict = verdict && isWanted(number, &steps)
                if steps > start {
                    judged.insert(number)
                    if verdict { wanted.insert(number) }
                }
                return verdict
            }
            (steps, given) = (steps + answer.steps, given + answer.scanned)
            found += answer.neighbours
            guard let cutOff = answer.cutOff else { return true }
            if cutOff == next, new == 0 { way *= 2 }
            (next, asked) = (cutOff, met + new)
            // What is looked at twice counts once: exactly if it was judged, else about so.
            let isHalved = start > 0 && answer.scanned < query.maxScan
            looked += isHalved ? answer.scanned / 2 : answer.scanned - met
        }
        return false
    }

    private func position(of neighbour: Neighbour, _ placeIndex: borrowing PlaceIndex) -> KeysetPosition {
        KeysetPosition(
            micrometres: Geodesic.micrometres(from: origin, to: neighbour.place),
            id: placeIndex.ids.id(of: neighbour.handle))
    }

    /// Where the next page begins, once all that is wanted was found; nil if nothing is left.
    func nextPage(_ placeIndex: borrowing PlaceIndex) -> KeysetPosition? {
        found.count == query.limit ? found.last.map { position(of: $0, placeIndex) } : nil
    }

    /// Looks at the next places of a list, until the steps are `end`; each part is given the same list.
    ///
    /// - Returns: whether this was the last part; only then those that are wanted are among the ``found``.
    mutating func look(
        through list: [PlaceNumber], _ placeIndex: borrowing PlaceIndex, _ steps: inout Int, until end: Int,
        _ isWanted: Condition
    ) -> Bool {
        if handles.count != list.count { handles = list.map(\.rawValue) }
        while listed < list.count, steps < end {
            var part = rest
            part.maxSteps = end - steps
            if best.count == part.limit, let last = best.last {
                part.within = min(part.within, Double(last.micrometres + 1) * 1e-6)
            }
            let answer = placeIndex.points.nearest(
                part, to: origin, among: handles[listed...], of: placeIndex.grid, ids: placeIndex.ids
            ) { isWanted(Number($0), &$1) }
            listed += answer.scanned
            // A geodesic takes ten.
            steps += 1 + answer.steps + 10 * answer.neighbours.count
            merge(answer.neighbours, placeIndex)
        }
        guard listed == list.count else { return false }
        found += best.map(\.neighbour)
        return true
    }

    /// Puts some, in their order, among the best.
    private mutating func merge(_ neighbours: [Neighbour], _ placeIndex: borrowing PlaceIndex) {
        let limit = rest.limit
        var merged: [Ranked] = []
        var old = best[...]
        for neighbour in neighbours {
            let new = Ranked(
                micrometres: Geodesic.micrometres(from: origin, to: neighbour.place), neighbour: neighbour)
            while let first = old.first, first.precedes(new, placeIndex) { merged.append(old.removeFirst()) }
            merged.append(new)
        }
        best = Array((merged + old).prefix(limit))
    }

    private struct Ranked {
        var micrometres: Int64
        var neighbour: Neighbour

        func precedes(_ other: Ranked, _ placeIndex: borrowing PlaceIndex) -> Bool {
            guard micrometres == other.micrometres else { return micrometres < other.micrometres }
            return placeIndex.ids.id(of: neighbour.handle).utf8.lexicographicallyPrecedes(
                placeIndex.ids.id(of: other.neighbour.handle).utf8)
        }
    }
}
