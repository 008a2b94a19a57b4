internal import Algorithms
internal import Foundation
internal import Model
internal import Synchronization

/// What the clocks on the walls of a time zone show.
///
/// The offsets from 1970 to 2100 are a table; times beyond are asked of Foundation.
public final class WallClock: Sendable {
    /// The IANA name of the zone.
    public let zone: String
    private let rules: TimeZone
    /// When each offset begins to hold, in milliseconds since 1970; the first holds before, too.
    private let starts: [Int64]
    /// The offsets from UTC, in milliseconds.
    private let offsets: [Int64]

    private static let tableEnd: Int64 = 4_102_444_800_000
    private static let known = Mutex<[String: WallClock]>([:])

    /// The clock of a zone, made once for the process; nil for a name that is no time zone's.
    public static func of(zone: String) -> WallClock? {
        if let clock = known.withLock({ $0[zone] }) { return clock }
        guard let rules = TimeZone(identifier: zone) else { return nil }
        let clock = WallClock(zone, rules)
        return known.withLock { clocks in
            let first = clocks[zone] ?? clock
            clocks[zone] = first
            return first
        }
    }

    private static let zones = Set(TimeZone.knownTimeZoneIdentifiers)

    /// Whether a name is that of an IANA time zone, rather than an abbreviation or a difference.
    public static func isZone(_ name: String) -> Bool {
        zones.contains(name) || (name.contains("/") || name == "UTC") && TimeZone(identifier: name) != nil
    }

    private init(_ zone: String, _ rules: TimeZone) {
        self.zone = zone
        self.rules = rules
        var starts: [Int64] = [0]
        var offsets = [Self.offset(rules, 0)]
        while let last = starts.last, let next = Self.change(rules, after: last), next < Self.tableEnd {
            starts.append(next)
            offsets.append(Self.offset(rules, next))
        }
        self.starts = starts
        self.offsets = offsets
    }

    /// What the clock shows at an instant, and the instant at which it may be set next.
    ///
    /// - Complexity: O(log of the changes in the table).
    func reading(at instant: Timestamp) -> (time: WallTime, until: Timestamp?) {
        let milliseconds = instant.milliseconds
        guard milliseconds < Self.tableEnd else { return foundationReading(at: instant) }
        // What was before the table is as at its beginning.
        let next = max(1, starts.partitioningIndex { $0 > milliseconds })
        let until = next < starts.count ? starts[next] : Self.tableEnd
        return (WallTime(milliseconds: milliseconds + offsets[next - 1]), Timestamp(milliseconds: until))
    }

    private func foundationReading(at instant: Timestamp) -> (time: WallTime, until: Timestamp?) {
        let offset = Self.offset(rules, instant.milliseconds)
        let until = Self.change(rules, after: instant.milliseconds).map { Timestamp(milliseconds: $0) }
        return (WallTime(milliseconds: instant.milliseconds + offset), until)
    }

    private static func offset(_ rules: TimeZone, _ milliseconds: Int64) -> Int64 {
        Int64(rules.secondsFromGMT(for: Date(timeIntervalSince1970: Double(milliseconds) / 1000))) * 1000
    }

    private static func change(_ rules: TimeZone, after milliseconds: Int64) -> Int64? {
        let instant = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
        guard let next = rules.nextDaylightSavingTimeTransition(after: instant) else { return nil }
        let found = Int64((next.timeIntervalSince1970 * 1000).rounded())
        return found > milliseconds ? found : nil
    }
}

/// A date and time as a clock on the wall shows it.
struct WallTime: Comparable, Sendable {
    /// Milliseconds since the clock showed the beginning of 1970, hours that were left out counted.
    var milliseconds: Int64

    /// The day, counted from 1970-01-01.
    var day: Int { Int(milliseconds.flooredDivision(by: 86_400_000)) }

    /// Whole minutes since midnight.
    var minute: Int { Int((milliseconds - Int64(day) * 86_400_000) / 60_000) }

    /// Whole minutes since Monday began.
    var minuteOfWeek: Int { WallDay.weekday(day) * 1440 + minute }

    /// The beginning of a minute, which may be of another day.
    init(day: Int, minute: Int) { milliseconds = (Int64(day) * 1440 + Int64(minute)) * 60_000 }

    init(milliseconds: Int64) { self.milliseconds = milliseconds }

    static func < (a: WallTime, b: WallTime) -> Bool { a.milliseconds < b.milliseconds }
}

/// A day as calendars show it.
struct WallDay: Sendable {
    /// Counted from 1970-01-01.
    let number: Int
    let date: CalendarDate
    /// 0 for Monday.
    let weekday: Int

    /// nil beyond the years 1 to 9999.
    init?(_ number: Int) {
        guard let date = CalendarDate(Timestamp(milliseconds: Int64(number) * 86_400_000)) else { return nil }
        self.number = number
        self.date = date
        weekday = Self.weekday(number)
    }

    /// 0 for Monday; 1970 began on a Thursday.
    static func weekday(_ number: Int) -> Int {
        let rest = (number + 3) % 7
        return rest < 0 ? rest + 7 : rest
    }

    /// The week of ISO 8601: that of the Thursday, counted from the one with the year's first Thursday.
    var week: Int {
        guard let thursday = WallDay(number - weekday + 3),
            let first = CalendarDate(year: thursday.date.year, month: 1, day: 1)
        else { return 0 }
        return (thursday.number - first.daysSinceEpoch) / 7 + 1
    }

    /// Which of its month's days of this weekday it is: the first is 1, counted from the end the last is -1.
    var places: (fromStart: Int, fromEnd: Int) {
        let next = CalendarDate(
            year: date.month == 12 ? date.year + 1 : date.year, month: date.month % 12 + 1, day: 1)
        let length = next.map { $0.daysSinceEpoch - (number - date.day + 1) } ?? 31
        return ((date.day - 1) / 7 + 1, -((length - date.day) / 7 + 1))
    }
}
