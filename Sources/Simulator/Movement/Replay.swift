internal import Geo

/// Somebody who goes a recorded way, in its own place or, turned, from another one.
struct Replay: Movement {
    private let track: Track
    private let origin: Coordinate
    private let start: SimulatedTime
    private let turn: Double
    private var index = 0

    /// The track's own place is kept by beginning where it begins.
    init(_ track: Track, from origin: Coordinate, at start: SimulatedTime) {
        self.track = track
        self.origin = origin
        self.start = start
        // A copy that begins elsewhere is turned by an angle of its own, which follows from where.
        let isMoved = track.fixes.first?.place != origin
        turn = isMoved ? Double(abs(Int(origin.latitudeE7) &+ Int(origin.longitudeE7)) % 360) : 0
    }

    mutating func place(at time: SimulatedTime, using random: inout SeededGenerator) -> Coordinate {
        guard !track.fixes.isEmpty else { return origin }
        let seconds = time - start
        while index + 1 < track.fixes.count, track.fixes[index + 1].time <= seconds { index += 1 }
        let here = track.fixes[index]
        guard index + 1 < track.fixes.count, seconds > here.time else { return moved(here.place) }
        let next = track.fixes[index + 1]
        let share = (seconds - here.time) / (next.time - here.time)
        let way = Geodesic.distance(from: here.place, to: next.place) * share
        guard way > 0 else { return moved(here.place) }
        return moved(
            Geodesic.destination(
                from: here.place, bearing: Geodesic.bearing(from: here.place, to: next.place), metres: way))
    }

    /// The place as far and in the same direction, but for the turn, from this way's start as from the track's.
    private func moved(_ place: Coordinate) -> Coordinate {
        guard let first = track.fixes.first?.place, first != origin else { return place }
        guard first != place else { return origin }
        return Geodesic.destination(
            from: origin, bearing: Geodesic.bearing(from: first, to: place) + turn,
            metres: Geodesic.distance(from: first, to: place))
    }
}
