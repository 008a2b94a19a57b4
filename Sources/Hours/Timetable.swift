internal import Geo
public import Model
internal import Synchronization

/// The opening hours of a place in its time zone.
///
/// It is immutable and shared by all places with equal hours and zones.
package final class Timetable: Sendable {
    package let key: Key
    package let hours: OpeningHours
    /// nil if the zone is unknown; then the state is unknown.
    package let clock: WallClock?
    /// Whether it is always open, as far as the text shows without a calendar.
    private let isAlwaysOpen: Bool
    /// The last interval found to be open throughout, and whether it closes at the end.
    private let open = Mutex<(times: Range<Timestamp>, closes: Bool)?>(nil)

    /// The longest interval that is searched, unless the hours are always open.
    package static let lookback = OpeningHours.longestWait

    /// - Complexity: O(length of the text).
    package init(_ key: Key) {
        WorkBudget.count(key.hours.utf8.count * Self.stepsOfByte)
        self.key = key
        hours = OpeningHours(key.hours)
        isAlwaysOpen = hours.isAlwaysOpen
        clock = key.zone.flatMap(WallClock.of)
    }

    package struct Key: Hashable, Sendable {
        var hours: String
        var zone: String?

        package init(hours: String, zone: String? = nil) {
            self.hours = hours
            self.zone = zone
        }
    }

    /// The cost of parsing, in steps per byte.
    private static let stepsOfByte = 7

    package func isOpen(at instant: Timestamp) -> Bool {
        clock.map { hours.state(at: instant, by: $0) == .open } ?? false
    }

    /// Whether it is open throughout an interval; false for more than ``lookback`` unless it is always open.
    ///
    /// - Complexity: O(1) while it stays open, else O(log of the changes in a week); with dates in the rules O(rules *
    ///   days of the lookback).
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

    /// The earliest instant at which the state may change; nil if no change is known.
    package func end(after instant: Timestamp) -> Timestamp? {
        guard let clock, !isAlwaysOpen else { return nil }
        let last = instant + Self.lookback
        return hours.status(at: instant, by: clock, before: last).change?.at ?? last
    }
}

/// A query for opening hours at an instant.
public struct OpeningQuery: Sendable {
    /// The instant.
    public var instant: Timestamp
    /// Whether the query selects only places that are known to be open then.
    public var isFilter: Bool

    /// Creates a query for the hours at an instant; a filter selects places that are open then.
    public init(at instant: Timestamp, isFilter: Bool = false) {
        self.instant = instant
        self.isFilter = isFilter
    }
}

/// The opening hours of a place at an instant.
public struct HoursNearby: Sendable {
    private let timetable: Timetable
    private let instant: Timestamp

    package init(_ timetable: Timetable, at instant: Timestamp) {
        self.timetable = timetable
        self.instant = instant
    }

    /// Whether the hours are understood.
    public var isUnderstood: Bool { timetable.hours.isUnderstood }

    /// Notes about the interpretation of the hours, as sentences; empty for hours in the standard syntax.
    public var warnings: [String] { timetable.hours.warnings }

    /// Whether the hours differ on holidays, which are unknown here.
    public var namesHolidays: Bool { timetable.hours.namesHolidays }

    /// The state; unknown if the hours are not understood or the zone is unknown.
    ///
    /// - Complexity: O(log of the changes in a week); with dates in the rules O(rules).
    public var state: OpeningState {
        timetable.clock.map { timetable.hours.state(at: instant, by: $0) } ?? .unknown
    }

    /// The state, and its change within ``OpeningHours/longestWait``; too slow for a read of the live state.
    ///
    /// - Complexity: O(log of the changes in a week); with dates in the rules O(rules * days until the change).
    public var status: OpeningStatus {
        timetable.clock.map { timetable.hours.status(at: instant, by: $0) }
            ?? OpeningStatus(state: .unknown, change: nil)
    }
}

/// The reference-counted timetables of all places, each held once.
package struct Timetables: Sendable {
    private var kept: [Timetable.Key: (timetable: Timetable, places: Int)] = [:]

    package init() {}

    /// Returns the shared timetable and counts one more place.
    package mutating func take(_ key: Timetable.Key) -> Timetable {
        if let known = kept[key] {
            kept[key]?.places += 1
            return known.timetable
        }
        let timetable = Timetable(key)
        kept[key] = (timetable, 1)
        return timetable
    }

    /// Releases a timetable for one place.
    package mutating func giveBack(_ key: Timetable.Key) {
        guard let known = kept[key] else { return }
        if known.places == 1 { kept[key] = nil } else { kept[key]?.places -= 1 }
    }
}
