extension HoursParser {
    var beginsTime: Bool { beginsTime(0) }

    func beginsTime(_ ahead: Int) -> Bool {
        switch token(ahead) {
        case .number: true
        case .word(let word): HoursWords.sun.contains(word)
        case .symbol("("): word(ahead + 1).map(HoursWords.sun.contains) ?? false
        default: false
        }
    }

    /// Whether `24h` comes next and does not begin a range.
    var isWholeDay: Bool {
        guard case .number(24, _)? = next, let mark = word(1), HoursWords.hourMarks.contains(mark) else { return false }
        if case .number? = token(2) { return false }
        return !isSymbol("-", 2) && !(word(2).map(HoursWords.ranges.contains) ?? false)
    }

    mutating func ranges() throws(HoursFault) -> [HoursRange] {
        var before = at
        var ranges = [try range()]
        while true {
            if isListed || isSymbol("-") && beginsTime(1) && saysTo(from: before) {
                if !isSymbol(",") { isLenient = true }
                at += 1
            } else if followsDirectly {
                isLenient = true
            } else {
                return ranges
            }
            before = at
            ranges.append(try range())
        }
    }

    /// Whether a further range follows a comma, rather than the year of another rule.
    private var isListed: Bool {
        (isSymbol(",") || isSymbol("/") || isSymbol("\n") || word().map(HoursWords.ands.contains) ?? false)
            && beginsTime(1)
            && !beginsYear(1)
    }

    /// Whether the range from a token on has a word for its dash, so that a dash after it separates ranges.
    private func saysTo(from first: Int) -> Bool {
        tokens[first..<at].contains { if case .word(let word) = $0 { HoursWords.ranges.contains(word) } else { false } }
    }

    /// Whether a further range follows without a separator, as in `9:00-14:00 17:00-20:00`.
    private var followsDirectly: Bool {
        guard case .number(_, let digits)? = next, digits <= 2, !beginsYear() else { return false }
        return isSymbol(":", 1) || word(1).map(HoursWords.hourMarks.contains) ?? false
    }

    private mutating func range() throws(HoursFault) -> HoursRange {
        let start = try time()
        if skip("+") { return HoursRange(start: start, end: nil, isOpenEnded: true) }
        guard skipRange() else { throw unexpected }
        guard beginsTime else {
            // "16:00-" is "16:00+".
            guard next == nil || isSymbol(",") || isSymbol(";") || isSymbol("\n") else { throw unexpected }
            isLenient = true
            return HoursRange(start: start, end: nil, isOpenEnded: true)
        }
        let end = try time()
        return HoursRange(start: start, end: end, isOpenEnded: skip("+"))
    }

    private mutating func time() throws(HoursFault) -> HoursTime {
        if skip("(") { return try shiftedSun() }
        if let word = word() {
            guard beginsTime else { throw unexpected }
            takeWord()
            return .sun(word)
        }
        return .clock(try clockTime())
    }

    /// Parses `(sunset-01:30)` after its opening parenthesis.
    private mutating func shiftedSun() throws(HoursFault) -> HoursTime {
        guard let word = word(), HoursWords.sun.contains(word) else { throw unexpected }
        at += 1
        let sign: Character = isSymbol("+") ? "+" : "-"
        guard skip(sign), case .number(let hour, 2)? = next, isSymbol(":", 1), case .number(let minute, 2)? = token(2)
        else { throw unexpected }
        at += 3
        guard skip(")") else { throw unexpected }
        return .sun("(\(word)\(sign)\(hour.twoDigits):\(minute.twoDigits))")
    }

    private mutating func clockTime() throws(HoursFault) -> ClockTime {
        guard case .number(let number, let digits)? = next, digits <= 4 else { throw unexpected }
        at += 1
        var time = ClockTime(hour: number, minute: 0, isBare: true, isShort: digits == 1)
        if digits > 2 {
            time = ClockTime(hour: number / 100, minute: number % 100, isBare: false, isShort: digits == 3)
            isLenient = true
        } else if minuteFollows {
            guard case .number(let minute, _)? = token(1) else { throw unexpected }
            if !isSymbol(":") { isLenient = true }
            at += 2
            time.minute = minute
            time.isBare = false
        } else {
            isLenient = true
        }
        if let word = word() {
            if word == "am" || word == "pm" {
                at += 1
                time.isAfternoon = word == "pm"
                isLenient = true
            } else if word == "p" || word == "a" && isSymbol("-", 1) {
                // "8a-5p"; the a of "8 a 17" is a dash.
                at += 1
                time.isAfternoon = word == "p"
                isLenient = true
            } else if HoursWords.hourMarks.contains(word) {
                at += 1
                isLenient = true
            }
        }
        return time
    }

    /// Whether `:30`, `.30` or `h30` comes next.
    private var minuteFollows: Bool {
        guard case .number(_, 2)? = token(1) else { return false }
        // In "12h 13h30" the second number is an hour.
        if !isSymbol(":"), !isSymbol("."), isSymbol(":", 2) || word(2).map(HoursWords.hourMarks.contains) ?? false {
            return false
        }
        return isSymbol(":") || isSymbol(".") || word().map(HoursWords.hourMarks.contains) ?? false
    }
}
