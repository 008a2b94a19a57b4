internal import Geo
internal import Model

/// A k-nearest-neighbor search with a filter, in parts between which the state may change.
///
/// A part revisits places beyond the cut-off of the part before. A bit per place keeps each verdict, so that each place
/// is judged once.
struct NearestSearch: Sendable {
    /// Whether a place matches; adds its work to the steps.
    typealias Condition = (PlaceNumber, inout Int) -> Bool

    private var query: NearestQuery
    private let origin: Coordinate
    /// Nearest first; all are nearer than ``next``.
    private(set) var found: [Neighbour] = []
    /// The position at which the search continues; nil before the first part.
    private(set) var next: KeysetPosition?
    private(set) var looked = 0
    /// The numbers of places returned by the index, and examined in a list.
    private(set) var (given, listed) = (0, 0)
    /// The places judged, and the matches among them that may lie beyond ``next``.
    private var judged = NumberSet<Place>()
    private var wanted = NumberSet<Place>()
    /// The number of places that the last part asked about.
    private var asked = 0
    /// The work units that a part may take beyond its budget.
    private var way = WorkBudget.stepsPerChunk / 4
    /// The list as handles of the index, and the nearest matches in the part of it examined so far.
    private var handles: [Int32] = []
    private var best: [Ranked] = []

    init(_ query: NearestQuery, to origin: Coordinate) {
        self.query = query
        self.origin = origin
        next = query.after
    }

    /// Restricts the search to places whose signature matches; call it before the first part.
    mutating func filter(by signature: SignatureFilter) { query.filter = signature }

    /// A costly region, of which the index searches only the surroundings; each place is tested against it once.
    private var outline: Region? { query.region.flatMap { $0.isCostly ? $0 : nil } }

    private var rest: NearestQuery {
        var rest = query
        rest.after = next
        rest.limit -= found.count
        return rest
    }

    /// Examines the next places by distance, until `most` were examined in all or the steps reach `end`.
    ///
    /// A part exceeds its budget, because it begins with the way to the cut-off of the part before.
    ///
    /// - Returns: whether all results were found, or no places are left.
    mutating func visit(
        upTo most: Int, _ placeIndex: borrowing PlaceIndex, _ steps: inout Int, until end: Int, _ isWanted: Condition
    ) -> Bool {
        let outline = outline
        while looked < most, steps < end {
            var query = rest
            (query.maxScan, query.maxSteps) = (most == .max ? most : most - looked + asked, end - steps + way)
            if let outline { query.region = outline.surroundings }
            // Most searches finish before verdicts need to be kept.
            let start = judged.width == 0 ? WorkBudget.stepsPerChunk : 0
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
            // Places examined twice count once: exactly if judged, otherwise approximately.
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

    /// The position of the next page, once all results were found; nil if nothing is left.
    func nextPage(_ placeIndex: borrowing PlaceIndex) -> KeysetPosition? {
        found.count == query.limit ? found.last.map { position(of: $0, placeIndex) } : nil
    }

    /// Examines the next places of a list until the steps reach `end`; each part gets the same list.
    ///
    /// - Returns: whether this was the last part; only then its matches are in ``found``.
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
            // A geodesic takes ten work units.
            steps += 1 + answer.steps + 10 * answer.neighbours.count
            merge(answer.neighbours, placeIndex)
        }
        guard listed == list.count else { return false }
        found += best.map(\.neighbour)
        return true
    }

    /// Merges sorted neighbors into the best.
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
