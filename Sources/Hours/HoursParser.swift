/// The result of parsing opening hours.
struct HoursReading: Sendable {
    var rules: [HoursRule] = []
    /// Notes for the reader, as sentences.
    var warnings: [String] = []
    var isLenient = false
    /// Whether the text refers to holidays, which are unknown here.
    var namesHolidays = false
    /// The maximum number of times of a day in one rule, as written.
    var mostTimes = 0
}

/// A parser of the rules of opening hours.
///
/// Times are resolved after all have been parsed, because one of them may show which clock they all use.
struct HoursParser {
    var tokens: [HoursToken]
    var at = 0
    private(set) var warnings: [String] = []
    var isLenient: Bool
    private(set) var drafts: [Draft] = []
    /// The date whose month applies to a day alone after a comma.
    var sameMonth: HoursDates.Day?
    /// Whether a range of days after a comma may also be hours, as in `Dec 24, 9-13`.
    var mayBeHours = false
    /// The words as written, by token.
    private let written: [String]

    /// A rule as written.
    struct Draft {
        var link: HoursRule.Link
        /// Whether it is a row of a list, without a `;` or `,` before it.
        var isRow = false
        var days = HoursDays()
        /// Whether the rule names only holidays.
        var isHoliday = false
        /// Whether a colon requires times.
        var promisesTimes = false
        var ranges: [HoursRange] = []
        var isAlways = false
        /// The state that is named; nil if none is.
        var state: OpeningState?

        init(link: HoursRule.Link) { self.link = link }

        var hasTimes: Bool { isAlways || !ranges.isEmpty }
        /// Whether days are given without anything about them.
        var isDangling: Bool { !hasTimes && state == nil && !isBlank }
        var isBlank: Bool { !hasTimes && state == nil && days.isEveryDay && !isHoliday }
    }

    /// Parses a text.
    ///
    /// - Throws: ``HoursFault`` for text that is not understood or ambiguous.
    static func read(_ text: String) throws(HoursFault) -> HoursReading {
        let lexer = try HoursLexer(text)
        let translated = try HoursLanguages.translated(lexer.tokens)
        var parser = HoursParser(translated, isLenient: lexer.isLenient || translated.map(\.token) != lexer.tokens)
        try parser.readRules()
        return try parser.resolved()
    }

    private init(_ tokens: [HoursLanguages.Translation], isLenient: Bool) {
        self.tokens = tokens.map(\.token)
        written = tokens.map(\.written)
        self.isLenient = isLenient
    }

    mutating func warn(_ warning: String) {
        if !warnings.contains(warning) { warnings.append(warning) }
    }

    var next: HoursToken? { token(0) }

    func token(_ ahead: Int) -> HoursToken? { at + ahead < tokens.count ? tokens[at + ahead] : nil }

    func word(_ ahead: Int = 0) -> String? { if case .word(let word)? = token(ahead) { word } else { nil } }

    func isSymbol(_ symbol: Character, _ ahead: Int = 0) -> Bool { token(ahead) == .symbol(symbol) }

    mutating func skip(_ symbol: Character) -> Bool {
        guard isSymbol(symbol) else { return false }
        at += 1
        return true
    }

    /// Consumes the dash of a range, or a word for it.
    mutating func skipRange() -> Bool {
        if skip("-") { return true }
        guard let word = word(), HoursWords.ranges.contains(word) else { return false }
        at += 1
        isLenient = true
        return true
    }

    /// Consumes a word that is known to be there.
    mutating func takeWord() {
        if let word = word(), !HoursWords.isStandard(word) { isLenient = true }
        at += 1
    }

    var unexpected: HoursFault {
        guard next != nil else { return HoursFault("it ends too early") }
        return HoursFault("'\(written[at])' is not expected there")
    }

