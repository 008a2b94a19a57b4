internal import Hours
internal import Model

/// What a person shares, ready to be asked at any instant.
struct SharingTerms: Sendable {
    private let precision: Precision
    private let pausedUntil: Timestamp?
    private let timetable: Timetable?
    /// Until when what the person shared before these terms may have hidden them; nil if it never did.
    private var hiddenUntil: Timestamp?
    /// Since when these terms are in force; nil since the beginning.
    private(set) var since: Timestamp?

    init(_ sharing: Sharing, after former: SharingTerms? = nil) {
        precision = sharing.precision
        pausedUntil = sharing.pausedUntil
        timetable = sharing.timetable.map { Timetable(Timetable.Key(hours: $0.hours, zone: $0.timezone)) }
        (hiddenUntil, since) = (former?.hiddenUntil, former?.since)
    }

    /// Whether they are those of who states nothing and never stated anything else.
    var isUsual: Bool {
        precision == Sharing().precision && pausedUntil == nil && timetable == nil && hiddenUntil == nil && since == nil
    }

    /// Takes note that other terms were in force until an instant: with a timetable they are taken to have hidden the person
    /// last.
    mutating func follow(_ former: SharingTerms, endedAt end: Timestamp) {
        let hidden =
            former.precision == .hidden || former.timetable != nil ? end : former.pausedUntil.map { min($0, end) }
        hiddenUntil = [hiddenUntil, hidden].compactMap(\.self).max()
        since = end
    }

    /// How exactly others are told at most where the person is; hours of which nobody can tell count as closed.
    func precision(at time: Timestamp) -> Precision {
        if let pausedUntil, time < pausedUntil { return .hidden }
        if let timetable, !timetable.isOpen(at: time) { return .hidden }
        return precision
    }

    /// Whether the person was shown all the time between two instants, also by what they shared before.
    ///
    /// These terms are taken to have been in force as long as the earlier ones, and a timetable that may hide to have hidden
    /// the person longer ago than ``Timetable/lookback``: that hides more rather than less.
    ///
    /// - Complexity: that of ``Timetable/isOpen(from:to:)``.
    func shows(from: Timestamp, to: Timestamp) -> Bool {
        let from = min(from, to)
        guard from >= hiddenUntil ?? from, from >= pausedUntil ?? from, precision < .hidden else { return false }
        return timetable?.isOpen(from: from, to: to) ?? true
    }

    /// Whether the person was shown all the time between two instants, or hidden all the time; of a timetable this is not told of
    /// more than ``Timetable/lookback``.
    func isSame(from: Timestamp, to: Timestamp) -> Bool { shows(from: from, to: to) || hides(from: from, to: to) }

    /// Whether nothing that decides how the person is shown changed after an instant, up to another.
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

    /// When the timetable first shows or hides the person after an instant, up to another; nil if nobody knows of it.
    ///
    /// - Complexity: O(log of its changes in a week); with dates in the rules O(rules * days until then).
    func change(after from: Timestamp, to: Timestamp) -> Timestamp? {
        guard let timetable, let clock = timetable.clock else { return nil }
        return timetable.hours.status(at: from, by: clock, before: to + .milliseconds(1)).change?.at
    }

    /// Until when at least the timetable goes on to show or hide the person as at an instant; nil for always.
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
