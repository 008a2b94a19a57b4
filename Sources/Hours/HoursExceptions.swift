/// Exceptions such as `daily except Sundays 9-21` and `Mo-Fr 9-17, except holidays`, rewritten as rules of their own.
enum HoursExceptions {
    private static let words: Set = [
        "except", "excepto", "excepte", "sauf", "salvo", "ausser", "tranne", "exceto", "behalve", "menos", "excluding",
        "eccetto",
    ]
    /// Rules end with one of these.
    private static let ends: Set<HoursToken> = [.symbol(";"), .symbol("\n"), .symbol("|")]

    /// The tokens in the standard syntax with each exception as a rule that closes its days.
    ///
    /// An exception whose meaning is not certain is left, so that its word is reported.
    static func rewritten(_ texts: [HoursLanguages.Translation]) -> [HoursLanguages.Translation] {
        guard texts.contains(where: isException) else { return texts }
        var rules: [HoursLanguages.Translation] = []
        for part in texts.split(omittingEmptySubsequences: false, whereSeparator: { ends.contains($0.token) }) {
            rules += rule(Array(part))
            if part.endIndex < texts.endIndex { rules.append(texts[part.endIndex]) }
        }
        return rules
    }

    private static func rule(_ texts: [HoursLanguages.Translation]) -> [HoursLanguages.Translation] {
        guard let at = texts.firstIndex(where: isException) else { return texts }
        var before = texts[..<at]
        let isBracketed = before.last?.token == .symbol("(")
        if isBracketed || before.last?.token == .symbol(",") { before.removeLast() }
        var days = texts[(at + 1)...].prefix { names($0.token) }
        // A separator after the days does not belong to them.
        while let last = days.last, !isDay(last.token) { days.removeLast() }
        var after = texts[days.endIndex...]
        if isBracketed {
            guard after.first?.token == .symbol(")") else { return texts }
            after.removeFirst()
        }
        guard !days.isEmpty, !after.contains(where: isException) else { return texts }
        let closed = [mark(.symbol(";"), texts[at])] + days + [mark(.word("off"), texts[at])]
        if before.contains(where: isNumber) {
            // Times after the days may be hours of these days, or of days after a comma.
            return after.isEmpty ? Array(before + closed) : texts
        }
        // Without times the rule has only days, and a later rule would open them again.
        return after.contains(where: isNumber) ? Array(before + after) + closed : texts
    }

    private static func mark(
        _ token: HoursToken, _ text: HoursLanguages.Translation
    ) -> HoursLanguages.Translation { HoursLanguages.Translation(token: token, written: text.written) }

    private static func isException(_ text: HoursLanguages.Translation) -> Bool {
        if case .word(let word) = text.token { words.contains(word) } else { false }
    }

    private static func isNumber(_ text: HoursLanguages.Translation) -> Bool {
        if case .number = text.token { true } else { false }
    }

    private static func isDay(_ token: HoursToken) -> Bool {
        guard case .word(let word) = token else { return false }
        return HoursWords.weekdays[word] != nil || HoursWords.manyWeekdays[word] != nil
            || HoursWords.holidays.contains(word)
    }

    /// Whether a token is a day, or joins days.
    private static func names(_ token: HoursToken) -> Bool {
        if case .word(let word) = token, HoursWords.ands.contains(word) || HoursWords.ranges.contains(word) {
            return true
        }
        return token == .symbol(",") || token == .symbol("-") || isDay(token)
    }
}
