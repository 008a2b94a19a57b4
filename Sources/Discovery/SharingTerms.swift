internal import Storage

/// What a person shares, ready to be asked at any instant.
struct SharingTerms: Sendable {
    private let precision: Precision
    private let pausedUntil: Timestamp?
    private let timetable: Timetable?

    init(_ sharing: Sharing) {
        precision = sharing.precision
        pausedUntil = sharing.pausedUntil
        timetable = sharing.timetable.map { Timetable(Timetable.Key(hours: $0.hours, zone: $0.timezone)) }
    }

    /// How exactly others are told at most where the person is; hours of which nobody can tell count as closed.
    func precision(at time: Timestamp) -> Precision {
        if let pausedUntil, time < pausedUntil { return .hidden }
        if let timetable, !timetable.isOpen(at: time) { return .hidden }
        return precision
    }

    /// The parts of an interval in which the person is shown exactly.
    ///
    /// - Complexity: O(changes of the timetable in the interval).
    func exactTimes(in times: Range<Timestamp>) -> [Range<Timestamp>] {
        guard precision == .exact else { return [] }
        var time = max(times.lowerBound, pausedUntil ?? times.lowerBound)
        guard let timetable else { return time < times.upperBound ? [time..<times.upperBound] : [] }
        guard let clock = timetable.clock else { return [] }
        var open: [Range<Timestamp>] = []
        while time < times.upperBound {
            let status = timetable.hours.status(at: time, by: clock)
            let end = min(status.change?.at ?? time + OpeningHours.longestWait, times.upperBound)
            if status.state == .open { open.append(time..<end) }
            time = end
        }
        return open
    }

    /// When the timetable next hides the person who is shown at an instant; nil if nobody knows of it.
    func hides(after time: Timestamp) -> Timestamp? {
        guard let timetable, let clock = timetable.clock else { return nil }
        return timetable.hours.status(at: time, by: clock).change?.at
    }
}

extension Precision {
    /// To which time answers of this precision are rounded down; nil for none.
    ///
    /// The very time of a position tells of somebody who is known to have been somewhere then, such as on a train, who it was
    /// and how far they have come.
    var grain: Duration? {
        switch self {
        case .exact: nil
        case .approximate: .seconds(900)
        case .city, .hidden: .seconds(3600)
        }
    }

    /// The latest time up to an instant that answers of this precision may tell.
    func rounded(_ time: Timestamp) -> Timestamp {
        guard let grain = grain?.milliseconds else { return time }
        let rest = time.milliseconds % grain
        return Timestamp(milliseconds: time.milliseconds - (rest < 0 ? rest + grain : rest))
    }
}
