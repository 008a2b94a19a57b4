internal import Algorithms
internal import Foundation
internal import Model
internal import Synchronization

/// The local time of a time zone.
///
/// The offsets from 1970 to 2100 are in a table; later times use Foundation.
public final class WallClock: Sendable {
    /// The IANA name of the zone.
    public let zone: String
    private let rules: TimeZone
    /// The start of each offset, in milliseconds since 1970; the first offset also applies before.
    private let starts: [Int64]
    /// The offsets from UTC, in milliseconds.
    private let offsets: [Int64]

    private static let tableEnd: Int64 = 4_102_444_800_000
    private static let known = Mutex<[String: WallClock]>([:])

    /// The shared clock of a zone; nil if the name is not a time zone.
    public static func of(zone: String) -> WallClock? {
        if let clock = known.withLock({ $0[zone] }) { return clock }
        guard let rules = TimeZone(identifier: links[zone] ?? zone) else { return nil }
        let clock = WallClock(zone, rules)
        return known.withLock { clocks in
            let first = clocks[zone] ?? clock
            clocks[zone] = first
            return first
        }
    }

    /// The names without a region, by which IANA knows other zones, so that none is taken for an abbreviation.
    ///
    /// Source: https://data.iana.org/time-zones/tzdb-2024b/backward
    private static let links = [
        "CET": "Europe/Brussels", "CST6CDT": "America/Chicago", "Cuba": "America/Havana", "EET": "Europe/Athens",
        "EST": "America/Panama", "EST5EDT": "America/New_York", "Egypt": "Africa/Cairo", "Eire": "Europe/Dublin",
        "GB": "Europe/London", "GMT": "Etc/GMT", "HST": "Pacific/Honolulu", "Hongkong": "Asia/Hong_Kong",
        "Iceland": "Atlantic/Reykjavik", "Iran": "Asia/Tehran", "Israel": "Asia/Jerusalem",
        "Jamaica": "America/Jamaica", "Japan": "Asia/Tokyo", "MET": "Europe/Brussels", "MST": "America/Phoenix",
        "MST7MDT": "America/Denver", "NZ": "Pacific/Auckland", "PRC": "Asia/Shanghai", "PST8PDT": "America/Los_Angeles",
        "Poland": "Europe/Warsaw", "Portugal": "Europe/Lisbon", "ROC": "Asia/Taipei", "ROK": "Asia/Seoul",
        "Singapore": "Asia/Singapore", "Turkey": "Europe/Istanbul", "UCT": "Etc/UTC", "Universal": "Etc/UTC",
        "W-SU": "Europe/Moscow", "WET": "Europe/Lisbon", "Zulu": "Etc/UTC",
    ]

    /// Whether a zone has no summer time although most clocks that go by its name have.
    public static func lacksSummerTime(_ zone: String) -> Bool { ["EST", "MST"].contains(zone) }

    private static let zones = Set(TimeZone.knownTimeZoneIdentifiers)

    /// Whether a name is an IANA time zone, rather than an abbreviation or an offset.
    public static func isZone(_ name: String) -> Bool {
        zones.contains(name) || links[name] != nil
            || (name.contains("/") || name == "UTC") && TimeZone(identifier: name) != nil
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

    /// The local time at an instant, and the instant of the next possible offset change.
    ///
    /// - Complexity: O(log of the changes in the table).
    func reading(at instant: Timestamp) -> (time: WallTime, until: Timestamp?) {
        let milliseconds = instant.milliseconds
        guard milliseconds < Self.tableEnd else { return foundationReading(at: instant) }
        // Before the table its first offset applies.
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

/// A local date and time.
struct WallTime: Comparable, Sendable {
    /// Milliseconds of local time since the beginning of 1970, including skipped hours.
    var milliseconds: Int64

    /// The day number, counted from 1970-01-01.
    var day: Int { Int(milliseconds.flooredDivision(by: 86_400_000)) }

    /// Whole minutes since midnight.
    var minute: Int { Int((milliseconds - Int64(day) * 86_400_000) / 60_000) }

    /// Whole minutes since the beginning of Monday.
    var minuteOfWeek: Int { WallDay.weekday(day) * 1440 + minute }

    /// The beginning of a minute, which may belong to another day.
    init(day: Int, minute: Int) { milliseconds = (Int64(day) * 1440 + Int64(minute)) * 60_000 }

    init(milliseconds: Int64) { self.milliseconds = milliseconds }

    static func < (a: WallTime, b: WallTime) -> Bool { a.milliseconds < b.milliseconds }
}

struct WallDay: Sendable {
    /// The day number, counted from 1970-01-01.
    let number: Int
    let date: CalendarDate
    /// The weekday, 0 for Monday.
    let weekday: Int

    /// nil outside of the years 1 to 9999.
    init?(_ number: Int) {
        guard let date = CalendarDate(Timestamp(milliseconds: Int64(number) * 86_400_000)) else { return nil }
        self.number = number
        self.date = date
        weekday = Self.weekday(number)
    }

    /// The weekday, 0 for Monday; 1970 began on a Thursday.
    static func weekday(_ number: Int) -> Int {
        let rest = (number + 3) % 7
        return rest < 0 ? rest + 7 : rest
    }

    /// The ISO 8601 week: the week of its Thursday, counted from the week of the year's first Thursday.
    var week: Int {
        guard let thursday = WallDay(number - weekday + 3),
            let first = CalendarDate(year: thursday.date.year, month: 1, day: 1)
        else { return 0 }
        return (thursday.number - first.daysSinceEpoch) / 7 + 1
    }

    /// The occurrence of its weekday in the month: 1 is the first, -1 the last.
    var places: (fromStart: Int, fromEnd: Int) {
        let next = CalendarDate(
            year: date.month == 12 ? date.year + 1 : date.year, month: date.month % 12 + 1, day: 1)
        let length = next.map { $0.daysSinceEpoch - (number - date.day + 1) } ?? 31
        return ((date.day - 1) / 7 + 1, -((length - date.day) / 7 + 1))
    }
}
