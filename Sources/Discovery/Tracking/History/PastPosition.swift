public import Geo
public import Model

/// A person's position at a past time, by stored positions.
public struct PastPosition: Sendable {
    /// The evidence for a past position.
    public enum Basis: String, Sendable {
        /// A stored position at that time, or throttled pings before and after it that prove a stay there.
        case seen
        /// The area reachable at the maximum speed from the stored position before and to the one after.
        case reach
    }

    /// The method by which the place was derived.
    public enum Method: String, Sendable {
        /// The place of the last stored position.
        case last
        /// Interpolated on the geodesic between the stored positions before and after, in proportion to time.
        case interpolated
    }

    /// The person's position, or the place that stands for it.
    public var place: Coordinate
    /// Radius in meters around ``place`` that contains the person, by reported accuracies and the maximum speed.
    ///
    /// For ``Basis/seen`` also if a person who left only came back after a stored ping. Nil at a coarse precision.
    public var uncertainty: Double?
    /// The evidence.
    public var basis: Basis
    /// The method by which the place was derived.
    public var method: Method
    /// The fix time of the stored position before; at a coarse precision the rounded time of the last sighting there.
    public var time: Timestamp
    /// The latest time at which the person is known to have still been near it; nil for none after ``time``.
    public var seenUntil: Timestamp?
    /// The fix time of the stored position after; nil if there is none.
    public var next: Timestamp?
    /// The age of the last sighting at that time; zero during a stay.
    public var age: Duration
    /// The precision of the place.
    public var precision: Precision

    init(_ leg: Leg, at time: Timestamp) {
        let seen = leg.seen(before: time)
        let isSeen = seen == time
        place = leg.place(at: time)
        uncertainty = leg.uncertainty(at: time)
        basis = isSeen ? .seen : .reach
        method = time <= leg.lastSeen || leg.end == nil ? .last : .interpolated
        self.time = leg.start.time
        seenUntil = leg.lastSeen > leg.start.time ? leg.lastSeen : nil
        next = leg.end?.time
        age = time - seen
        precision = .exact
    }

    /// A past position at a coarse precision: a place that stands for the stored position before, and rounded times.
    init(_ leg: Leg, at time: Timestamp, shown place: Coordinate, _ precision: Precision) {
        let seen = leg.seen(before: time)
        self.place = place
        self.precision = precision
        uncertainty = nil
        basis = seen == time ? .seen : .reach
        method = .last
        self.time = precision.rounded(seen)
        seenUntil = nil
        next = nil
        age = time - self.time
    }
}
