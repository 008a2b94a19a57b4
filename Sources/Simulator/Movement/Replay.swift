internal import Geo
internal import Laws

/// A person who follows a recorded track, either in its own place or translated and rotated.
struct Replay: Movement {
    private let track: Track
    private let origin: Coordinate
    private let start: SimulatedTime
    private let turn: Double
    private var index = 0

    /// An origin at the track's first fix keeps the track in its own place.
    init(_ track: Track, from origin: Coordinate, at start: SimulatedTime) {
        self.track = track
        self.origin = origin
        self.start = start
        // A translated copy is rotated by an angle that depends on its origin.
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

    /// The point at the same distance from this origin as from the track's first fix, with the bearing rotated.
    private func moved(_ place: Coordinate) -> Coordinate {
        guard let first = track.fixes.first?.place, first != origin else { return place }
        guard first != place else { return origin }
        return Geodesic.destination(
            from: origin, bearing: Geodesic.bearing(from: first, to: place) + turn,
            metres: Geodesic.distance(from: first, to: place))
    }
}
