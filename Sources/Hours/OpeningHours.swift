public import Model

/// Opening hours in OpenStreetMap's `opening_hours` syntax, and in other unambiguous spellings.
///
/// Hours follow local time. Hours in the interval that repeats when clocks are set back apply twice, and hours in the
/// interval that is skipped when clocks are set forward do not apply. Text that is not understood is kept unchanged and
/// is never open.
///
/// Source: https://wiki.openstreetmap.org/wiki/Key:opening_hours/specification; where it is not precise, the reference
/// implementation (opening_hours.js) is followed.
public struct OpeningHours: Sendable {
    /// The hours as written.
    public let text: String
    /// Notes about the interpretation of the text, as sentences; empty if there are none.
    public let warnings: [String]
    /// Whether the text was understood; if not, the state is always unknown.
    public var isUnderstood: Bool { reading != nil }
    /// The text in the standard syntax, without comments; nil if it was not understood.
    public let reading: String?
    /// Whether the text departs from the standard syntax.
    public let isLenient: Bool

    /// Whether the text refers to holidays, which are unknown here, so the state may be wrong on a holiday.
    public let namesHolidays: Bool

    /// Whether the state is known at every instant: the text was understood and refers to neither holidays nor the sun
    /// nor other unknowns.
    public let isCertain: Bool

    /// The number of rules; 0 if the text was not understood.
    public let ruleCount: Int

    /// The maximum number of times of a day in one rule, as written; 0 if the text was not understood.
    public let mostTimes: Int

    private let schedule: Schedule

    private enum Schedule: Sendable {
        case unknown
        case weekly(HoursWeek)
        case byDay(HoursRules)
    }

    /// Parses hours.
    ///
    /// A text of more than 1,000 bytes is not understood.
    public init(_ text: String) {
        self.text = text
        do {
            let parsed = try HoursParser.read(text)
            let rules = HoursRules(parsed.rules)
            schedule = rules.isWeekly ? .weekly(HoursWeek(rules)) : .byDay(rules)
            reading = rules.description
            isLenient = parsed.isLenient
            namesHolidays = parsed.namesHolidays
            isCertain = !parsed.namesHolidays && rules.isCertain
            (ruleCount, mostTimes) = (rules.rules.count, parsed.mostTimes)
            warnings =
                (parsed.isLenient ? ["was read as '\(rules.description)'"] : []) + parsed.warnings + rules.hidden
        } catch {
            schedule = .unknown
            reading = nil
            isLenient = false
            namesHolidays = false
            isCertain = false
            (ruleCount, mostTimes) = (0, 0)
            warnings = ["is not understood: \(error.reason)"]
        }
    }

    /// The warnings about times that may be meant otherwise: not the reading itself, nor holidays.
    public var doubts: [String] {
        warnings.filter { !$0.hasPrefix("was read as ") && $0 != HoursParser.holidays }
    }

    /// Whether it is known to be open at every instant; false also if that depends on a calendar.
    var isAlwaysOpen: Bool {
        switch schedule {
        case .unknown: false
        case .weekly(let week): week.isAlwaysOpen
        case .byDay(let rules): rules.isAlwaysOpen
        }
    }

    /// The state at an instant in a time zone.
    ///
    /// - Complexity: O(log of the changes in a week); with dates in the rules O(rules).
    public func state(at instant: Timestamp, by clock: WallClock) -> OpeningState {
        state(at: clock.reading(at: instant).time)
    }

    /// The state at an instant, and its next change.
    ///
    /// - Parameters:
    ///   - instant: the instant.
    ///   - clock: the local time of the place.
    ///   - end: the end of the search, exclusive; by default ``longestWait`` after the instant.
    /// - Returns: the state, and the change if one was found.
    /// - Complexity: O(log of the changes in a week); with dates in the rules O(rules * days until the change).
    public func status(at instant: Timestamp, by clock: WallClock, before end: Timestamp? = nil) -> OpeningStatus {
        let state = state(at: instant, by: clock)
        let last = end ?? instant + Self.longestWait
        var from = instant
        while true {
            let reading = clock.reading(at: from)
            let offset = reading.time.milliseconds - from.milliseconds
            // When clocks are changed, the state may change although no hours begin or end.
            let now = self.state(at: reading.time)
            if now != state { return OpeningStatus(state: state, change: OpeningStatus.Change(at: from, to: now)) }
            let end = min(reading.until ?? last, last)
            let bound = WallTime(milliseconds: end.milliseconds + offset)
            if let change = change(after: reading.time, before: bound, from: state) {
                let at = Timestamp(milliseconds: change.time.milliseconds - offset)
                return OpeningStatus(state: state, change: OpeningStatus.Change(at: at, to: change.state))
            }
            guard end < last else { return OpeningStatus(state: state, change: nil) }
            from = end
        }
    }

    /// How far ahead a change is searched for: eight days, longer than the longest week.
    public static let longestWait = Duration.seconds(8 * 86_400)

    private func state(at time: WallTime) -> OpeningState {
        switch schedule {
        case .unknown: .unknown
        case .weekly(let week): week.state(at: time.minuteOfWeek)
        case .byDay(let rules): rules.state(at: time)
        }
    }

    private func change(
        after time: WallTime, before bound: WallTime, from state: OpeningState
    ) -> (time: WallTime, state: OpeningState)? {
        let change: (time: WallTime, state: OpeningState)? =
            switch schedule {
            case .unknown: nil
            case .weekly(let week): week.change(after: time)
            case .byDay(let rules): rules.change(after: time, before: bound, from: state)
            }
        return change.flatMap { $0.time < bound ? $0 : nil }
    }
}

/// The state of opening hours.
public enum OpeningState: UInt8, Sendable {
    case closed
    /// The text does not determine the state.
    case unknown
    case open
}

/// A state and its next change.
public struct OpeningStatus: Hashable, Sendable {
    /// The state at the requested instant.
    public var state: OpeningState
    /// The next change of the state; nil if there is none within ``OpeningHours/longestWait``.
    public var change: Change?

    /// A change of the state.
    public struct Change: Hashable, Sendable {
        /// The first instant of the new state.
        public var at: Timestamp
        /// The new state.
        public var to: OpeningState
    }

    /// The time of opening, if it is not open and the next change is known to open it.
    public var opensAt: Timestamp? { change.flatMap { $0.to == .open ? $0.at : nil } }

    /// The time of closing, if it is open and the next change is known to close it.
    public var closesAt: Timestamp? { change.flatMap { state == .open && $0.to == .closed ? $0.at : nil } }
}
