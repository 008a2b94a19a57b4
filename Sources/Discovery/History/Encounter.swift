public import Geo
public import Model

/// A time during which two people were near each other.
public struct Encounter: Hashable, Sendable {
    /// From when to when, both included.
    public var times: ClosedRange<Timestamp>
    /// When they were nearest.
    public var nearest: Timestamp
    /// How near, in metres.
    public var distance: Double
    /// Where the first of them was then.
    public var place: Coordinate
    /// By how much the distance may be wrong, in metres: the uncertainty of both places.
    public var uncertainty: Double
    /// Whether both were seen where they were, or one was on the way.
    public var basis: PastPosition.Basis
}

/// A part of a person's track: a stay, or the way between two stored positions.
struct TrackSegment: Sendable {
    /// Of a way that took longer nothing is known.
    static let longestWay = Duration.seconds(3600)

    let leg: Leg
    let times: ClosedRange<Timestamp>
    /// In metres a second.
    let speed: Double
}

extension Leg {
    /// The pieces of the stay at the start and the way to the end, if they are known.
    var segments: [TrackSegment] {
        let stays = pieces.map { TrackSegment(leg: self, times: $0, speed: 0) }
        guard let end, case let duration = end.time - lastSeen, duration > .zero, duration <= TrackSegment.longestWay
        else {
            return stays
        }
        let way = TrackSegment(leg: self, times: lastSeen...end.time, speed: length / duration.seconds)
        return (lastSeen > start.time ? stays : []) + [way]
    }
}

/// Finds encounters in two tracks whose segments come in the order of time.
///
/// What is found of two segments does not depend on the window, so that the parts of an answer fit together.
struct EncounterFinder {
    let within: Double
    /// Only what happens then is told.
    let window: Range<Timestamp>
    private(set) var found: [Encounter] = []
    /// At how many instants it was worked out where both were.
    private(set) var evaluations = 0
    private var open: Encounter?

    init(within: Double, window: Range<Timestamp>) {
        self.within = within
        self.window = window
    }

    /// Looks at the time that two segments have in common.
    mutating func look(_ a: TrackSegment, _ b: TrackSegment) {
        let from = max(a.times.lowerBound, b.times.lowerBound)
        let to = min(a.times.upperBound, b.times.upperBound)
        guard from <= to, to >= window.lowerBound, from < window.upperBound else { return }
        var approach = ClosestApproach(a, b)
        for times in approach.times(within: within, from: from.milliseconds, to: to.milliseconds) {
            add(times, a.leg, b.leg, &approach)
        }
        evaluations += approach.evaluations
    }

    /// Ends the encounter that goes on.
    mutating func finish() {
        if let open { found.append(open) }
        open = nil
    }

    private mutating func add(_ near: ClosedRange<Int64>, _ a: Leg, _ b: Leg, _ approach: inout ClosestApproach) {
        let window = window.lowerBound.milliseconds...window.upperBound.milliseconds - 1
        guard near.overlaps(window) else { return }
        let near = near.clamped(to: window)
        let times = Timestamp(milliseconds: near.lowerBound)...Timestamp(milliseconds: near.upperBound)
        if let known = open, times.lowerBound <= known.times.upperBound + .milliseconds(ClosestApproach.resolution) {
            open?.times = known.times.lowerBound...max(known.times.upperBound, times.upperBound)
            if let least = approach.least(in: near, below: known.distance) { take(least, a, b) }
        } else {
            finish()
            // By rounding they may have missed each other.
            guard let least = approach.least(in: near, below: .infinity), least.distance <= within else { return }
            open = Encounter(
                times: times, nearest: times.lowerBound, distance: 0, place: a.start.place, uncertainty: 0, basis: .seen
            )
            take(least, a, b)
        }
    }

    private mutating func take(_ least: (distance: Double, at: Int64), _ a: Leg, _ b: Leg) {
        let time = Timestamp(milliseconds: least.at)
        open?.nearest = time
        open?.distance = least.distance
        open?.place = a.place(at: time)
        open?.uncertainty = a.uncertainty(at: time) + b.uncertainty(at: time)
        open?.basis = a.isSeen(at: time) && b.isSeen(at: time) ? .seen : .reach
    }
}
