public import Geo
public import Model

/// A time span during which two people were near each other.
public struct Encounter: Hashable, Sendable {
    /// The start and end, both included.
    public var times: ClosedRange<Timestamp>
    /// The time of the least distance.
    public var nearest: Timestamp
    /// The least distance in meters.
    public var distance: Double
    /// The first person's position at that time.
    public var place: Coordinate
    /// Maximum error of the distance in meters: the uncertainty of both positions.
    public var uncertainty: Double
    /// Whether both were seen there, or at least one position is interpolated.
    public var basis: PastPosition.Basis
}

/// A segment of a person's track: a stay, or the path between two stored positions.
struct TrackSegment: Sendable {
    /// Maximum duration of a path; nothing is known about longer ones.
    static let maxInterpolatedGap = Duration.seconds(3600)

    let leg: Leg
    let times: ClosedRange<Timestamp>
    /// In meters per second.
    let speed: Double
}

extension Leg {
    /// The segments of the stay at the start and of the path to the end, as far as known.
    var segments: [TrackSegment] {
        let stays = pieces.map { TrackSegment(leg: self, times: $0, speed: 0) }
        guard let end, case let duration = end.time - lastSeen, duration > .zero,
            duration <= TrackSegment.maxInterpolatedGap
        else {
            return stays
        }
        let way = TrackSegment(leg: self, times: lastSeen...end.time, speed: length / duration.seconds)
        return (lastSeen > start.time ? stays : []) + [way]
    }
}

/// Finds encounters in two tracks with segments in order of time.
///
/// The result for two segments does not depend on the window, so that pages fit together.
struct EncounterFinder {
    let within: Double
    /// Only encounters within it are reported.
    let window: Range<Timestamp>
    private(set) var found: [Encounter] = []
    /// Number of instants at which both positions were computed.
    private(set) var evaluations = 0
    private var open: Encounter?

    init(within: Double, window: Range<Timestamp>) {
        self.within = within
        self.window = window
    }

    /// Examines the common time span of two segments.
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

    /// Ends the open encounter.
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
            // Rounding may have moved them out of range.
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
