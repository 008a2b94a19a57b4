extension HoursParser {
    /// Whether the next tokens name days.
    var beginsDays: Bool { beginsDays(0) }

    func beginsDays(_ ahead: Int) -> Bool {
        if let word = word(ahead) { return Self.namesDays(word) }
        return beginsYear(ahead)
    }

    private static func namesDays(_ word: String) -> Bool {
        HoursWords.weekdays[word] != nil || HoursWords.manyWeekdays[word] != nil || HoursWords.months[word] != nil
            || HoursWords.holidays.contains(word) || word == "week"
    }

    func beginsWeekdays(_ ahead: Int) -> Bool {
        word(ahead).map { HoursWords.weekdays[$0] != nil || HoursWords.manyWeekdays[$0] != nil } ?? false
    }

    private static let years = 1970...2199

    /// Whether a year comes next; `2026-2030` alone could also be times and is not a year.
    func beginsYear(_ first: Int = 0) -> Bool {
        guard case .number(let year, 4)? = token(first), Self.years.contains(year) else { return false }
        var ahead = first + 1
        while true {
            switch token(ahead) {
            case .symbol("-"), .symbol(","), .symbol("+"), .number(_, 4): ahead += 1
            case .symbol(":"): return true
            case .number: return isSymbol(":", ahead + 1)
            case .word(let word): return Self.namesDays(word) || HoursWords.states[word] != nil
            default: return false
            }
        }
    }

    /// Parses all days that come next.
    mutating func days(of draft: inout Draft) throws(HoursFault) {
        var hasWeekdays = false
        while true {
            if beginsYear() {
                guard draft.days.years.isEmpty, !hasWeekdays else { throw unexpected }
                if let word = word(1), HoursWords.months[word] != nil {
                    draft.days.dates = try dates()
                } else {
                    draft.days.years = try years()
                }
            } else if let word = word(), HoursWords.months[word] != nil {
                guard draft.days.dates.isEmpty, !hasWeekdays else { throw unexpected }
                draft.days.dates = try dates()
            } else if word() == "week" {
                guard draft.days.weeks.isEmpty, !hasWeekdays else { throw unexpected }
                draft.days.weeks = try weeks()
            } else if let word = word(), Self.namesDays(word) {
                guard !hasWeekdays else { throw unexpected }
                hasWeekdays = true
                try weekdays(of: &draft)
            } else if isSymbol(":"), draft.days != HoursDays() || draft.isHoliday {
                at += 1
                draft.promisesTimes = true
                if hasWeekdays { isLenient = true }
                // After years, dates and weeks a colon has no meaning, and weekdays may follow.
                guard !hasWeekdays, beginsDays else { return }
            } else if !hasWeekdays, isSymbol(","), beginsWeekdays(1), draft.days.areSpans {
                // "Jul-Aug, Mo-Fr" are the weekdays of these months.
                at += 1
                isLenient = true
            } else {
                return
            }
        }
    }

    private mutating func years() throws(HoursFault) -> [ClosedRange<Int>] {
        var years: [ClosedRange<Int>] = []
        repeat {
            let first = try number(Self.years)
            if skip("+") {
                years.append(first...HoursDays.lastYear)
            } else if skip("-") {
                let last = try number(Self.years)
                guard first <= last else { throw HoursFault("the years \(first)-\(last) run backwards") }
                years.append(first...last)
            } else {
                years.append(first...first)
            }
        } while listsNumber && skip(",")
        return years
    }

    private mutating func dates() throws(HoursFault) -> [HoursDates] {
        var dates: [HoursDates] = []
        while true {
            var first = try date(inMonthOf: nil)
            if first.year == nil, let before = dates.last, let year = before.first.year {
                guard before.last.year ?? year == year, before.first.inYear <= before.last.inYear,
                    before.last.inYear <= first.inYear
                else { throw HoursFault("of which year \(first) is remains open") }
                first.year = year
            }
            var last = first
            let saysTo =
                word().map(HoursWords.ranges.contains) ?? false && word(1).map { HoursWords.months[$0] != nil } ?? false
            if saysTo ? skipRange() : skip("-") {
                // In "Mar 9-17" the numbers may be hours.
                if case .number(_, let digits)? = next, digits <= 2 { mayBeHours = true }
                last = try date(inMonthOf: first)
            }
            if last.isMonth { last.day = 31 }
            if let end = last.year {
                guard let year = first.year, (year, first.inYear) <= (end, last.inYear) else {
                    throw HoursFault("the dates run backwards")
                }
            }
            dates.append(HoursDates(first: first, last: last))
            guard isSymbol(","), followsDate(first) else { return dates }
            at += 1
            if case .number(_, let digits)? = next, digits <= 2 { sameMonth = first } else { sameMonth = nil }
            mayBeHours = mayBeHours || sameMonth != nil && isSymbol("-", 1)
        }
    }

    /// Whether another date of the list follows a comma.
    private func followsDate(_ before: HoursDates.Day) -> Bool {
        if let word = word(1) { return HoursWords.months[word] != nil }
        guard case .number(_, let digits)? = token(1), digits <= 2, !before.isMonth else { return false }
        return !isHour(1) && !isSymbol(".", 2) && !marksHour(2)
    }

    /// Whether a number of up to two digits is an hour followed by minutes.
    ///
    /// In `Oct 30: 09:00` it is a day before the time, in `Oct 09:00` it is an hour.
    private func isHour(_ ahead: Int) -> Bool {
        guard isSymbol(":", ahead + 1), case .number(_, 2)? = token(ahead + 2) else { return false }
        return !isSymbol(":", ahead + 3) && !isSymbol("/", ahead + 3)
    }

    /// A month with an optional day; the end of a range within one month has only a day.
    private mutating func date(inMonthOf first: HoursDates.Day?) throws(HoursFault) -> HoursDates.Day {
        var year: Int?
        if case .number(let number, 4)? = next, Self.years.contains(number) {
            year = number
            at += 1
        }
        if let word = word(), let month = HoursWords.months[word] {
            takeWord()
            guard let day = dayOfMonth() else {
                return HoursDates.Day(year: year, month: month, day: 1, isMonth: true)
            }
            return try checked(HoursDates.Day(year: year, month: month, day: day, isMonth: false))
        }
        guard let same = first ?? sameMonth, !same.isMonth, year == nil, let day = dayOfMonth() else {
            throw unexpected
        }
        return try checked(HoursDates.Day(year: same.year, month: same.month, day: day, isMonth: false))
    }

    /// A day of a month, unless the number is an hour.
    private mutating func dayOfMonth() -> Int? {
        guard case .number(let day, let digits)? = next, digits <= 2, !isHour(0) else { return nil }
        if marksHour(1) { return nil }
        at += 1
        return day
    }

    private func marksHour(_ ahead: Int) -> Bool {
        word(ahead).map { $0 == "am" || $0 == "pm" || HoursWords.hourMarks.contains($0) } ?? false
    }

    private func checked(_ day: HoursDates.Day) throws(HoursFault) -> HoursDates.Day {
        let longest = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][day.month - 1]
        guard (1...longest).contains(day.day) else { throw HoursFault("\(day) does not exist") }
        return day
    }

    private mutating func weeks() throws(HoursFault) -> [HoursWeeks] {
        takeWord()
        var weeks: [HoursWeeks] = []
        repeat {
            let first = try number(1...53)
            var range = HoursWeeks(first: first, last: first, step: 1)
            if skip("-") {
                range.last = try number(1...53)
                if skip("/") { range.step = try number(1...52) }
            }
            guard range.first <= range.last else { throw HoursFault("the weeks \(range) run backwards") }
            weeks.append(range)
        } while listsNumber && skip(",")
        return weeks
    }

    /// Whether a number follows a comma, rather than the weekdays of these weeks or years.
    private var listsNumber: Bool { if case .number? = token(1) { true } else { false } }

    private mutating func number(_ range: ClosedRange<Int>) throws(HoursFault) -> Int {
        guard case .number(let number, _)? = next, range.contains(number) else { throw unexpected }
        at += 1
        return number
    }

    private mutating func weekdays(of draft: inout Draft) throws(HoursFault) {
        while true {
            if let word = word(), HoursWords.holidays.contains(word) {
                at += 1
                draft.isHoliday = true
                skipDayOffset()
                // Weekdays that follow without a comma apply to the holidays only.
                if beginsDays {
                    var unread = Draft(link: draft.link)
                    try weekdays(of: &unread)
                    return
                }
            } else {
                try weekday(of: &draft)
            }
            guard isSymbol(",") || word().map(HoursWords.ands.contains) ?? false || separatesDays, let word = word(1),
                HoursWords.weekdays[word] != nil || HoursWords.holidays.contains(word)
            else { return }
            if !isSymbol(",") { isLenient = true }
            at += 1
        }
    }

    /// Whether a slash stands between two single days, as in `Sa/So`.
    private var separatesDays: Bool {
        func isRange(_ ahead: Int) -> Bool {
            at + ahead >= 0 && (isSymbol("-", ahead) || word(ahead).map(HoursWords.ranges.contains) ?? false)
        }
        return isSymbol("/") && !isRange(-2) && !isRange(2)
    }

    /// Skips the `+1 day` of a holiday.
    private mutating func skipDayOffset() {
        guard isSymbol("+") || isSymbol("-"), case .number? = token(1), let word = word(2), word.hasPrefix("day")
        else { return }
        at += 3
    }

    private mutating func weekday(of draft: inout Draft) throws(HoursFault) {
        guard let name = word() else { throw unexpected }
        if let bits = HoursWords.manyWeekdays[name] {
            takeWord()
            draft.days.weekdays |= bits
            return
        }
        guard let first = HoursWords.weekdays[name] else { throw unexpected }
        takeWord()
        skipAbbreviationDot()
        if skip("[") { return try places(of: first, &draft) }
        guard isSymbol("-") || word().map(HoursWords.ranges.contains) ?? false, let word = word(1),
            let last = HoursWords.weekdays[word]
        else {
            draft.days.weekdays |= 1 << UInt8(first)
            return
        }
        guard skipRange() else { throw unexpected }
        takeWord()
        skipAbbreviationDot()
        for day in first...(last >= first ? last : last + 7) { draft.days.weekdays |= 1 << UInt8(day % 7) }
    }

    private mutating func skipAbbreviationDot() {
        if skip(".") { isLenient = true }
    }

    /// The occurrences of a weekday in its month, such as `1,3]` or `-1]`.
    private mutating func places(of weekday: Int, _ draft: inout Draft) throws(HoursFault) {
        repeat {
            let isFromEnd = skip("-")
            let first = try number(1...5)
            let last = !isFromEnd && skip("-") ? try number(1...5) : first
            guard first <= last else { throw unexpected }
            for place in first...last {
                draft.days.someWeekdays.append(
                    HoursDays.NthWeekday(weekday: weekday, place: isFromEnd ? -place : place))
            }
        } while skip(",")
        guard skip("]") else { throw unexpected }
        guard !isSymbol("+"), !isSymbol("-") else { throw unexpected }
    }
}
