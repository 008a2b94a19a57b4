internal import Hours
internal import Model

/// The names of columns with the opening hours of a day, or of several.
package enum DayColumn {
    /// The names of the days from Monday to Sunday that no other column has.
    package static let names = week([
        "monday mon lunes montag lundi lunedi segunda maandag dilluns",
        "tuesday tue tues martes dienstag mardi martedi terca dinsdag dimarts",
        "wednesday wed miercoles mittwoch mercredi mercoledi quarta woensdag dimecres",
        "thursday thu thur thurs jueves donnerstag jeudi giovedi quinta donderdag dijous",
        "friday fri viernes freitag vendredi venerdi sexta vrijdag divendres",
        "saturday sat sabado samstag sonnabend samedi sabato zaterdag dissabte",
        "sunday sun domingo sonntag dimanche domenica zondag diumenge",
    ])

    /// The days from Monday to Sunday in the standard syntax.
    static let standard: [Substring] = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]

    /// Abbreviations by language, which count if three of them are there.
    private static let abbreviations = [
        "mo tu we th fr sa su", "lun mar mie jue vie sab dom", "l m x j v s d", "mo di mi do fr sa so",
        "lun mar mer jeu ven sam dim", "lun mar mer gio ven sab dom", "seg ter qua qui sex sab dom",
        "ma di wo do vr za zo", "dl dt dc dj dv ds dg",
    ].map { week($0.split(separator: " ").map(String.init)) }

    /// The words for several days.
    static let groups: [String: ClosedRange<Int>] = words([
        (0...4, "weekdays weekday workdays laborables"), (5...6, "weekend weekends wochenende"),
    ])
    /// Such words in several parts.
    static let phrases = [
        ("week end", "weekend"), ("fin de semana", "weekend"), ("fines de semana", "weekend"),
        ("fim de semana", "weekend"), ("fine settimana", "weekend"), ("cap de setmana", "weekend"),
        ("entre semana", "weekdays"), ("business days", "weekdays"), ("dias laborables", "weekdays"),
        ("dias uteis", "weekdays"),
    ]
    static let phraseEnds = Set(phrases.compactMap { $0.0.split(separator: " ").last.map(String.init) })
    /// The words between the first and the last of several days.
    private static let between: Set = [
        "to", "a", "al", "bis", "au", "hasta", "thru", "through", "till", "until", "tot",
    ]

    /// The part that a column has in a day.
    enum Part: Hashable { case whole, opening, closing, isClosed, isOpen }

    /// The days of a column, and its part in them.
    struct Place: Hashable {
        var days: [Int]
        var part = Part.whole
        /// 1 for the first times of a day, if it has several.
        var turn = 0
        /// Whether a word, such as `morning`, names these times, rather than a number.
        var isHalf = false
        /// Whether it has times of a break, rather than of being open.
        var isBreak = false
        /// Whether it has only the minutes of a time.
        var isMinute = false
    }

    static let parts: [String: Part] = words([
        (
            .whole,
            "hours hour hrs business store shop time times horario horarios horas horaires horaire heures orario orari "
                + "offnungszeiten offnungszeit openingstijden regular feira day is de at las hora heure ora uhr um turno "
                + "tramo shift slot period"
        ),
        (
            .opening,
            "open opens opening from start starts begin abre apertura abertura ouverture ouvre von ab offnet desde van"
        ),
        (
            .closing,
            "close closes closing to until till end ends cierra cierre hasta chiusura chiude fermeture fecha fecho "
                + "fechamento encerramento bis schliesst schliessung tot"
        ),
        (
            .isClosed,
            "closed cerrado cerrada geschlossen chiuso fechado gesloten ferme tancat isclosed ruhetag off"
        ),
        (
            .isOpen,
            "opened isopen enabled active abierto abierta aperto geoffnet ouvert aberto geopend obert activo available"
        ),
    ])
    static let breaks: Set = [
        "break", "lunch", "pausa", "pause", "descanso", "mittagspause", "siesta", "pauze",
    ]
    fileprivate static let minutes: Set = ["minute", "minutes", "min", "mins", "minuto", "minutos", "minuten"]

    /// The first and second times of a day.
    static let turns: [String: Int] = words([
        (1, "1 am morning manana matin mattina vormittag vormittags manha ochtend"),
        (2, "2 pm afternoon tarde tardes midi pomeriggio nachmittag nachmittags middag"), (3, "3"), (4, "4"),
        (0, "0 apres"),
    ])

    /// Whether a word is a day's abbreviation in some language.
    static func isAbbreviation(_ word: String) -> Bool { abbreviations.contains { $0[word] != nil } }

    /// The days that the words of a column name, and its part in them; nil for another column.
    static func place(_ words: [String], _ days: [String: Int], isPair: Bool) -> Place? {
        var place = Place(days: [])
        var named: [Int] = []
        var group: ClosedRange<Int>?
        var isRange = isPair
        for (index, word) in words.enumerated() {
            if let day = days[word] {
                if !named.contains(day) { named.append(day) }
            } else if let some = groups[word], group == nil || group == some {
                group = some
            } else if between.contains(word), !named.isEmpty,
                words[(index + 1)...].first.map({ days[$0] != nil }) == true
            {
                isRange = true
            } else if !place.take(word) {
                return nil
            }
        }
        place.settle(words)
        if place.isBreak, named.isEmpty, group == nil, place.part != .whole {
            place.days = Array(0..<7)
        } else {
            guard let days = Self.days(named, group, isRange: isRange) else { return nil }
            place.days = days
        }
        return place
    }

    /// The days that a column names as in texts of hours, such as `L-V`, and its part in them; nil for another column.
    static func range(_ column: String) -> Place? {
        var place = Place(days: [])
        var days: [String] = []
        let texts = PlainText.of(column).split { $0.isWhitespace || $0 == "_" || $0 == ":" }.map(String.init)
        for text in texts where between.contains(text) && !days.isEmpty || !place.take(text) { days.append(text) }
        let text = days.joined(separator: " ")
        guard text.contains("-") || days.contains(where: between.contains), text.contains(where: \.isLetter),
            !text.contains(where: \.isNumber), let reading = OpeningHours(text).reading,
            let match = reading.wholeMatch(of: Patterns.range), let first = standard.firstIndex(of: match.output.1),
            let last = standard.firstIndex(of: match.output.2)
        else { return nil }
        place.settle(texts)
        place.days = (0...(last - first + 7) % 7).map { (first + $0) % 7 }
        return place
    }

    /// Whether all words of a column are about times of a day, with an opening or a closing among them.
    static func isPart(_ words: [String]) -> Bool {
        var place = Place(days: [])
        return words.allSatisfy { place.take($0) } && place != Place(days: [])
    }

    /// The days of a column that names one, the first and the last, or a word for several; nil for another column.
    ///
    /// Without a sign of a range two days are one if they follow each other, or are a week from Monday on.
    private static func days(_ named: [Int], _ group: ClosedRange<Int>?, isRange: Bool) -> [Int]? {
        if let group { return named.isEmpty ? Array(group) : nil }
        switch named.count {
        case 1: return named
        case 2:
            let length = (named[1] - named[0] + 7) % 7
            guard isRange || length == 1 || named[0] == 0 && length >= 4 else { return nil }
            return (0...length).map { (named[0] + $0) % 7 }
        default: return nil
        }
    }

    /// The days by the words that name them in these columns.
    static func days(in words: Set<String>) -> [String: Int] {
        let fitting = abbreviations.map { (week: $0, count: words.intersection($0.keys).count) }
        guard let most = fitting.map(\.count).max(), most >= 3 else { return names }
        var days = names
        for (week, count) in fitting where count == most {
            for (word, day) in week where names[word] == nil {
                days[word] = days[word].map { $0 == day ? day : -1 } ?? day
            }
        }
        return days.filter { $0.value >= 0 }
    }

    private static func week(_ days: [String]) -> [String: Int] { words(Array(zip(0..., days))) }

    static func words<Value>(_ rows: [(Value, String)]) -> [String: Value] {
        Dictionary(
            rows.flatMap { value, words in words.split(separator: " ").map { (String($0), value) } },
            uniquingKeysWith: { first, _ in first })
    }
}

extension DayColumn.Place {
    /// Takes a word of the column's name that is not a day.
    ///
    /// - Returns: whether the word is known.
    fileprivate mutating func take(_ word: String) -> Bool {
        if let one = DayColumn.parts[word] {
            if one != .whole { part = one }
        } else if let one = DayColumn.turns[word] {
            turn = max(turn, one)
            if Int(word) == nil { isHalf = true }
        } else if DayColumn.breaks.contains(word) {
            isBreak = true
        } else if DayColumn.minutes.contains(word) {
            isMinute = true
        } else {
            return false
        }
        return true
    }

    /// Decides the part when all words are taken.
    fileprivate mutating func settle(_ words: [String]) {
        guard part == .opening else { return }
        if words.contains("is") {
            part = .isOpen
        } else if words.contains("opening") || words.contains("apertura"),
            words.contains(where: {
                DayColumn.parts[$0] == .whole && $0 != "hora"
            })
        {
            // "Opening hours" are the whole.
            part = .whole
        }
    }
}

private enum Patterns {
    /// A range of days without times.
    static let range = Pattern(#/([A-Z][a-z])-([A-Z][a-z]) (?:open|unknown)/#)
}
