/// The rules of opening hours in their order.
///
/// A span of time belongs to the day on which it begins: a rule for the next day does not shorten it.
struct HoursRules: Sendable {
    let rules: [HoursRule]

    /// The rules that hold on a day are bits of one word.
    static let most = UInt64.bitWidth

    init(_ rules: [HoursRule]) {
        precondition(rules.count <= Self.most, "the parser refuses more rules")
        self.rules = rules
    }

    /// Whether each week is like another.
    var isWeekly: Bool { rules.allSatisfy(\.days.isWeekly) }

    /// Whether no rule leaves something unknown.
    var isCertain: Bool { rules.allSatisfy { $0.spans.allSatisfy { $0.state != .unknown } } }

    /// The rules that hold on a day, as bits.
    func holding(_ contains: (HoursDays) -> Bool) -> UInt64 {
        var holding: UInt64 = 0
        for number in rules.indices where contains(rules[number].days) {
            if rules[number].resetsDays { holding = 0 }
            holding |= 1 << UInt64(number)
        }
        return holding
    }

    private func holding(on number: Int) -> UInt64 {
        guard let day = WallDay(number) else { return 0 }
        return holding { $0.contains(day) }
    }

    /// The state in a minute of a day, given the rules that hold on it and on the day before.
    func state(at minute: Int, _ today: UInt64, _ yesterday: UInt64) -> OpeningState {
        var state = OpeningState.closed
        var left = today | yesterday
        while left != 0 {
            let number = left.trailingZeroBitCount
            left &= left - 1
            let rule = rules[number]
            if rule.link == .fallback, state != .closed { continue }
            let isToday = today >> UInt64(number) & 1 == 1
            let isYesterday = yesterday >> UInt64(number) & 1 == 1
            for span in rule.spans
            where isToday && span.start <= minute && minute < span.end
                || isYesterday && span.start <= minute + 1440 && minute + 1440 < span.end
            {
                state = span.state
            }
        }
        return state
    }

    func state(at time: WallTime) -> OpeningState {
        let day = time.day
        return state(at: time.minute, holding(on: day), holding(on: day - 1))
    }

    /// The first minute after one of a day in which a span of the day or of the day before begins or ends; nil for none.
    func border(after minute: Int, _ today: UInt64, _ yesterday: UInt64) -> Int? {
        var least = 1440
        for number in rules.indices where (today | yesterday) >> UInt64(number) & 1 == 1 {
            for span in rules[number].spans {
                for border in [span.start, span.end] {
                    if today >> UInt64(number) & 1 == 1, border > minute { least = min(least, border) }
                    if yesterday >> UInt64(number) & 1 == 1, border - 1440 > minute {
                        least = min(least, border - 1440)
                    }
                }
            }
        }
        return least < 1440 ? least : nil
    }

    /// The first change from a state after a time and before another.
    func change(
        after time: WallTime, before bound: WallTime, from state: OpeningState
    ) -> (time: WallTime, state: OpeningState)? {
        var day = time.day
        var minute = time.minute
        var yesterday = holding(on: day - 1)
        while WallTime(day: day, minute: 0) < bound {
            let today = holding(on: day)
            while let border = border(after: minute, today, yesterday) {
                let next = self.state(at: border, today, yesterday)
                if next != state { return (WallTime(day: day, minute: border), next) }
                minute = border
            }
            day += 1
            // What begins at midnight comes after this.
            minute = -1
            yesterday = today
        }
        return nil
    }
}

/// Hours of which each week is like another: when the state changes, from Monday on.
struct HoursWeek: Sendable {
    private let minutes: [Int16]
    private let states: [OpeningState]

    private static let length = 7 * 1440

    /// - Precondition: the rules are weekly.
    init(_ rules: HoursRules) {
        let holding = (0..<7).map { weekday in rules.holding { $0.weekdayBits >> weekday & 1 == 1 } }
        var changes: [(minute: Int, state: OpeningState)] = []
        for weekday in 0..<7 {
            let (today, yesterday) = (holding[weekday], holding[(weekday + 6) % 7])
            var minute: Int? = 0
            while let now = minute {
                let state = rules.state(at: now, today, yesterday)
                if changes.last?.state != state { changes.append((weekday * 1440 + now, state)) }
                minute = rules.border(after: now, today, yesterday)
            }
        }
        // The first is no change if the week begins as it ended.
        if changes.count > 1, changes[0].state == changes[changes.count - 1].state { changes.removeFirst() }
        minutes = changes.map { Int16($0.minute) }
        states = changes.map(\.state)
    }

    /// The last change at or before a minute of the week; the last of the week before the first.
    private func number(at minute: Int) -> Int {
        var low = 0
        var high = minutes.count
        while low < high {
            let middle = (low + high) / 2
            if minutes[middle] <= minute { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? minutes.count - 1 : low - 1
    }

    func state(at minute: Int) -> OpeningState { states[number(at: minute)] }

    /// The next change after a time; nil if there is none ever.
    func change(after time: WallTime) -> (time: WallTime, state: OpeningState)? {
        guard minutes.count > 1 else { return nil }
        let minute = time.minuteOfWeek
        let next = (number(at: minute) + 1) % minutes.count
        let ahead = Int(minutes[next]) - minute
        let at = WallTime(day: time.day, minute: time.minute + (ahead > 0 ? ahead : ahead + Self.length))
        return (at, states[next])
    }
}
