/// Phrases of several words or numbers that mean one standard expression.
enum HoursPhrases {
    /// The phrases by their meaning, separated by `;`, in lowercase and without accents.
    private static let table: [(meaning: String, phrases: String)] = [
        (
            "24/7",
            """
            24h/24 7j/7; 24h/24, 7j/7; 24h/24 et 7j/7; 7j/7 24h/24; 7j/7, 24h/24; 24 hours a day 7 days a week; h24 7/7; \
            24 hours a day, 7 days a week; rund um die uhr; 24 horas al dia; 24 horas por dia
            """
        ),
        (
            "daily",
            """
            7j/7; 7j sur 7; 7 j/7; 7/7; 7 jours sur 7; 7 jours/7; 7 giorni su 7; 7 dias a la semana; 7 dias por semana; \
            7 days a week; 7 days; 7 tage die woche; 7 tage; 7 dagen per week; seven days a week; tous les jours; \
            todos los dias; todos os dias; tutti i giorni; tots els dies; alle tage; jeden tag; alle dagen; elke dag; \
            every day; each day; all days; all week; cada dia; dagelijks; diariamente; tagl.; chaque jour; ogni giorno; \
            toute la semaine; toda la semana; toda a semana; tutta la settimana
            """
        ),
        (
            "24 h",
            """
            24h/24; 24 heures sur 24; 24 hours a day; 24 hrs a day; 24 hours/day; 24 ore su 24; h24; las 24 horas; \
            24 stunden am tag; 24-hour; 24-hours; around the clock; round the clock
            """
        ),
        (
            "weekends",
            """
            fines de semana; fin de semana; fins de semana; fim de semana; week-end; week-ends; wochenende; am wochenende; \
            caps de setmana; cap de setmana; fine settimana
            """
        ),
        ("weekdays", "laborables; dias laborables; dias uteis; entre semana; jours ouvres; dies feiners"),
        ("12 pm", "12 noon; 12 midday; noon; midday; mediodia; midi; mittags; mezzogiorno; meio-dia; migdia"),
        (
            "12 am",
            "12 midnight; midnight; medianoche; minuit; mitternacht; mezzanotte; meia-noite; mitjanit; middernacht"
        ),
        ("ph", "public holidays; bank holidays; jours feries; feiertagen; dias festivos; giorni festivi; dies festius"),
        ("to", "t/m; thru; through; til; fins a; jusqu'a"), ("und", "u."),
        ("segunda", "segunda-feira; segunda feira; 2a feira"),
        ("terca", "terca-feira; terca feira; 3a feira"), ("quarta", "quarta-feira; quarta feira; 4a feira"),
        ("quinta", "quinta-feira; quinta feira; 5a feira"), ("sexta", "sexta-feira; sexta feira; 6a feira"),
    ]

    private struct Phrase {
        var tokens: [HoursToken]
        var meaning: [HoursToken]
        var written: String
    }

    /// The phrases by their first token, longest first.
    private static let phrases: [HoursToken: [Phrase]] = {
        let all = table.flatMap { row in
            row.phrases.split(separator: ";").compactMap { text -> Phrase? in
                let written = String(text.drop(while: \.isWhitespace))
                guard let tokens = try? HoursLexer(written).tokens, let meaning = try? HoursLexer(row.meaning).tokens
                else { return nil }
                return Phrase(tokens: tokens, meaning: meaning, written: written)
            }
        }
        return Dictionary(grouping: all.sorted { $0.tokens.count > $1.tokens.count }) { $0.tokens[0] }
    }()

    /// The words of a heading, as in `Horario de apertura: L-V 9-14`.
    private static let headings: Set = [
        "horario", "horarios", "opening", "hours", "times", "store", "business", "horaires", "offnungszeiten", "orari",
        "orario", "horari", "openingstijden", "apertura", "ouverture", "funcionamento", "comercial",
    ]

    /// The number of tokens of a heading before the hours.
    private static func heading(_ tokens: [HoursToken]) -> Int {
        func isHeading(_ index: Int) -> Bool {
            guard index < tokens.count, case .word(let word) = tokens[index] else { return false }
            return headings.contains(word)
        }
        var count = 0
        while isHeading(count) {
            count += 1
            // "di" alone may be a day.
            if count < tokens.count, [.word("de"), .word("di"), .word("d")].contains(tokens[count]),
                isHeading(count + 1)
            {
                count += 1
            }
        }
        return count + (count > 0 && count < tokens.count && tokens[count] == .symbol(":") ? 1 : 0)
    }

    /// The tokens with every phrase replaced by its meaning, and the words as written.
    static func translated(_ tokens: [HoursToken]) -> [HoursLanguages.Translation] {
        var translated: [HoursLanguages.Translation] = []
        var at = heading(tokens)
        while at < tokens.count {
            if let phrase = phrases[tokens[at]]?.first(where: { tokens[at...].starts(with: $0.tokens) }) {
                translated += phrase.meaning.map { HoursLanguages.Translation(token: $0, written: phrase.written) }
                at += phrase.tokens.count
            } else {
                translated.append(HoursLanguages.Translation(token: tokens[at], written: tokens[at].text))
                at += 1
            }
        }
        return translated
    }
}
