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

    /// The maximum length of a text in bytes, because rules are compared with each other.
    private static let longest = 1000

    /// Parses a text.
    ///
    /// - Throws: ``HoursFault`` for text that is not understood or ambiguous.
    static func read(_ text: String) throws(HoursFault) -> HoursReading {
        guard text.utf8.count <= longest else { throw HoursFault("it has more than \(longest) bytes") }
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
            case _ where endsRow(draft):
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

    /// Whether the next token ends a row of a list, or a sentence, after a rule.
    private func endsRow(_ draft: Draft) -> Bool {
        switch next {
        case .symbol("\n"): true
        case .symbol("/"): beginsDays(1)
        case .stop, .symbol("."): endsSentence(draft)
        default: false
        }
    }

    /// Whether a dot after a rule is the last of the text or a line, or weekdays begin the next rule.
    ///
    /// A month does not: in `9-12, 15-17. Dez` the numbers are its days.
    private func endsSentence(_ draft: Draft) -> Bool {
        guard !draft.isDangling, !draft.isBlank else { return false }
        if token(1) == nil { return true }
        // In "Closed. Mo-Fr 9-17" the shop may be closed although it has hours.
        guard draft.hasTimes || !draft.days.isEveryDay || draft.isHoliday else { return false }
        let namesState = word(1).map { HoursWords.states[$0] != nil } ?? false
        let days = namesState ? 2 : 1
        return isSymbol("\n", 1) || beginsWeekdays(days) || word(days).map(HoursWords.holidays.contains) ?? false
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
}
