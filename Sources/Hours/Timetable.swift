internal import Geo
public import Model
internal import Synchronization

/// When a place is open, by its own clock.
///
/// Unchanging, and the same object for all places with the same hours in the same zone.
package final class Timetable: Sendable {
    package let key: Key
    package let hours: OpeningHours
    /// nil if nobody knows the zone; then the state is unknown.
    package let clock: WallClock?
    /// Whether it is open always, as far as the text tells without a calendar.
    private let isAlwaysOpen: Bool
    /// When it was last found to be open all the time, and whether it closes at the end of that.
    private let open = Mutex<(times: Range<Timestamp>, closes: Bool)?>(nil)

    /// What is not known to be open always is looked at for so long at most.
    package static let lookback = OpeningHours.longestWait

    /// - Complexity: O(length of the text).
    package init(_ key: Key) {
        Effort.count(key.hours.utf8.count * Self.stepsOfByte)
        self.key = key
        hours = OpeningHours(key.hours)
        isAlwaysOpen = hours.isAlwaysOpen
        clock = key.zone.flatMap(WallClock.of)
    }

    /// What a timetable is made of.
    package struct Key: Hashable, Sendable {
        var hours: String
        var zone: String?

        package init(hours: String, zone: String? = nil) {
            self.hours = hours
            self.zone = zone
        }
    }

    /// What reading a text costs.
    private static let stepsOfByte = 7

    package func isOpen(at instant: Timestamp) -> Bool {
        clock.map { hours.state(at: instant, by: $0) == .open } ?? false
    }

    /// Whether it is open all the time between two instants; one that may close does not tell of more than ``lookback``.
    ///
    /// - Complexity: O(1) while it stays open, else O(log of the changes in a week); with dates in the rules
    ///   O(rules * days of the lookback).
    package func isOpen(from: Timestamp, to: Timestamp) -> Bool {
        guard let clock else { return false }
        if isAlwaysOpen { return true }
        guard to - from <= Self.lookback else { return false }
        if let known = open.withLock({ $0 }), known.times.contains(from), known.closes || known.times.contains(to) {
            return known.times.contains(to)
        }
        let end = from + Self.lookback + .milliseconds(1)
        let status = hours.status(at: from, by: clock, before: end)
        guard status.state == .open else { return false }
        let times = from..<(status.change?.at ?? end)
        open.withLock { $0 = (times, status.change != nil) }
        return times.contains(to)
    }

    /// Until when the state at an instant holds at least; nil for as long as anybody can tell.
    package func end(after instant: Timestamp) -> Timestamp? {
        guard let clock, !isAlwaysOpen else { return nil }
        let last = instant + Self.lookback
        return hours.status(at: instant, by: clock, before: last).change?.at ?? last
    }
}

/// Of which instant hours are told in answers.
public struct OpeningQuery: Sendable {
    /// The instant.
    public var instant: Timestamp
    /// Whether only places are wanted that are known to be open then.
    public var isFilter: Bool

    /// A query for hours at an instant; if it is a filter, for places that are open then.
    public init(at instant: Timestamp, isFilter: Bool = false) {
        self.instant = instant
        self.isFilter = isFilter
    }
}

/// What is known of a place's hours at an instant.
public struct HoursNearby: Sendable {
    private let timetable: Timetable
    private let instant: Timestamp

    package init(_ timetable: Timetable, at instant: Timestamp) {
        self.timetable = timetable
        self.instant = instant
    }

    /// Whether the hours are understood.
    public var isUnderstood: Bool { timetable.hours.isUnderstood }

    /// How the hours were read, as sentences; empty if they are written in the standard syntax.
    public var warnings: [String] { timetable.hours.warnings }

    /// Whether the hours are others on holidays, which are not known.
    public var namesHolidays: Bool { timetable.hours.namesHolidays }

    /// The state; unknown if the hours are not understood or the zone is not known.
    ///
    /// - Complexity: O(log of the changes in a week); with dates in the rules O(rules).
    public var state: OpeningState {
        timetable.clock.map { timetable.hours.state(at: instant, by: $0) } ?? .unknown
    }

    /// The state, and when it changes if that is within ``OpeningHours/longestWait``: too long a search for a reading of the
    /// picture.
    ///
    /// - Complexity: O(log of the changes in a week); with dates in the rules O(rules * days until the change).
    public var status: OpeningStatus {
        timetable.clock.map { timetable.hours.status(at: instant, by: $0) }
            ?? OpeningStatus(state: .unknown, change: nil)
    }
}

/// The timetables of all places, each held once and as long as a place has it.
package struct Timetables: Sendable {
    private var kept: [Timetable.Key: (timetable: Timetable, places: Int)] = [:]

    package init() {}

    /// The timetable for one place more.
    package mutating func take(_ key: Timetable.Key) -> Timetable {
        if let known = kept[key] {
            kept[key]?.places += 1
            return known.timetable
        }
        let timetable = Timetable(key)
        kept[key] = (timetable, 1)
        return timetable
    }

    /// Gives a timetable back for one place.
    package mutating func giveBack(_ key: Timetable.Key) {
        guard let known = kept[key] else { return }
        if known.places == 1 { kept[key] = nil } else { kept[key]?.places -= 1 }
    }
}
