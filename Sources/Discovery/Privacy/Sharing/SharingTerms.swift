internal import Hours
internal import Model

/// A person's sharing settings, compiled for queries at any instant.
struct SharingTerms: Sendable {
    private let precision: Precision
    private let pausedUntil: Timestamp?
    private let timetable: Timetable?
    /// Until when the person's earlier settings may have hidden them; nil if they never did.
    private var hiddenUntil: Timestamp?
    /// Since when these settings are in force; nil since the beginning.
    private(set) var since: Timestamp?

    init(_ sharing: Sharing, after former: SharingTerms? = nil) {
        precision = sharing.precision
        pausedUntil = sharing.pausedUntil
        timetable = sharing.timetable.map { Timetable(Timetable.Key(hours: $0.hours, zone: $0.timezone)) }
        (hiddenUntil, since) = (former?.hiddenUntil, former?.since)
    }

    /// Whether they equal the settings of a person who never changed the defaults.
    var isUsual: Bool {
        precision == Sharing().precision && pausedUntil == nil && timetable == nil && hiddenUntil == nil && since == nil
    }

    /// Records that other settings were in force until an instant; a timetable counts as hiding the person at its end.
    mutating func follow(_ former: SharingTerms, endedAt end: Timestamp) {
        let hidden =
            former.precision == .hidden || former.timetable != nil ? end : former.pausedUntil.map { min($0, end) }
        hiddenUntil = [hiddenUntil, hidden].compactMap(\.self).max()
        since = end
    }

    /// The finest precision at which others may see the person; hours without a known state count as closed.
    func precision(at time: Timestamp) -> Precision {
        if let pausedUntil, time < pausedUntil { return .hidden }
        if let timetable, !timetable.isOpen(at: time) { return .hidden }
        return precision
    }

    /// Whether the person was shown throughout an interval, also by their earlier settings.
    ///
    /// These settings count as in force as long as the earlier ones, and a timetable that may hide counts as hiding
    /// beyond ``Timetable/lookback``, which hides more rather than less.
    ///
    /// - Complexity: as ``Timetable/isOpen(from:to:)``.
    func shows(from: Timestamp, to: Timestamp) -> Bool {
        let from = min(from, to)
        guard from >= hiddenUntil ?? from, from >= pausedUntil ?? from, precision < .hidden else { return false }
        return timetable?.isOpen(from: from, to: to) ?? true
    }

    /// Whether the person was shown, or hidden, throughout an interval; beyond ``Timetable/lookback`` a timetable gives
    /// false.
    func isSame(from: Timestamp, to: Timestamp) -> Bool { shows(from: from, to: to) || hides(from: from, to: to) }

    /// Whether the settings that decide the person's visibility did not change in (`from`, `to`].
    func isUnchanged(from: Timestamp, to: Timestamp) -> Bool {
        let borders = [since, hiddenUntil, pausedUntil].compactMap(\.self)
        guard !borders.contains(where: { from < $0 && $0 <= to }) else { return false }
        guard timetable != nil, to >= since ?? to else { return true }
        return isSame(from: from, to: to)
    }

    private func hides(from: Timestamp, to: Timestamp) -> Bool {
        guard from >= since ?? from, precision(at: from) == .hidden else { return false }
        if precision == .hidden || pausedUntil.map({ to < $0 }) ?? false { return true }
        return pausedUntil ?? from <= from && to - from <= Timetable.lookback && change(after: from, to: to) == nil
    }

    /// The timetable's first change in an interval; nil if none is known.
    ///
    /// - Complexity: O(log of its changes in a week); with dates in the rules O(rules * days until then).
    func change(after from: Timestamp, to: Timestamp) -> Timestamp? {
        guard let timetable, let clock = timetable.clock else { return nil }
        return timetable.hours.status(at: from, by: clock, before: to + .milliseconds(1)).change?.at
    }

    /// A lower bound for the end of the timetable's current state; nil for always.
    func end(after instant: Timestamp) -> Timestamp? { timetable?.end(after: instant) }

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
            let status = timetable.hours.status(at: time, by: clock, before: times.upperBound)
            let end = status.change?.at ?? times.upperBound
            if status.state == .open { open.append(time..<end) }
            time = end
        }
        return open
    }
}

extension Precision {
    /// The granularity to which times are rounded down at this precision; nil for none.
    ///
    /// An exact time identifies a person known to have been somewhere then, such as on a train, and reveals their
    /// progress.
    var grain: Duration? {
        switch self {
        case .exact: nil
        case .approximate: .seconds(900)
        case .city, .hidden: .seconds(3600)
        }
    }

    /// The latest visible time up to an instant at this precision.
    func rounded(_ time: Timestamp) -> Timestamp {
        guard let grain = grain?.milliseconds else { return time }
        let rest = time.milliseconds % grain
        return Timestamp(milliseconds: time.milliseconds - (rest < 0 ? rest + grain : rest))
    }
}
