import Foundation
import Hours
import Laws
import Model
import TestSupport
import Testing

/// Random opening hours as a person would think of them, evaluated minute by minute.
private struct NaiveHours {
    struct Rule {
        var link: String
        var years: ClosedRange<Int>?
        /// Month and day of the first and the last day.
        var dates: (first: (Int, Int), last: (Int, Int))?
        var weeks: (first: Int, last: Int, step: Int)?
        var weekdays: [Int]
        var places: [(weekday: Int, place: Int)]
        /// Minutes; the end may lie in the next day.
        var spans: [(Int, Int)]
        var state: String
    }

    struct Day {
        var year, month, day, weekday, week, length: Int
    }

    var rules: [Rule]

    static let names = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]
    static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    init(_ dice: inout Dice) {
        let isWeekly = dice.chance(0.4)
        rules = (0..<dice.integer(1...5)).map { number in
            var rule = Rule(
                link: number == 0 ? "" : dice.pick(["; ", "; ", ", ", " || "]), weekdays: [], places: [],
                spans: [], state: dice.pick(["", "", "", "off", "unknown", "open"]))
            if !isWeekly, dice.chance(0.2) {
                let first = dice.integer(2020...2030)
                rule.years = first...(first + dice.integer(0...3))
            }
            if !isWeekly, dice.chance(0.3) {
                rule.dates = (
                    (dice.integer(1...12), dice.integer(1...28)), (dice.integer(1...12), dice.integer(1...28))
                )
            }
            if !isWeekly, dice.chance(0.2) {
                let first = dice.integer(1...53)
                rule.weeks = (first, dice.integer(first...53), dice.integer(1...3))
            }
            if dice.chance(0.8) {
                let first = dice.integer(0...6)
                rule.weekdays = (0...dice.integer(0...6)).map { (first + $0) % 7 }
            }
            if !isWeekly, dice.chance(0.2) {
                rule.places = [(dice.integer(0...6), dice.pick([1, 2, 3, 4, 5, -1, -2]))]
            }
            if dice.chance(0.85) || rule.state.isEmpty {
                rule.spans = (0..<dice.integer(1...3)).map { _ in
                    let start = dice.integer(0...47) * 30
                    return (start, start + dice.integer(1...40) * 30)
                }
            }
            // Times that follow ';' and name no day are refused.
            let isEveryDay =
                rule.years == nil && rule.dates == nil && rule.weeks == nil && rule.weekdays.isEmpty
                && rule.places.isEmpty
            if number > 0, isEveryDay { rule.weekdays = [dice.integer(0...6)] }
            return rule
        }
    }

    var text: String { text(afterDates: " ") }

    /// The hours with what stands between years, dates or weeks and what follows them.
    func text(afterDates separator: String) -> String {
        rules.map { $0.link + Self.text($0, afterDates: separator) }.joined()
    }

    private static func text(_ rule: Rule, afterDates separator: String) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        var parts: [String] = []
        if let years = rule.years { parts.append("\(years.lowerBound)-\(years.upperBound)") }
        if let dates = rule.dates {
            parts.append(
                "\(months[dates.first.0 - 1]) \(dates.first.1)-\(months[dates.last.0 - 1]) \(dates.last.1)")
        }
        if let weeks = rule.weeks { parts.append("week \(weeks.first)-\(weeks.last)/\(weeks.step)") }
        let dates = parts.joined(separator: " ")
        parts = []
        let days = rule.weekdays.map { names[$0] } + rule.places.map { "\(names[$0.weekday])[\($0.place)]" }
        if !days.isEmpty { parts.append(days.joined(separator: ",")) }
        let spans = rule.spans.map { start, end in
            let end = end > start + 1440 || end <= 1440 ? end : end - 1440
            return "\(two(start / 60)):\(two(start % 60))-\(two(end / 60)):\(two(end % 60))"
        }
        if !spans.isEmpty { parts.append(spans.joined(separator: ",")) }
        if !rule.state.isEmpty { parts.append(rule.state) }
        return [dates, parts.joined(separator: " ")].filter { !$0.isEmpty }.joined(separator: separator)
    }

    private static func matches(_ rule: Rule, _ day: Day) -> Bool {
        if let years = rule.years, !years.contains(day.year) { return false }
        if let dates = rule.dates {
            let today = (day.month, day.day)
            let isIn =
                dates.first <= dates.last
                ? dates.first <= today && today <= dates.last : today >= dates.first || today <= dates.last
            guard isIn else { return false }
        }
        if let weeks = rule.weeks {
            guard stride(from: weeks.first, through: weeks.last, by: weeks.step).contains(day.week) else {
                return false
            }
        }
        if rule.weekdays.isEmpty, rule.places.isEmpty { return true }
        if rule.weekdays.contains(day.weekday) { return true }
        return rule.places.contains { weekday, place in
            guard weekday == day.weekday else { return false }
            return place > 0 ? (day.day + 6) / 7 == place : (day.length - day.day) / 7 + 1 == -place
        }
    }

    /// Whether the rules before this one do not hold on its days.
    private static func overrides(_ rule: Rule) -> Bool {
        let isWholeDayOff = rule.state == "off" && rule.spans.isEmpty
        return isWholeDayOff ? rule.link != " || " : rule.link == "; " && rule.state != "off"
    }

    func state(_ today: Day, _ yesterday: Day, _ minute: Int) -> OpeningState {
        var state = OpeningState.closed
        for (number, rule) in rules.enumerated() {
            let holds = [(today, minute), (yesterday, minute + 1440)].contains { day, minute in
                guard Self.matches(rule, day) else { return false }
                let isReplaced = rules[(number + 1)...].contains { Self.overrides($0) && Self.matches($0, day) }
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

@Suite struct OpeningHoursLawTests {
    private static let zones = [
        "UTC", "Europe/Madrid", "America/New_York", "Australia/Lord_Howe", "America/Havana", "Asia/Kathmandu",
        "Africa/Casablanca", "Pacific/Apia",
    ]
    private static let length = 6 * 1440

    @Test(arguments: 0..<8)
    func `state and next change are those of a minute-by-minute evaluation`(_ part: Int) throws {
        for seed in stride(from: part, to: 240, by: 8) { try check(UInt64(seed)) }
    }

    private func check(_ seed: UInt64) throws {
        var dice = Dice(seed: seed)
        let naive = NaiveHours(&dice)
        let hours = OpeningHours(naive.text)
        let told = "seed \(seed): \(naive.text)"
        try #require(hours.isUnderstood, "\(told): \(hours.warnings)")
        let reading = try #require(hours.reading)
        #expect(OpeningHours(reading).reading == reading, "\(told)")
        #expect(OpeningHours(naive.text(afterDates: ": ")).reading == reading, "\(told)")
        let name = dice.pick(Self.zones)
        let clock = try #require(WallClock.of(zone: name))
        let start = try start(name, &dice)
        let states = try states(naive, name, from: start)
        var next: [Int?] = Array(repeating: nil, count: Self.length)
        for minute in (0..<Self.length - 1).reversed() {
            next[minute] = states[minute] == states[minute + 1] ? next[minute + 1] : minute + 1
        }
        func instant(_ minute: Int) -> Timestamp { start + .seconds(minute * 60) }
        for minute in 0..<Self.length where hours.state(at: instant(minute), by: clock) != states[minute] {
            Issue.record("\(told): \(name), \(instant(minute)) is not \(states[minute])")
            return
        }
        for _ in 0..<40 {
            let minute = dice.integer(0...Self.length - 1)
            let change = hours.status(at: instant(minute) + .seconds(dice.integer(0...59)), by: clock).change
            if let expected = next[minute] {
                #expect(
                    change?.at == instant(expected) && change?.to == states[expected], "\(told): \(name), \(minute)")
            } else {
                #expect(change.map { $0.at >= instant(Self.length) } ?? true, "\(told): \(name), \(minute)")
            }
        }
    }

    /// A whole minute, often shortly before clocks are changed.
    private func start(_ name: String, _ dice: inout Dice) throws -> Timestamp {
        let zone = try #require(TimeZone(identifier: name))
        var seconds = dice.integer(1_577_836_800...1_893_456_000) / 60 * 60
        let some = Date(timeIntervalSince1970: Double(seconds))
        if dice.chance(0.6), let change = zone.nextDaylightSavingTimeTransition(after: some) {
            seconds = Int(change.timeIntervalSince1970) - dice.integer(0...3 * 1440) * 60
        }
        return Timestamp(milliseconds: Int64(seconds) * 1000)
    }

    private func states(_ naive: NaiveHours, _ name: String, from start: Timestamp) throws -> [OpeningState] {
        let zone = try #require(TimeZone(identifier: name))
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = .gmt
        var days: [Int: NaiveHours.Day] = [:]
        func day(_ number: Int) -> NaiveHours.Day {
            if let known = days[number] { return known }
            let date = Date(timeIntervalSince1970: Double(number) * 86_400)
            let parts = calendar.dateComponents([.year, .month, .day, .weekday, .weekOfYear], from: date)
            let length = calendar.range(of: .day, in: .month, for: date)?.count ?? 0
            let day = NaiveHours.Day(
                year: parts.year ?? 0, month: parts.month ?? 0, day: parts.day ?? 0,
                weekday: ((parts.weekday ?? 0) + 5) % 7, week: parts.weekOfYear ?? 0, length: length)
            days[number] = day
            return day
        }
        return (0..<Self.length).map { minute in
            let seconds = Int(start.milliseconds / 1000) + minute * 60
            let local = seconds + zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
            let number = local / 86_400
            return naive.state(day(number), day(number - 1), local % 86_400 / 60)
        }
    }
}
