internal import Geo

/// A person with a phone who follows a recorded track in another place and at another time.
struct Walker: Sendable {
    let id: String
    private let track: Track
    private let hours: Double
    private let start: Coordinate
    private let begin: Double
    private let turn: Double
    private let throttles: Bool
    private var next = 0
    private var hint: Hint?
    /// How many fixes the phone did not send, because nothing could have been stored.
    private(set) var kept = 0

    /// What a phone sends.
    struct Report: Encodable, Sendable {
        var person: String
        var device = "simulator"
        /// Milliseconds since 1970.
        var t: Int64
        var lat, lon: Double
        var accuracy_m: Double?
    }

    /// From where, how far and until when nothing can be stored.
    struct Hint: Sendable {
        var from: Coordinate
        var beyond: Double
        var notBefore: Double
    }

    init(
        id: String, tracks: [Track], hours: Double, around centre: Coordinate, within spread: Double, until end: Double,
        throttles: Bool, using random: inout SeededGenerator
    ) {
        self.id = id
        self.hours = hours
        self.throttles = throttles
        track = tracks[Int.random(in: tracks.indices, using: &random)]
        start = Geodesic.destination(
            from: centre, bearing: .random(in: 0..<360, using: &random),
            metres: spread * Double.random(in: 0..<1, using: &random).squareRoot())
        turn = .random(in: 0..<360, using: &random)
        begin = end - min(track.length, hours * 3600) - .random(in: 0..<600, using: &random)
    }

    /// The next fix that the phone sends; nil when the way is gone.
    mutating func report() -> Report? {
        while next < track.fixes.count, track.fixes[next].time <= hours * 3600 {
            let fix = track.fixes[next]
            next += 1
            let place = moved(fix.place)
            let time = begin + fix.time
            if throttles, let hint, time < hint.notBefore || Geodesic.isCloser(hint.from, place, than: hint.beyond) {
                kept += 1
                continue
            }
            return Report(
                person: id, t: Int64((time * 1000).rounded()), lat: place.latitude, lon: place.longitude,
                accuracy_m: fix.accuracy)
        }
        return nil
    }

    /// Follows what the service said of the last report.
    mutating func follow(_ hint: Hint?) { self.hint = hint ?? self.hint }

    /// The place as far and in the same direction, but for the turn, from this walker's start as from the track's.
    private func moved(_ place: Coordinate) -> Coordinate {
        guard let first = track.fixes.first?.place, first != place else { return start }
        return Geodesic.destination(
            from: start, bearing: Geodesic.bearing(from: first, to: place) + turn,
            metres: Geodesic.distance(from: first, to: place))
    }
}
