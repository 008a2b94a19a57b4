/// The reference for opening hours: random rules in typical notation, evaluated for one minute at a time.
///
/// It takes no shortcuts.
public struct PlainHours: Sendable {
    /// The state at a minute.
    public enum State: Sendable { case closed, unknown, open }

    /// A day of the Gregorian calendar.
    ///
    /// Weekdays count from 0 for Monday, weeks follow ISO 8601, and the length is the number of days of the month.
    public struct Day: Sendable {
        fileprivate let year, month, day, weekday, week, length: Int

        /// Creates a day from its numbers.
        public init(year: Int, month: Int, day: Int, weekday: Int, week: Int, length: Int) {
            (self.year, self.month, self.day) = (year, month, day)
            (self.weekday, self.week, self.length) = (weekday, week, length)
        }
    }

    private let rules: [PlainRule]

    /// Random rules, with a probability of 0.4 only by weekdays and times.
    public init(_ random: inout SeededGenerator) {
        let isWeekly = random.chance(0.4)
        var rules: [PlainRule] = []
        for number in 0..<random.integer(1...5) {
            var rule = PlainRule(&random, isFirst: number == 0, isWeekly: isWeekly)
            // After a comma, times that overlap with earlier ones are not united.
            if rules.contains(where: rule.overlaps) { rule.link = "; " }
            rules.append(rule)
        }
        self.rules = rules
    }

    /// The hours in OpenStreetMap's syntax.
    public var text: String { text(afterDates: " ") }

    /// The hours with a separator after years, dates and weeks.
    public func text(afterDates separator: String) -> String {
        rules.map { $0.link + $0.text(afterDates: separator) }.joined()
    }

    /// The state at a minute of a day, 0..<1440.
    public func state(_ today: Day, _ yesterday: Day, _ minute: Int) -> State {
        var state = State.closed
        for (number, rule) in rules.enumerated() {
            let holds = [(today, minute), (yesterday, minute + 1440)].contains { day, minute in
                guard rule.matches(day) else { return false }
                let isReplaced = rules[(number + 1)...].contains { $0.overrides && $0.matches(day) }
                let spans = rule.spans.isEmpty ? [(0, 1440)] : rule.spans
                return !isReplaced && spans.contains { $0.0 <= minute && minute < $0.1 }
            }
            guard holds, !(rule.state == "off" && rule.spans.isEmpty), rule.link != " || " || state == .closed else {
                continue
            }
            state = rule.state == "off" ? .closed : rule.state == "unknown" ? .unknown : .open
        }
        return state
    }
}

private struct PlainRule {
    fileprivate(set) var link: String
    private var years: ClosedRange<Int>?
    /// The month and day of the first and the last day.
    private var dates: (first: (Int, Int), last: (Int, Int))?
    private var weeks: (first: Int, last: Int, step: Int)?
    private var weekdays: [Int] = []
    private var places: [(weekday: Int, place: Int)] = []
    /// Intervals in minutes, which may end on the next day.
    private(set) var spans: [(Int, Int)] = []
    let state: String

    private static let names = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    init(_ random: inout SeededGenerator, isFirst: Bool, isWeekly: Bool) {
        link = isFirst ? "" : random.pick(["; ", "; ", ", ", " || "])
        state = random.pick(["", "", "", "off", "unknown", "open"])
        if !isWeekly { chooseDates(&random) }
        if random.chance(0.8) {
            let first = random.integer(0...6)
            weekdays = (0...random.integer(0...6)).map { (first + $0) % 7 }
        }
        if !isWeekly, random.chance(0.2) {
            places = [(random.integer(0...6), random.pick([1, 2, 3, 4, 5, -1, -2]))]
        }
        if random.chance(0.85) || state.isEmpty {
            spans = (0..<random.integer(1...3)).map { _ in
                let start = random.integer(0...47) * 30
                return (start, start + random.integer(1...40) * 30)
            }
        }
        // The parser rejects times after ';' without a day.
        let isEveryDay = years == nil && dates == nil && weeks == nil && weekdays.isEmpty && places.isEmpty
        if !isFirst, isEveryDay { weekdays = [random.integer(0...6)] }
    }

    /// Whether the rule adds times to an earlier rule with some of the same times.
    fileprivate func overlaps(_ other: PlainRule) -> Bool {
        guard link == ", ", state != "off" || !spans.isEmpty else { return false }
        let own = spans.isEmpty ? [(0, 1440)] : spans
        let others = other.spans.isEmpty ? [(0, 1440)] : other.spans
        return own.contains { one in others.contains { one.0 < $0.1 && $0.0 < one.1 } }
    }

    private mutating func chooseDates(_ random: inout SeededGenerator) {
        if random.chance(0.2) {
            let first = random.integer(2020...2030)
            years = first...(first + random.integer(0...3))
        }
        if random.chance(0.3) {
            dates = ((random.integer(1...12), random.integer(1...28)), (random.integer(1...12), random.integer(1...28)))
        }
        if random.chance(0.2) {
            let first = random.integer(1...53)
            weeks = (first, random.integer(first...53), random.integer(1...3))
        }
    }

    func text(afterDates separator: String) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        var parts: [String] = []
        if let years { parts.append("\(years.lowerBound)-\(years.upperBound)") }
        if let dates {
            let (first, last) = dates
            parts.append("\(Self.months[first.0 - 1]) \(first.1)-\(Self.months[last.0 - 1]) \(last.1)")
        }
        if let weeks { parts.append("week \(weeks.first)-\(weeks.last)/\(weeks.step)") }
        let period = parts.joined(separator: " ")
        parts = []
        let days = weekdays.map { Self.names[$0] } + places.map { "\(Self.names[$0.weekday])[\($0.place)]" }
        if !days.isEmpty { parts.append(days.joined(separator: ",")) }
        let times = spans.map { start, end in
            let end = end > start + 1440 || end <= 1440 ? end : end - 1440
            return "\(two(start / 60)):\(two(start % 60))-\(two(end / 60)):\(two(end % 60))"
        }
        if !times.isEmpty { parts.append(times.joined(separator: ",")) }
        if !state.isEmpty { parts.append(state) }
        return [period, parts.joined(separator: " ")].filter { !$0.isEmpty }.joined(separator: separator)
    }

    func matches(_ day: PlainHours.Day) -> Bool {
        if let years, !years.contains(day.year) { return false }
        if let dates {
            let today = (day.month, day.day)
            let isIn =
                dates.first <= dates.last
                ? dates.first <= today && today <= dates.last : today >= dates.first || today <= dates.last
            guard isIn else { return false }
        }
        if let weeks {
            guard stride(from: weeks.first, through: weeks.last, by: weeks.step).contains(day.week) else {
                return false
            }
        }
        if weekdays.isEmpty, places.isEmpty { return true }
        if weekdays.contains(day.weekday) { return true }
        return places.contains { weekday, place in
            guard weekday == day.weekday else { return false }
            return place > 0 ? (day.day + 6) / 7 == place : (day.length - day.day) / 7 + 1 == -place
        }
    }

    /// Whether the rule replaces earlier rules on its days.
    var overrides: Bool {
        let isWholeDayOff = state == "off" && spans.isEmpty
        return isWholeDayOff ? link != " || " : link == "; " && state != "off"
    }
}
