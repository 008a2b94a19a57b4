/// A time of day as written, before it is interpreted.
enum HoursTime: Hashable, Sendable {
    case clock(ClockTime)
    /// Sunrise or a similar event, which is not computed.
    case sun(String)
}

/// Hours and minutes as written.
struct ClockTime: Hashable, Sendable {
    var hour, minute: Int
    /// Whether the minutes are omitted.
    var isBare: Bool
    /// Whether the hour has one digit.
    var isShort: Bool
    /// Whether `pm` is written, rather than `am`; nil for neither.
    var isAfternoon: Bool?

    /// Whether this time is only possible on a 24-hour clock.
    var showsFullDay: Bool { isAfternoon == nil && (hour >= 13 || hour < 10 && !isShort) }

    /// Minutes since midnight on a 24-hour clock, or according to `am` and `pm`.
    var minutes: Int {
        guard let isAfternoon else { return hour * 60 + minute }
        return (hour % 12 + (isAfternoon ? 12 : 0)) * 60 + minute
    }

    func with(isAfternoon: Bool) -> ClockTime {
        var time = self
        time.isAfternoon = isAfternoon
        return time
    }
}

/// A range of times as written.
struct HoursRange: Hashable, Sendable {
    var start: HoursTime
    var end: HoursTime?
    /// Whether the end is open and unknown.
    var isOpenEnded: Bool

    static let wholeDay = HoursRange(
        start: .clock(ClockTime(hour: 0, minute: 0, isBare: false, isShort: true)),
        end: .clock(ClockTime(hour: 24, minute: 0, isBare: false, isShort: false)), isOpenEnded: false)

    /// Interprets the range; the spans are open, or unknown where the end is.
    ///
    /// - Parameter isFullDay: whether other times of the text imply a 24-hour clock.
    /// - Returns: spans relative to the day on which they begin, and the range in the standard syntax.
    /// - Throws: ``HoursFault`` if it is ambiguous.
    func resolved(isFullDay: Bool) throws(HoursFault) -> (spans: [HoursSpan], words: String) {
        switch (start, end) {
        case (.clock(let start), nil):
            guard !start.isBare || isFullDay || start.isAfternoon != nil else { throw Self.ambiguous(start, nil) }
            let minutes = try Self.checked(start)
            return ([Self.openEnd(minutes)], Self.text(minutes) + "+")
        case (.clock(let start), .clock(let end)?):
            let (first, last) = try Self.minutes(start, end, isFullDay: isFullDay)
            let span = HoursSpan(start: first, end: last, state: isEmptyOrWhole ? .unknown : .open)
            if isEmptyOrWhole { return ([span], Self.text(first) + "-" + Self.text(first)) }
            let words = Self.text(first) + "-" + Self.text(last <= first + 1440 && last > 1440 ? last - 1440 : last)
            return isOpenEnded ? ([span, Self.openEnd(last)], words + "+") : ([span], words)
        case (.clock(let start), .sun(let end)?):
            let minutes = try Self.checked(start)
            return ([HoursSpan(start: minutes, end: 1440, state: .unknown)], Self.text(minutes) + "-" + end)
        case (.sun(let start), .clock(let end)?):
            let minutes = try Self.checked(end)
            let last = minutes <= 720 ? minutes + 1440 : minutes
            return ([HoursSpan(start: 0, end: last, state: .unknown)], start + "-" + Self.text(minutes))
        case (.sun(let start), .sun(let end)?):
            // From sunset to sunrise the night continues into the next day.
            return ([HoursSpan(start: 0, end: 2160, state: .unknown)], start + "-" + end)
        case (.sun(let start), nil):
            return ([HoursSpan(start: 0, end: 2160, state: .unknown)], start + "+")
        }
    }

