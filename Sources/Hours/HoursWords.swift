enum HoursWords {
    /// The weekdays by English name, 0 for Monday; ``HoursLanguages`` has the names in other languages.
    static let weekdays: [String: Int] = [
        "mo": 0, "tu": 1, "we": 2, "th": 3, "fr": 4, "sa": 5, "su": 6,
        "mon": 0, "tue": 1, "tues": 1, "wed": 2, "weds": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4, "sat": 5,
        "sun": 6,
        "monday": 0, "tuesday": 1, "wednesday": 2, "thursday": 3, "friday": 4, "saturday": 5, "sunday": 6,
        "mondays": 0, "tuesdays": 1, "wednesdays": 2, "thursdays": 3, "fridays": 4, "saturdays": 5, "sundays": 6,
    ]

    /// Words for several weekdays, as bits.
    static let manyWeekdays: [String: UInt8] = [
        "weekdays": 0x1f, "weekday": 0x1f, "weekends": 0x60, "weekend": 0x60, "daily": 0x7f, "everyday": 0x7f,
    ]

    /// The months by name, 1 for January.
    static let months: [String: Int] = [
        "jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11,
        "dec": 12,
        "january": 1, "february": 2, "march": 3, "april": 4, "june": 6, "july": 7, "august": 8, "sept": 9,
        "september": 9, "october": 10, "november": 11, "december": 12,
    ]

    /// The English months by their names in other languages, from January to December.
    static let otherMonths: [String: String] = {
        let names = [
            "enero januar janvier gennaio janeiro januari gener",
            "febrero februar fevrier febbraio fevereiro februari febrer", "marzo marz mars marco maart marc",
            "abril avril aprile", "mayo mai maggio maio mei maig", "junio juni juin giugno junho juny",
            "julio juli juillet luglio julho juliol", "agosto aout augustus agost",
            "septiembre setiembre septembre settembre setembro setembre", "octubre oktober octobre ottobre outubro",
            "noviembre novembre novembro", "diciembre dezember decembre dicembre dezembro desembre",
        ]
        let standard = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
        return Dictionary(
            uniqueKeysWithValues: zip(standard, names).flatMap { month, names in
                names.split(separator: " ").map { (String($0), month) }
            })
    }()

    static let states: [String: OpeningState] = [
        "open": .open, "closed": .closed, "off": .closed, "unknown": .unknown,
    ]

    static let holidays: Set<String> = ["ph", "sh"]
    static let sun: Set<String> = ["sunrise", "sunset", "dawn", "dusk"]
    /// Alternatives to the dash of a range.
    static let ranges: Set<String> = [
        "to", "until", "till", "a", "al", "hasta", "bis", "au", "alle", "ate", "as", "tot", "fins",
    ]
    /// Alternatives to the comma of a list.
    static let ands: Set<String> = ["and", "y", "e", "und", "et", "en", "i"]
    static let hourMarks: Set<String> = [
        "h", "hs", "hr", "hrs", "hour", "hours", "horas", "uhr", "stunden", "heures", "ore", "uur", "u",
    ]

    /// Whether a word belongs to the standard syntax.
    static func isStandard(_ word: String) -> Bool {
        weekdays[word] != nil && word.utf8.count == 2 || months[word] != nil && word.utf8.count == 3
            || states[word] != nil || holidays.contains(word) || sun.contains(word)
            || word == "week"
    }
}
