extension HoursRules: CustomStringConvertible {
    var description: String {
        rules.enumerated().map { number, rule in
            let link =
                switch rule.link {
                case _ where number == 0: ""
                case .override: "; "
                case .addition: ", "
                case .fallback: " || "
                }
            return link + [rule.days.description, rule.words].filter { !$0.isEmpty }.joined(separator: " ")
        }.joined()
    }

    /// Warnings about rules that replace times to which they may have been meant to add.
    var hidden: [String] {
        rules.indices.compactMap { number in
            let rule = rules[number]
            guard number > 0, rule.resetsDays, rule.link == .override, rule.days.isWeekly,
                rule.spans.contains(where: { $0.state == .open })
            else { return nil }
            let hides = rules[..<number].contains { other in
                other.days.isWeekly && other.days.weekdayBits & rule.days.weekdayBits != 0
                    && other.spans.contains { $0.state == .open } && !Self.overlap(other.spans, rule.spans)
            }
            guard hides else { return nil }
            return "'\(rule.days) \(rule.words)' replaces other times of its days, as ';' means; ',' would add to them"
        }
    }

    private static func overlap(_ a: [HoursSpan], _ b: [HoursSpan]) -> Bool {
        a.contains { one in b.contains { one.start < $0.end && $0.start < one.end } }
    }
}

extension HoursDays: CustomStringConvertible {
    var description: String {
        var parts: [String] = []
        if !years.isEmpty { parts.append(years.map(Self.text).joined(separator: ",")) }
        if !dates.isEmpty { parts.append(dates.map(\.description).joined(separator: ",")) }
        if !weeks.isEmpty { parts.append("week " + weeks.map(\.description).joined(separator: ",")) }
        let weekdays = Self.runs(of: weekdays) + someWeekdays.map { "\(Self.names[$0.weekday])[\($0.place)]" }
        if !weekdays.isEmpty { parts.append(weekdays.joined(separator: ",")) }
        return parts.joined(separator: " ")
    }

    static let names = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]

    private static func runs(of bits: UInt8) -> [String] {
        if bits == 0x7f { return ["Mo-Su"] }
        func has(_ day: Int) -> Bool { bits >> (day % 7) & 1 == 1 }
        return (0..<7).filter { has($0) && !has($0 + 6) }.map { first in
            let last = (first..<first + 7).first { !has($0 + 1) } ?? first
            let end = names[last % 7]
            return last == first ? end : names[first] + (last == first + 1 ? "," : "-") + end
        }
    }

    private static func text(_ years: ClosedRange<Int>) -> String {
        if years.upperBound == lastYear { return "\(years.lowerBound)+" }
        return years.count == 1 ? "\(years.lowerBound)" : "\(years.lowerBound)-\(years.upperBound)"
    }

    static let lastYear = 9999
}

extension HoursWeeks: CustomStringConvertible {
    var description: String {
        first == last ? "\(first)" : "\(first)-\(last)" + (step == 1 ? "" : "/\(step)")
    }
}

extension HoursDates: CustomStringConvertible {
    var description: String {
        let isOne =
            first == last || first.isMonth && last.isMonth && (first.year, first.month) == (last.year, last.month)
        return isOne ? first.description : "\(first)-\(last)"
    }
}

extension HoursDates.Day: CustomStringConvertible {
    static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    var description: String {
        let year = year.map { "\($0) " } ?? ""
        return year + Self.months[month - 1] + (isMonth ? "" : " \(day.twoDigits)")
    }
}

extension Int {
    /// The number with a leading zero if it has one digit.
    var twoDigits: String { self < 10 ? "0\(self)" : String(self) }
}
