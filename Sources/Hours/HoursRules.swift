internal import Algorithms
internal import Geo

/// The ordered rules of opening hours.
///
/// A span of time belongs to the day on which it begins. A rule for the next day does not shorten it.
struct HoursRules: Sendable {
    let rules: [HoursRule]

    /// The maximum number of rules: the rules in force on a day are bits of one word.
    static let most = UInt64.bitWidth

    init(_ rules: [HoursRule]) {
        precondition(rules.count <= Self.most, "the parser refuses more rules")
        self.rules = rules
    }

    var isWeekly: Bool { rules.allSatisfy(\.days.isWeekly) }

    /// Whether no rule leaves a state unknown.
    var isCertain: Bool { rules.allSatisfy { $0.spans.allSatisfy { $0.state != .unknown } } }

    /// The rules in force on a day, as bits.
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

    /// The state at a minute of a day, given the rules in force on that day and on the day before.
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

    /// The changes of state within a day, given the rules in force on that day and on the day before.
    ///
    /// - Returns: minutes and the state from each on, which differs from the one before; the first is midnight.
    /// - Complexity: O(spans of these rules + minutes of a day).
    func changes(_ today: UInt64, _ yesterday: UInt64) -> [(minute: Int, state: OpeningState)] {
        var states = [OpeningState](repeating: .closed, count: 1440)
        var compared = 0
        for number in rules.indices where (today | yesterday) >> UInt64(number) & 1 == 1 {
            let rule = rules[number]
            let before = rule.link == .fallback ? states : []
            for span in rule.spans {
                for (days, offset) in [(today, 0), (yesterday, 1440)] where days >> UInt64(number) & 1 == 1 {
                    let minutes =
                        max(0, span.start - offset)..<max(0, span.start - offset, min(1440, span.end - offset))
                    if rule.link != .fallback {
                        states.withUnsafeMutableBufferPointer { $0[minutes].update(repeating: span.state) }
                    } else {
                        compared += minutes.count
                        for minute in minutes where before[minute] == .closed { states[minute] = span.state }
                    }
                }
            }
        }
        WorkBudget.count(rules.count + (1440 + compared) / Self.minutesOfStep)
        var changes = [(minute: 0, state: states[0])]
        for minute in 1..<1440 where states[minute] != states[minute - 1] { changes.append((minute, states[minute])) }
        return changes
    }

    /// The first change from a state between two times, both excluded.
    ///
    /// - Complexity: O(days until then * rules).
    func change(
        after time: WallTime, before bound: WallTime, from state: OpeningState
    ) -> (time: WallTime, state: OpeningState)? {
        var day = time.day
        var minute = time.minute
        var yesterday = holding(on: day - 1)
        var known: (today: UInt64, yesterday: UInt64, changes: [(minute: Int, state: OpeningState)])?
        while WallTime(day: day, minute: 0) < bound {
            WorkBudget.count(rules.count)
            let today = holding(on: day)
            if known.map({ $0.today != today || $0.yesterday != yesterday }) ?? true {
                known = (today, yesterday, changes(today, yesterday))
            }
            if let next = known?.changes.first(where: { $0.minute > minute && $0.state != state }) {
                return (WallTime(day: day, minute: next.minute), next.state)
            }
            day += 1
            // Include a change at midnight.
            minute = -1
            yesterday = today
        }
        return nil
    }

    /// The number of minutes examined per step.
    private static let minutesOfStep = 100

    /// Whether a rule opens each day from beginning to end, and no later rule removes any of it.
    ///
    /// - Returns: false also if that depends on a calendar.
    var isAlwaysOpen: Bool {
        guard let last = rules.lastIndex(where: { $0.days.isEachDay && $0.isOpenAllDay && $0.link != .fallback })
        else { return false }
        return rules[(last + 1)...].allSatisfy { rule in
            rule.isOpenAllDay || !rule.resetsDays && rule.spans.allSatisfy { $0.state == .open }
        }
    }
}

/// Opening hours that repeat weekly: the changes of state from Monday on.
struct HoursWeek: Sendable {
    private let minutes: [Int16]
    private let states: [OpeningState]

    private static let length = 7 * 1440

    /// - Precondition: the rules are weekly.
    init(_ rules: HoursRules) {
        let holding = (0..<7).map { weekday in rules.holding { $0.weekdayBits >> weekday & 1 == 1 } }
        var changes: [(minute: Int, state: OpeningState)] = []
        for weekday in 0..<7 {
            for (minute, state) in rules.changes(holding[weekday], holding[(weekday + 6) % 7])
            where changes.last?.state != state {
                changes.append((weekday * 1440 + minute, state))
            }
        }
        // The first entry is not a change if the week begins as it ended.
        if changes.count > 1, changes[0].state == changes[changes.count - 1].state { changes.removeFirst() }
        minutes = changes.map { Int16($0.minute) }
        states = changes.map(\.state)
    }

    /// The index of the last change at or before a minute of the week, which may be in the week before.
    private func number(at minute: Int) -> Int {
        let next = minutes.partitioningIndex { $0 > minute }
        return next == 0 ? minutes.count - 1 : next - 1
    }

    func state(at minute: Int) -> OpeningState { states[number(at: minute)] }

    var isAlwaysOpen: Bool { states == [.open] }

    /// The next change after a time; nil if the state never changes.
    func change(after time: WallTime) -> (time: WallTime, state: OpeningState)? {
        guard minutes.count > 1 else { return nil }
        let minute = time.minuteOfWeek
        let next = (number(at: minute) + 1) % minutes.count
        let ahead = Int(minutes[next]) - minute
        let at = WallTime(day: time.day, minute: time.minute + (ahead > 0 ? ahead : ahead + Self.length))
        return (at, states[next])
    }
}
