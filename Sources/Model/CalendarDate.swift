/// A day of the proleptic Gregorian calendar, without time or zone.
public struct CalendarDate: Codable, Hashable, Comparable, Sendable {
    /// The digits of year, month and day, whose order is the order of days.
    private let digits: Int32

    /// The year, 1...9999.
    public var year: Int { Int(digits / 10_000) }
    /// The month, 1...12.
    public var month: Int { Int(digits / 100 % 100) }
    /// The day of the month, 1...31.
    public var day: Int { Int(digits % 100) }

    /// The day with these numbers; nil if it does not exist or the year is outside of 1...9999.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day)
        else { return nil }
        digits = Int32(year * 10_000 + month * 100 + day)
    }

    /// Parses `yyyy-mm-dd`; nil for anything else.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.map(\.utf8.count) == [4, 2, 2],
            parts.allSatisfy({ $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// The UTC day of an instant; nil outside of the years 1...9999.
    ///
    /// Source: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`.
    public init?(_ instant: Timestamp) {
        let sinceEpoch = instant.milliseconds.flooredDivision(by: 86_400_000)
        let shifted = Int(sinceEpoch) + 719_468
        let era = Int64(shifted).flooredDivision(by: 146_097)
        let dayOfEra = shifted - Int(era) * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        self.init(
            year: yearOfEra + Int(era) * 400 + (month <= 2 ? 1 : 0), month: month,
            day: dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    /// Days since 1970-01-01; negative before.
    ///
    /// Source: H. Hinnant, as above, `days_from_civil`.
    public var daysSinceEpoch: Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = Int(Int64(shiftedYear).flooredDivision(by: 400))
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The age on a day in whole years; a birthday on February 29 counts from March 1 in common years.
    public func age(on date: CalendarDate) -> Int {
        let hadBirthday = (date.month, date.day) >= (month, day)
        return date.year - year - (hadBirthday ? 0 : 1)
    }

    /// The age on a day as shown to others, in whole years: a birthday counts from the first day of the next quarter.
    ///
    /// So repeated observation reveals the quarter of a birthday, not the day.
    public func shownAge(on date: CalendarDate) -> Int {
        date.year - year - ((date.month - 1) / 3 > (month - 1) / 3 ? 0 : 1)
    }

    /// Whether one day is before another.
    public static func < (a: CalendarDate, b: CalendarDate) -> Bool { a.digits < b.digits }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension CalendarDate: CustomStringConvertible {
    /// The day as `yyyy-mm-dd`.
    public var description: String {
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }
}

extension Int64 {
    /// The quotient rounded towards negative infinity.
    package func flooredDivision(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
