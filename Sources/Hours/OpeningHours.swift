public import Model

/// Opening hours as they are written in OpenStreetMap's `opening_hours`, and in spellings that can mean one thing only.
///
/// Hours go by the clock on the wall: what holds in an hour that is repeated when clocks go back holds twice, and what
/// falls into an hour that is left out when they go forward does not happen. What is not understood is kept as it is and
/// is never open.
///
/// Source: https://wiki.openstreetmap.org/wiki/Key:opening_hours/specification; where it leaves something open, the
/// reference implementation (opening_hours.js) is followed.
public struct OpeningHours: Sendable {
    /// The hours as they were written.
    public let text: String
    /// What a person should know about how the text was read, as sentences; empty for nothing.
    public let warnings: [String]
    /// Whether the text was understood; if not, the state is always unknown.
    public var isUnderstood: Bool { reading != nil }
    /// The text in the standard syntax, without comments; nil if it was not understood.
    public let reading: String?
    /// Whether the text departs from the standard syntax.
    public let isLenient: Bool

    /// Whether the text says something of holidays: they are not known here, so on one the state may be wrong.
    public let namesHolidays: Bool

    /// Whether the state is known at every instant: the text was understood, and names neither holidays nor the sun nor anything
    /// else that nobody here can tell.
    public let isCertain: Bool

    /// How many rules were read; 0 if the text was not understood.
    public let ruleCount: Int

    /// How many times of a day the rule with the most has, as they are written; 0 if the text was not understood.
    public let mostTimes: Int

    private let schedule: Schedule

    private enum Schedule: Sendable {
        case unknown
        case weekly(HoursWeek)
        case byDay(HoursRules)
    }

    /// Reads hours.
    ///
    /// - Complexity: O(length of the text).
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

    /// Whether it is known to be open at every instant; false also where it would need a calendar to find out.
    var isAlwaysOpen: Bool {
        switch schedule {
        case .unknown: false
        case .weekly(let week): week.isAlwaysOpen
        case .byDay(let rules): rules.isAlwaysOpen
        }
    }

    /// The state at an instant, by the clock of a zone.
    ///
    /// - Complexity: O(log of the changes in a week); with dates in the rules O(rules).
    public func state(at instant: Timestamp, by clock: WallClock) -> OpeningState {
        state(at: clock.reading(at: instant).time)
    }

    /// The state at an instant, and when it changes next.
    ///
    /// - Parameters:
    ///   - instant: when.
    ///   - clock: that of the place.
    ///   - end: a change at this instant or later is not told, nor looked for; by default one more than ``longestWait`` away.
    /// - Returns: the state, and the change if one was found.
    /// - Complexity: O(log of the changes in a week); with dates in the rules O(rules * days until the change).
    public func status(at instant: Timestamp, by clock: WallClock, before end: Timestamp? = nil) -> OpeningStatus {
        let state = state(at: instant, by: clock)
        let last = end ?? instant + Self.longestWait
        var from = instant
        while true {
            let reading = clock.reading(at: from)
            let offset = reading.time.milliseconds - from.milliseconds
            // At an instant when clocks are changed the state may change though no hours begin or end.
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

    /// How far ahead a change is looked for: eight days, which is longer than the longest week.
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

/// Whether something is open.
public enum OpeningState: UInt8, Sendable {
    case closed
    /// Nobody can tell from what is written.
    case unknown
    case open
}

/// A state, and the next change of it.
public struct OpeningStatus: Hashable, Sendable {
    /// The state at the instant that was asked for.
    public var state: OpeningState
    /// The next change of the state; nil for none in ``OpeningHours/longestWait``.
    public var change: Change?

    /// A change of the state.
    public struct Change: Hashable, Sendable {
        /// The first instant of the new state.
        public var at: Timestamp
        /// The new state.
        public var to: OpeningState
    }

    /// When it opens, if it is not open, and known to do so next.
    public var opensAt: Timestamp? { change.flatMap { $0.to == .open ? $0.at : nil } }

    /// When it closes, if it is open, and known to do so next.
    public var closesAt: Timestamp? { change.flatMap { state == .open && $0.to == .closed ? $0.at : nil } }
}
