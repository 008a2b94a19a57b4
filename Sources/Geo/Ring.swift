/// The range of distances that a query accepts: within a radius, beyond another, and after a position in the order of
/// answers.
///
/// Approximate chords almost always decide; in four narrow bands the geodesic does.
struct Ring {
    private let origin: Coordinate
    private let within, beyond: Double
    private let after: KeysetPosition?
    /// Squared approximate chords, in steps²: below `nearest` and above `farthest` nothing is in the ring, from
    /// `surelyFarEnough` to `surelyNearEnough` everything is.
    private let surelyFarEnough, surelyNearEnough: Float
    let nearest, farthest: Float
    /// Entities with a shorter chord, in meters, are never in the ring.
    let shortestChord: Double
    /// Entities with a longer chord, in meters, are certainly beyond the ring's start.
    let progress: Double

    init(_ query: NearestQuery, around origin: Coordinate) {
        self.origin = origin
        within = query.within
        beyond = query.beyond
        after = query.after
        let start = max(query.beyond, query.after.map { Double($0.micrometres - 1) * 1e-6 } ?? 0)
        if start > 0 {
            shortestChord = ChordBounds.shortestChord(beyond: start)
            nearest = ApproximateChord.squaredSteps(atMost: ApproximateChord.shortest(shortestChord) - 1)
            progress = ChordBounds.longestChord(within: start + 4e-6)
            surelyFarEnough = ApproximateChord.squaredSteps(atLeast: ApproximateChord.longest(progress) + 1)
        } else {
            shortestChord = 0
            progress = query.after == nil ? 0 : ChordBounds.longestChord(within: 4e-6)
            nearest = 0
            surelyFarEnough = query.after == nil ? 0 : ApproximateChord.squaredSteps(atLeast: 1)
        }
        if query.within < Geodesic.longestDistance {
            farthest = ApproximateChord.squaredSteps(
                atLeast: ApproximateChord.longest(ChordBounds.longestChord(within: query.within)))
            surelyNearEnough = ApproximateChord.squaredSteps(
                atMost: ApproximateChord.shortest(ChordBounds.shortestChord(beyond: query.within)) - 1)
        } else {
            farthest = .infinity
            surelyNearEnough = .infinity
        }
    }

    /// Whether a candidate lies in the ring.
    @inline(__always)
    func holds(_ candidate: Candidate, ids: borrowing Identifiers) -> Bool {
        if candidate.squared >= surelyFarEnough && candidate.squared <= surelyNearEnough { return true }
        guard candidate.squared >= nearest && candidate.squared <= farthest else { return false }
        return exactlyHolds(candidate, ids: ids)
    }

    private func exactlyHolds(_ candidate: Candidate, ids: borrowing Identifiers) -> Bool {
        let distance = Geodesic.distance(from: origin, to: candidate.place)
        guard distance <= within, distance >= beyond else { return false }
        guard let after else { return true }
        let micrometres = Int64((distance * 1e6).rounded())
        return micrometres == after.micrometres
            ? Identifiers.precedes(after.id, ids.id(of: candidate.handle)) : micrometres > after.micrometres
    }
}
