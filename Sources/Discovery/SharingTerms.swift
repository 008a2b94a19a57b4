internal import Storage

/// What a person shares, ready to be asked at any instant.
struct SharingTerms: Sendable {
    /// How long before an instant it is looked for when a timetable or earlier terms hid somebody last: more than a week, after
    /// which hours come again.
    static let lookback = Duration.seconds(8 * 86_400)

    private let precision: Precision
    private let pausedUntil: Timestamp?
    private let timetable: Timetable?
    /// Until when what the person shared before these terms hid them; nil if it never did.
    private(set) var hiddenUntil: Timestamp?

    init(_ sharing: Sharing, hiddenUntil: Timestamp? = nil) {
        precision = sharing.precision
        pausedUntil = sharing.pausedUntil
        timetable = sharing.timetable.map { Timetable(Timetable.Key(hours: $0.hours, zone: $0.timezone)) }
        self.hiddenUntil = hiddenUntil
    }

    /// Takes note that other terms were in force until an instant.
    mutating func follow(_ former: SharingTerms, endedAt end: Timestamp) {
        let last = end - .milliseconds(1)
        let hidden = former.precision(at: last) == .hidden ? end : former.shownSince(last)
        hiddenUntil = [hiddenUntil, hidden].compactMap(\.self).max()
    }

    /// How exactly others are told at most where the person is; hours of which nobody can tell count as closed.
    func precision(at time: Timestamp) -> Precision {
        if let pausedUntil, time < pausedUntil { return .hidden }
        if let timetable, !timetable.isOpen(at: time) { return .hidden }
        return precision
    }

    /// Whether the person was shown all the time between two instants, also by what they shared before.
    ///
    /// These terms are taken to have been in force as long as the earlier ones: that hides more rather than less.
    func shows(from: Timestamp, to: Timestamp) -> Bool {
        let from = min(from, to)
        guard from >= hiddenUntil ?? from, precision(at: from) < .hidden else { return false }
        return hides(after: from).map { $0 > to } ?? true
    }

    /// Since when the person is shown who is shown at an instant; nil if nothing is known to have hidden them.
    ///
    /// - Complexity: O(changes of the timetable in ``lookback``).
    func shownSince(_ time: Timestamp) -> Timestamp? {
        let first = time - Self.lookback
        let shown = shownTimes(in: first..<time + .milliseconds(1)).last?.lowerBound
        return [shown == first ? nil : shown, pausedUntil].compactMap(\.self).max()
    }

    /// The parts of an interval in which the person is shown exactly.
    ///
    /// - Complexity: O(changes of the timetable in the interval).
    func exactTimes(in times: Range<Timestamp>) -> [Range<Timestamp>] {
        precision == .exact ? shownTimes(in: times) : []
    }

    /// The parts of an interval in which neither a pause nor the timetable hides the person.
    private func shownTimes(in times: Range<Timestamp>) -> [Range<Timestamp>] {
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