    private mutating func readRules() throws(HoursFault) {
        var link = HoursRule.Link.override
        var isSeparated = true
        var isRow = false
        while next != nil {
            var draft = try rule(link)
            draft.isRow = isRow
            if draft.isBlank {
                isLenient = isLenient || !drafts.isEmpty
            } else {
                guard isSeparated || draft.hasTimes || draft.state != nil else {
                    throw HoursFault("days after times have no times of their own")
                }
                drafts.append(draft)
            }
            isSeparated = true
            isRow = false
            switch next {
            case nil: return
            case .symbol(";"): link = .override
            case .symbol("|"): link = .fallback
            case .symbol(","):
                guard !draft.isDangling else { throw HoursFault("days before a comma have no times of their own") }
                link = .addition
            case .symbol("\n"),
                .symbol("/") where beginsDays(1):
                isLenient = true
                (link, isRow) = (.addition, true)
            default:
                guard beginsDays else { throw unexpected }
                warn("a separator is missing before '\(next?.text ?? "")'")
                isLenient = true
                isSeparated = false
                (link, isRow) = (.addition, true)
                continue
            }
            at += 1
        }
    }

    private mutating func rule(_ link: HoursRule.Link) throws(HoursFault) -> Draft {
        var draft = Draft(link: link)
        if let word = word(), let state = HoursWords.states[word], beginsDays(1) {
            takeWord()
            isLenient = true
            draft.state = state
        }
        let isStateFirst = draft.state != nil
        mayBeHours = false
        try days(of: &draft)
        if draft.isDangling { skipSeparator() }
        if case .number(24, _)? = next, isSymbol("/", 1), token(2) == .number(7, digits: 1) {
            at += 3
            draft.isAlways = true
        } else if isWholeDay {
            at += 2
            isLenient = true
            if draft.days.isEveryDay { draft.isAlways = true } else { draft.ranges = [.wholeDay] }
        } else if beginsTime {
            draft.ranges = try ranges()
        }
        if isStateFirst, draft.state == .open, !draft.hasTimes { throw HoursFault("'open' before days needs times") }
        if let word = word(), let state = HoursWords.states[word] {
            guard !isStateFirst, !draft.hasTimes || !beginsDays(1) else {
                throw HoursFault("'\(word)' may belong to the days before it or to those after it")
            }
            takeWord()
            draft.state = state
        }
        if case .comment? = next {
            at += 1
            // A comment alone means unknown hours, as in the reference implementation.
            draft.state = draft.state ?? .unknown
        }
        if mayBeHours, draft.isDangling { throw HoursFault("numbers after a date may be days or hours") }
        return draft
    }

    /// Consumes a separator between days and their times or their state, as in `Mo-Fr, 09:00-17:00`.
    private mutating func skipSeparator() {
        guard let next, [",", "/", "\n", "-"].map(HoursToken.symbol).contains(next), !beginsYear(1) else { return }
        let namesState = word(1).map { HoursWords.states[$0] != nil } ?? false
        guard beginsTime(1) || namesState && !beginsDays(2) else { return }
        at += 1
        isLenient = true
    }

    private func resolved() throws(HoursFault) -> HoursReading {
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
            if !draft.hasTimes, draft.state == nil, hasTimes || draft.promisesTimes {
                draft.state = .unknown
                reading.warn("days without times beside others that have some: when it is open is unknown")
            }
            if drafts.count > 1, draft.state == .open, !draft.hasTimes, draft.days.isEveryDay, !draft.isHoliday {
                throw HoursFault("'open' for every day is beside other rules")
            }
            if draft.isHoliday {
                reading.namesHolidays = true
                reading.warn("holidays are not known here: rules for PH or SH are ignored")
                if draft.days.weekdays == 0, draft.days.someWeekdays.isEmpty { continue }
            }
            try refuseUndated(draft, number)
            var rule = try Self.rule(draft, isFullDay, &reading)
            if draft.isRow { try rule.join(reading.rules) }
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
        if isWholeDay, draft.state == nil, !draft.isAlways { reading.warn("days without times are open all day") }
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

    private static func unknownWarning(_ ranges: [HoursRange]) -> String {
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
