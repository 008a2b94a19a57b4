internal import Geo

/// A search for the nearest places that match, in parts, between which the picture may change.
///
/// The index is asked with the condition first, which ends nearly all searches. What that leaves is taken from the index some
/// hundred at a time, without the condition, and asked one after the other: so a part can end at any of them, whatever they cost.
struct NearestSearch: Sendable {
    /// Whether a place matches; it adds what it costs to the steps.
    typealias Condition = (Int32, inout Int) -> Bool

    /// So many are taken from the index together, and so many are looked at there for that.
    private static let (some, mostOfSome) = (500, 10_000)

    private var query: NearestQuery
    private let origin: Coordinate
    /// Nearest first; all of them are nearer than ``next``.
    private(set) var found: [Neighbour] = []
    /// Where the search goes on; nil before it began.
    private(set) var next: KeysetPosition?
    /// How many places were looked at.
    private(set) var looked = 0
    private var hasAskedTheIndex = false
    /// How much of a list is done, and the best of that.
    private var listed = 0
    private var best: [Ranked] = []

    init(_ query: NearestQuery, to origin: Coordinate) {
        self.query = query
        self.origin = origin
        next = query.after
    }

    /// Narrows the search, before it begins, to places whose signature matches.
    mutating func filter(by signature: SignatureFilter) { query.filter = signature }

    private var rest: NearestQuery {
        var rest = query
        rest.after = next
        rest.limit -= found.count
        return rest
    }

    /// Looks at the next places by distance, until so many were looked at in all, or the steps are `end`.
    ///
    /// - Returns: whether all that is wanted was found, or nothing is left.
    mutating func visit(
        upTo most: Int, _ directory: borrowing Directory, _ steps: inout Int, until end: Int, _ isWanted: Condition
    ) -> Bool {
        if !hasAskedTheIndex {
            hasAskedTheIndex = true
            var query = rest
            query.maxScan = most - looked
            query.maxSteps = end - steps
            let answer = directory.grid.nearest(query, to: origin, ids: directory.ids, where: isWanted)
            steps += answer.steps
            found += answer.neighbours
            next = answer.cutOff
            // What lies beyond the cut is looked at again; that counts once.
            looked += query.maxScan <= answer.scanned ? answer.scanned : answer.scanned / 2
            if next == nil { return true }
        }
        while looked < most, steps < end {
            if take(most, directory, &steps, end, isWanted) { return true }
        }
        return false
    }

    private mutating func take(
        _ most: Int, _ directory: borrowing Directory, _ steps: inout Int, _ end: Int, _ isWanted: Condition
    ) -> Bool {
        var part = rest
        part.limit = Self.some
        part.region = query.region?.surroundings
        part.maxScan = Self.mostOfSome
        let answer = directory.grid.nearest(part, to: origin, ids: directory.ids)
        steps += answer.steps
        var count = 0
        for neighbour in answer.neighbours {
            (count, looked, steps) = (count + 1, looked + 1, steps + 1)
            if query.region?.contains(neighbour.place, steps: &steps) ?? true, isWanted(neighbour.handle, &steps) {
                found.append(neighbour)
                if found.count == query.limit { return true }
            }
            if steps >= end || looked == most { break }
        }
        if count == answer.neighbours.count, count < Self.some {
            looked += max(0, answer.scanned / 2 - count)
            next = answer.cutOff
            return next == nil
        }
        next = position(of: answer.neighbours[count - 1], directory)
        return false
    }

    private func position(of neighbour: Neighbour, _ directory: borrowing Directory) -> KeysetPosition {
        KeysetPosition(
            micrometres: Geodesic.micrometres(from: origin, to: neighbour.place),
            id: directory.ids.id(of: neighbour.handle))
    }

    /// Where the next page begins, once all that is wanted was found; nil if nothing is left.
    func nextPage(_ directory: borrowing Directory) -> KeysetPosition? {
        found.count == query.limit ? found.last.map { position(of: $0, directory) } : nil
    }

    // MARK: - Lists

    /// Looks at the next places of a list, until the steps are `end`; each part is given the same list.
    ///
    /// - Returns: whether this was the last part; only then those that are wanted are among the ``found``.
    mutating func look(
        through list: [Int32], _ directory: borrowing Directory, _ steps: inout Int, until end: Int,
        _ isWanted: Condition
    ) -> Bool {
        while listed < list.count, steps < end {
            var part = rest
            part.maxSteps = end - steps
            if best.count == part.limit, let last = best.last {
                part.within = min(part.within, Double(last.micrometres + 1) * 1e-6)
            }
            let some = list[listed..<min(listed + Self.some, list.count)]
            let answer = directory.points.nearest(
                part, to: origin, among: some, of: directory.grid, ids: directory.ids, where: isWanted)
            listed += answer.scanned
            // A geodesic takes ten.
            steps += 1 + answer.steps + 10 * answer.neighbours.count
            merge(answer.neighbours, directory)
        }
        guard listed == list.count else { return false }
        found += best.map(\.neighbour)
        return true
    }

    /// Puts some, in their order, among the best.
    private mutating func merge(_ neighbours: [Neighbour], _ directory: borrowing Directory) {
        let limit = rest.limit
        var merged: [Ranked] = []
        var old = best[...]
        for neighbour in neighbours {
            let new = Ranked(
                micrometres: Geodesic.micrometres(from: origin, to: neighbour.place), neighbour: neighbour)
            while let first = old.first, first.precedes(new, directory) { merged.append(old.removeFirst()) }
            merged.append(new)
        }
        best = Array((merged + old).prefix(limit))
    }

    private struct Ranked {
        var micrometres: Int64
        var neighbour: Neighbour

        func precedes(_ other: Ranked, _ directory: borrowing Directory) -> Bool {
            guard micrometres == other.micrometres else { return micrometres < other.micrometres }
            return directory.ids.id(of: neighbour.handle).utf8.lexicographicallyPrecedes(
                directory.ids.id(of: other.neighbour.handle).utf8)
        }
    }
}
