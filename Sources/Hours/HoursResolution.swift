internal import Model

extension HoursParser {
    /// The warning about rules for holidays.
    static let holidays = "holidays are not known here: rules for PH or SH are ignored"

    /// Interprets the rules as written.
    ///
    /// - Throws: ``HoursFault`` for rules that are ambiguous.
    func resolved() throws(HoursFault) -> HoursReading {
        var reading = HoursReading(warnings: warnings, isLenient: isLenient)
        reading.mostTimes = drafts.map(\.ranges.count).max() ?? 0
        let times = drafts.flatMap(\.ranges).flatMap { [$0.start, $0.end] }
        let isFullDay = times.contains { if case .clock(let time)? = $0 { time.showsFullDay } else { false } }
        let hasTimes = drafts.contains(where: \.hasTimes)
        for (number, var draft) in drafts.enumerated() {
            let isBefore = number > 0 && draft.link == .addition
            try HoursRange.refuseTwelveHours(
                isBefore && drafts[number - 1].days.mayMeet(draft.days)
                    ? drafts[number - 1].ranges + draft.ranges : draft.ranges)
            shut(&draft, &reading)
            if !draft.hasTimes, draft.state == nil, hasTimes || draft.promisesTimes {
                draft.state = .unknown
                reading.warn("days without times beside others that have some: when it is open is unknown")
            } else if !draft.hasTimes, draft.state ?? .open == .open, isLenient {
                draft.state = .unknown
                reading.warn("days without times: when it is open is unknown")
            }
            if drafts.count > 1, draft.state == .open, !draft.hasTimes, draft.days.isEveryDay, !draft.isHoliday {
                throw HoursFault("'open' for every day is beside other rules")
            }
            if draft.isHoliday {
                reading.namesHolidays = true
                reading.warn(Self.holidays)
                if draft.days.weekdays == 0, draft.days.someWeekdays.isEmpty { continue }
            }
            try refuseUndated(draft, number)
            var rule = try Self.rule(draft, isFullDay, &reading)
            if draft.link == .addition, try rule.join(reading.rules, isRow: draft.isRow), !draft.isRow {
                reading.warn("'\(rule.days) \(rule.words)' overlaps other times of its days, and replaces them")
            }
            reading.rules.append(rule)
        }
        guard !reading.rules.isEmpty else { throw HoursFault("it has no rules for ordinary days") }
        guard reading.rules.count <= HoursRules.most else {
            throw HoursFault("it has more than \(HoursRules.most) rules")
        }
        return reading
    }

    private static func rule(
        _ draft: Draft, _ isFullDay: Bool, _ reading: inout HoursReading
    ) throws(HoursFault) -> HoursRule {
        let state = draft.state ?? .open
        var spans: [HoursSpan] = []
        var words: [String] = []
        for range in draft.ranges {
            let (some, text) = try range.resolved(isFullDay: isFullDay)
            spans += some
            words.append(text)
        }
        if spans.contains(where: { $0.state == .unknown }) {
            guard state == .open || !draft.ranges.contains(where: \.isOpenEnded) else {
                throw HoursFault("times that are \(state) cannot have an open end")
            }
            reading.warn(unknownWarning(draft.ranges))
        }
        if state != .open {
            spans = spans.map { span in
                HoursSpan(start: span.start, end: span.end, state: span.state == .open ? state : .unknown)
            }
        }
        let isWholeDay = draft.ranges.isEmpty
        if isWholeDay { spans = state == .closed ? [] : [HoursSpan(start: 0, end: 1440, state: state)] }
        if isWholeDay, state == .open, !draft.isAlways { reading.warn("days without times are open all day") }
        if isWholeDay, state == .unknown, draft.days.isEveryDay, draft.link == .override, !reading.rules.isEmpty {
            reading.warn("a separate comment makes everything before it unknown; '||' would not")
        }
        let named =
            state == .open ? (isWholeDay && !draft.isAlways ? "open" : "") : state == .closed ? "off" : "unknown"
        let time = draft.isAlways ? "24/7" : words.joined(separator: ",")
        // A rule decides about the day if it is off for the whole day, or if it is not off.
        let decides = isWholeDay || state != .closed
        return HoursRule(
            link: draft.link, days: draft.days, spans: HoursSpan.merged(spans),
            resetsDays: decides && (draft.link == .override || spans.isEmpty && draft.link == .addition),
            words: [time, named].filter { !$0.isEmpty }.joined(separator: " "))
    }

    /// Reads midnight to midnight as closed if other days have other times.
    private func shut(_ draft: inout Draft, _ reading: inout HoursReading) {
        guard draft.state == nil, draft.ranges.count == 1, draft.ranges[0].isMidnight,
            drafts.contains(where: { $0.state ?? .open == .open && $0.ranges.contains { !$0.isMidnight } })
        else { return }
        draft.ranges = []
        draft.state = .closed
        reading.warn("00:00-00:00 beside other times was read as closed")
    }

    private static func unknownWarning(_ ranges: [HoursRange]) -> String {
        if ranges.contains(where: \.isEmptyOrWhole) {
            return "times that end when they begin are never or always: whether it is open is unknown"
        }
        let isSunny = ranges.contains { range in
            if case .sun = range.start { return true }
            if case .sun? = range.end { return true }
            return false
        }
        return isSunny
            ? "sunrise and sunset are not computed: times that depend on them are unknown"
            : "after an open end ('+') it is unknown whether it is open"
    }
}

extension HoursReading {
    fileprivate mutating func warn(_ warning: String) {
        if !warnings.contains(warning) { warnings.append(warning) }
    }
}
