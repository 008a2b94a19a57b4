internal import Model

/// One rule of opening hours: on some days, at some times, something is so.
struct HoursRule: Hashable, Sendable {
    /// How a rule stands to those before it.
    enum Link: Hashable, Sendable {
        /// `;`: on its days the rules before do not hold.
        case override
        /// `,`: it holds as well.
        case addition
        /// `||`: it holds where those before say closed.
        case fallback
    }

    var link: Link
    var days: HoursDays
    /// Times of its days, which may go on into the next; empty for a day that is off.
    var spans: [HoursSpan]
    /// Whether the rules before do not hold on its days.
    ///
    /// Times that are off leave the rest of the day as it was.
    var resetsDays: Bool
    /// The times and what is then, in the standard syntax.
    var words: String

    /// Whether all of its days are open from their beginning to their end.
    var isOpenAllDay: Bool {
        spans.contains { $0.start == 0 && $0.end >= 1440 } && spans.allSatisfy { $0.state == .open }
    }
}

/// Minutes of a day, half-open; those from 1440 on are the next day's.
struct HoursSpan: Hashable, Sendable {
    var start, end: Int
    var state: OpeningState

    /// The same times in as few spans as can be, if all are of one state; else as they are, for the later ones prevail.
    static func merged(_ spans: [HoursSpan]) -> [HoursSpan] {
        guard let state = spans.first?.state, spans.allSatisfy({ $0.state == state }) else { return spans }
        var merged: [HoursSpan] = []
        for span in spans.sorted(by: { $0.start < $1.start }) {
            if let last = merged.last, span.start <= last.end {
                merged[merged.count - 1].end = max(last.end, span.end)
            } else {
                merged.append(span)
            }
        }
        return merged
    }
}

/// The days of a rule: those that are in one of each kind of range that is given.
struct HoursDays: Hashable, Sendable {
    var years: [ClosedRange<Int>] = []
    var dates: [HoursDates] = []
    var weeks: [HoursWeeks] = []
    /// A bit for each weekday, the lowest for Monday.
    var weekdays: UInt8 = 0
    var someWeekdays: [NthWeekday] = []

    /// A weekday's place in its month.
    struct NthWeekday: Hashable, Sendable {
        /// 0 for Monday.
        var weekday: Int
        /// 1 for the first, -1 for the last.
        var place: Int
    }

    /// Whether only weekdays count.
    var isWeekly: Bool { years.isEmpty && dates.isEmpty && weeks.isEmpty && someWeekdays.isEmpty }

    var isEveryDay: Bool { isWeekly && weekdays == 0 }

    /// The weekdays of a weekly rule.
    var weekdayBits: UInt8 { weekdays == 0 ? 0x7f : weekdays }

    /// Whether every day is one of these; false also where it would need a calendar to find out.
    var isEachDay: Bool {
        years.isEmpty && (dates.isEmpty || dates.contains(where: \.isWholeYear))
            && (weeks.isEmpty || weeks.contains(HoursWeeks(first: 1, last: 53, step: 1)))
            && (weekdays == 0x7f || weekdays == 0 && someWeekdays.isEmpty)
    }

    /// Whether a day of the one may be one of the other, as far as weekdays tell.
    func mayMeet(_ other: HoursDays) -> Bool {
        guard someWeekdays.isEmpty, other.someWeekdays.isEmpty else { return true }
        return weekdayBits & other.weekdayBits != 0
    }

    func contains(_ day: WallDay) -> Bool {
        if !years.isEmpty, !years.contains(where: { $0.contains(day.date.year) }) { return false }
        if !dates.isEmpty, !dates.contains(where: { $0.contains(day.date) }) { return false }
        if !weeks.isEmpty {
            let week = day.week
            guard weeks.contains(where: { $0.contains(week) }) else { return false }
        }
        if weekdays == 0, someWeekdays.isEmpty { return true }
        if weekdays >> day.weekday & 1 == 1 { return true }
        guard someWeekdays.contains(where: { $0.weekday == day.weekday }) else { return false }
        let places = day.places
        return someWeekdays.contains {
            $0.weekday == day.weekday && ($0.place == places.fromStart || $0.place == places.fromEnd)
        }
    }
}

/// Weeks of the year, every `step`-th from the first on.
struct HoursWeeks: Hashable, Sendable {
    var first, last, step: Int

    func contains(_ week: Int) -> Bool { first <= week && week <= last && (week - first) % step == 0 }
}

/// Days from one to another, both included; of every year when no year is given.
///
/// Without years the range may go on past the end of the year.
struct HoursDates: Hashable, Sendable {
    var first, last: Day

    struct Day: Hashable, Sendable {
        var year: Int?
        var month, day: Int
        /// Whether only the month was given.
        var isMonth: Bool

        var inYear: Int { month * 32 + day }
    }

    /// From the first of January to the last of December, of every year.
    var isWholeYear: Bool {
        first.year == nil && (first.month, first.day) == (1, 1) && (last.month, last.day) == (12, 31)
    }

    func contains(_ date: CalendarDate) -> Bool {
        let inYear = date.month * 32 + date.day
        if let year = first.year {
            let end = last.year ?? (last.inYear < first.inYear ? year + 1 : year)
            return (year, first.inYear) <= (date.year, inYear) && (date.year, inYear) <= (end, last.inYear)
        }
        return first.inYear <= last.inYear
            ? first.inYear <= inYear && inYear <= last.inYear : first.inYear <= inYear || inYear <= last.inYear
    }
}
