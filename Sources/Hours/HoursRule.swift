internal import Model

/// One rule of opening hours: a state at some times of some days.
struct HoursRule: Hashable, Sendable {
    /// The relation of a rule to the rules before it.
    enum Link: Hashable, Sendable {
        /// `;`: it replaces the rules before it on its days.
        case override
        /// `,`: it applies in addition.
        case addition
        /// `||`: it applies where the rules before it are closed.
        case fallback
    }

    var link: Link
    var days: HoursDays
    /// Times of its days, which may continue into the next day; empty for a day that is off.
    var spans: [HoursSpan]
    /// Whether it replaces the rules before it on its days.
    ///
    /// Times that are off leave the rest of the day unchanged.
    var resetsDays: Bool
    /// The times and the state, in the standard syntax.
    var words: String

    /// Whether it opens its days from beginning to end.
    var isOpenAllDay: Bool {
        spans.contains { $0.start == 0 && $0.end >= 1440 } && spans.allSatisfy { $0.state == .open }
    }
}

/// Minutes of a day, half-open; minutes from 1440 on belong to the next day.
struct HoursSpan: Hashable, Sendable {
    var start, end: Int
    var state: OpeningState

    /// The times in the fewest spans, if all have one state; else unchanged, because later spans take precedence.
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

/// The days of a rule: the intersection of all kinds of ranges that are given.
struct HoursDays: Hashable, Sendable {
    var years: [ClosedRange<Int>] = []
    var dates: [HoursDates] = []
    var weeks: [HoursWeeks] = []
    /// A bit for each weekday; the lowest is Monday.
    var weekdays: UInt8 = 0
    var someWeekdays: [NthWeekday] = []

    /// A weekday's occurrence in its month.
    struct NthWeekday: Hashable, Sendable {
        /// 0 for Monday.
        var weekday: Int
        /// 1 for the first, -1 for the last.
        var place: Int
    }

    /// Whether the rule depends on weekdays only.
    var isWeekly: Bool { years.isEmpty && dates.isEmpty && weeks.isEmpty && someWeekdays.isEmpty }

    var isEveryDay: Bool { isWeekly && weekdays == 0 }

    /// The weekdays of a weekly rule.
    var weekdayBits: UInt8 { weekdays == 0 ? 0x7f : weekdays }

    /// Whether the rule covers every day; false also if that depends on a calendar.
    var isEachDay: Bool {
        years.isEmpty && (dates.isEmpty || dates.contains(where: \.isWholeYear))
            && (weeks.isEmpty || weeks.contains(HoursWeeks(first: 1, last: 53, step: 1)))
            && (weekdays == 0x7f || weekdays == 0 && someWeekdays.isEmpty)
    }

    /// Whether the days are of months, years and weeks, rather than single dates.
    var areSpans: Bool { self != HoursDays() && dates.allSatisfy { $0.first.isMonth || $0.first != $0.last } }

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

/// An inclusive range of days; of every year if no year is given.
///
/// Without years the range may continue beyond the end of the year.
struct HoursDates: Hashable, Sendable {
    var first, last: Day

    struct Day: Hashable, Sendable {
        var year: Int?
        var month, day: Int
        /// Whether only the month was given.
        var isMonth: Bool

        var inYear: Int { month * 32 + day }
    }

    /// Whether the range is from January 1 to December 31 of every year.
    var isWholeYear: Bool {
        first.year == nil && (first.month, first.day) == (1, 1) && (last.month, last.day) == (12, 31)
    }

    func contains(_ date: CalendarDate) -> Bool {
        let inYear = date.month * 32 + date.day
        if let year = first.year {
            let end = last.year ?? (last.inYear < first.inYear ? year + 1 : year)
            return (year, first.inYear) <= (date.year, inYear) && (date.year, inYear) <= (end, last.inYear)
        }
        return contains(inYear)
    }

    /// Whether the range has a day of every year.
    func contains(_ inYear: Int) -> Bool {
        first.inYear <= last.inYear
            ? first.inYear <= inYear && inYear <= last.inYear : first.inYear <= inYear || inYear <= last.inYear
    }
}