    private static func minutes(
        _ start: ClockTime, _ end: ClockTime, isFullDay: Bool
    ) throws(HoursFault) -> (Int, Int) {
        switch (start.isAfternoon, end.isAfternoon) {
        case (nil, nil):
            if start.isBare || end.isBare, !isFullDay { throw ambiguous(start, end) }
            let first = try checked(start)
            let last = end.minutes
            guard end.hour <= 48, last <= 2880, end.minute < 60 else {
                throw HoursFault("\(text(last)) does not exist")
            }
            // Other times prove nothing here: 1:30-5:30 beside 13:00-17:00 is still an afternoon.
            if last > first {
                if start.isShort, (1...5).contains(start.hour), !end.showsFullDay { throw ambiguous(start, end) }
                return (first, last)
            }
            // 9:00-5:00 and 11:00-10:00 may be nights or working days.
            if start.hour <= 12, end.hour > 0, end.isShort || !end.showsFullDay && (last < first || end.isBare) {
                throw ambiguous(start, end)
            }
            return (first, last + 1440)
        case (nil, _?):
            guard (1...12).contains(start.hour), start.minute < 60 else { throw ambiguous(start, end) }
            let last = try checked(end)
            let readings = [false, true].map { start.with(isAfternoon: $0).minutes }
            let possible = readings.filter { 0 < $0 && $0 < last }
            guard possible.count == 1 else { throw ambiguous(start, end) }
            return (possible[0], last)
        case (_?, nil):
            let first = try checked(start)
            guard end.hour > 12, end.minutes > first, end.minutes <= 1440 else { throw ambiguous(start, end) }
            return (first, end.minutes)
        case (_?, _?):
            let (first, last) = (try checked(start), try checked(end))
            // An opening at 12am may mean noon.
            if first == 0 { throw ambiguous(start, end) }
            return (first, last > first ? last : last + 1440)
        }
    }

    /// Whether the range begins and ends at the same time of a 24-hour clock, as for never or always.
    var isEmptyOrWhole: Bool {
        guard case .clock(let start) = start, case .clock(let end)? = end else { return false }
        return (start.hour, start.minute) == (end.hour, end.minute)
            && (start.isAfternoon, end.isAfternoon) == (nil, nil)
    }

    /// Whether the range is from midnight to midnight.
    var isMidnight: Bool {
        guard isEmptyOrWhole, case .clock(let start) = start else { return false }
        return (start.hour, start.minute) == (0, 0)
    }

    /// Refuses ranges of one day that are in order only on a 12-hour clock: `9:00-12:00,1:30-5:30`.
    static func refuseTwelveHours(_ ranges: [HoursRange]) throws(HoursFault) {
        for (before, after) in zip(ranges, ranges.dropFirst()) {
            guard case .clock(let first) = before.start, case .clock(let last)? = before.end,
                case .clock(let start) = after.start
            else { continue }
            var times = [first, last, start]
            if case .clock(let end)? = after.end { times.append(end) }
            guard times.allSatisfy({ $0.isAfternoon == nil }), times.contains(where: \.isShort) else { continue }
            let end = last.minutes <= first.minutes ? last.minutes + 1440 : last.minutes
            if start.minutes < end, mayBeAfternoon(start, times.count > 3 ? times[3] : nil, after: end) {
                throw ambiguous(start, times.count > 3 ? times[3] : nil)
            }
        }
    }

    /// Whether an afternoon from `start` on is later than the time before it, and in order.
    private static func mayBeAfternoon(_ start: ClockTime, _ last: ClockTime?, after end: Int) -> Bool {
        // A later start does not explain itself, but the time before it may be in 12-hour time.
        if start.hour >= 13 { return true }
        guard start.minutes + 720 >= end else { return false }
        return last.map { $0.hour < 13 || start.minutes + 720 < $0.minutes } ?? true
    }

    private static func checked(_ time: ClockTime) throws(HoursFault) -> Int {
        guard time.minute < 60, time.hour <= 24, time.minutes <= 1440,
            time.isAfternoon == nil || (1...12).contains(time.hour)
        else { throw HoursFault("\(text(time.hour * 60 + time.minute)) does not exist") }
        return time.minutes
    }

    private static func ambiguous(_ start: ClockTime, _ end: ClockTime?) -> HoursFault {
        let times = [start, end].compactMap { $0.map { text($0.hour * 60 + $0.minute) } }.joined(separator: "-")
        return HoursFault("\(times) may be in 12-hour or 24-hour time")
    }

    /// The duration of an open end, as guessed by the reference implementation.
    private static func openEnd(_ start: Int) -> HoursSpan {
        let length = start >= 22 * 60 ? 8 * 60 : start >= 17 * 60 ? 10 * 60 : 1440 - start
        return HoursSpan(start: start, end: min(start + length, 2880), state: .unknown)
    }

    static func text(_ minutes: Int) -> String { "\((minutes / 60).twoDigits):\((minutes % 60).twoDigits)" }
}
