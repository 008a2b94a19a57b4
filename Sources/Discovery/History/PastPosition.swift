public import Geo
public import Model

/// Where a person was at an instant, as far as stored positions tell.
public struct PastPosition: Sendable {
    /// What the answer rests on.
    public enum Basis: String, Sendable {
        /// The instant is that of the stored position, or throttled pings before and after it tell of a stay there.
        case seen
        /// How far the person can have come, at the greatest speed, from the stored position before and to the one after.
        case reach
    }

    /// How the place was found.
    public enum Method: String, Sendable {
        /// It is that of the last stored position.
        case last
        /// It lies on the geodesic between the stored positions before and after, in proportion to time.
        case interpolated
    }

    /// Where the person was, or the place that stands for it.
    public var place: Coordinate
    /// The person was within this many metres of it, if every fix was as good as it said and nobody is faster than the rules say.
    ///
    /// For ``Basis/seen`` also if whoever left came back only after a ping that was stored. Nil at a coarse precision.
    public var uncertainty: Double?
    /// What the answer rests on.
    public var basis: Basis
    /// How the place was found.
    public var method: Method
    /// When the stored position before was fixed; at a coarse precision about when the person was last known to be there.
    public var time: Timestamp
    /// The latest time at which the person is known to have been near it still; nil for none after ``time``.
    public var seenUntil: Timestamp?
    /// When the stored position after was fixed, if there is one.
    public var next: Timestamp?
    /// How long before the instant the person was last seen; zero during a stay.
    public var age: Duration
    /// How exact the place is.
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

    /// What is told of a leg at a coarse precision: a place that stands for that of the stored position before, and times that
    /// are rounded.
    init(_ leg: Leg, at time: Timestamp, told place: Coordinate, _ precision: Precision) {
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
