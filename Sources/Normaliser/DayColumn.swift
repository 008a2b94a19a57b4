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

    /// Abbreviations by language, which count if three of them are there.
    private static let abbreviations = [
        "mo tu we th fr sa su", "lun mar mie jue vie sab dom", "l m x j v s d", "mo di mi do fr sa so",
        "lun mar mer jeu ven sam dim", "lun mar mer gio ven sab dom", "seg ter qua qui sex sab dom",
        "ma di wo do vr za zo", "dl dt dc dj dv ds dg",
    ].map { week($0.split(separator: " ").map(String.init)) }

    /// The words for several days.
    private static let groups: [String: ClosedRange<Int>] = words([
        (0...4, "weekdays weekday workdays laborables"), (5...6, "weekend weekends wochenende"),
    ])
    /// Such words in several parts.
    private static let phrases = [
        ("week end", "weekend"), ("fin de semana", "weekend"), ("fines de semana", "weekend"),
        ("fim de semana", "weekend"), ("fine settimana", "weekend"), ("cap de setmana", "weekend"),
        ("entre semana", "weekdays"), ("business days", "weekdays"), ("dias laborables", "weekdays"),
        ("dias uteis", "weekdays"),
    ]
    private static let phraseEnds = Set(phrases.compactMap { $0.0.split(separator: " ").last.map(String.init) })
    /// The words between the first and the last of several days.
    private static let between: Set = [
        "to", "a", "al", "bis", "au", "hasta", "thru", "through", "till", "until", "tot",
    ]

    /// The part that a column has in a day.
    enum Part: Hashable { case whole, opening, closing, isClosed }

    private static let parts: [String: Part] = words([
        (
            .whole,
            "hours hour hrs business store shop time times horario horarios horas horaires horaire heures orario orari "
                + "offnungszeiten offnungszeit openingstijden regular feira day is de"
        ),
        (
            .opening,
            "open opens opening from start starts begin abre apertura abertura ouverture ouvre von ab offnet desde van"
        ),
        (
            .closing,
            "close closes closing to until till end ends cierra cierre hasta chiusura chiude fermeture fecha fecho "
                + "fechamento encerramento bis schliesst schliessung tot"
        ), (.isClosed, "closed cerrado geschlossen chiuso fechado gesloten"),
    ])

    /// The first and second times of a day.
    private static let turns: [String: Int] = words([
        (1, "1 am morning manana matin mattina vormittag vormittags manha ochtend"),
        (2, "2 pm afternoon tarde tardes midi pomeriggio nachmittag nachmittags middag"), (3, "3"), (0, "apres"),
    ])

    /// The days, part and turn that the words of a column name; nil for another column.
    static func place(
        _ words: [String], _ days: [String: Int], isPair: Bool
    ) -> (days: [Int], part: Part, turn: Int)? {
        var named: [Int] = []
        var group: ClosedRange<Int>?
        var isRange = isPair
        var part = Part.whole
        var turn = 0
        for (index, word) in words.enumerated() {
            if let day = days[word] {
                if !named.contains(day) { named.append(day) }
            } else if let some = groups[word], group == nil || group == some {
                group = some
            } else if between.contains(word), !named.isEmpty,
                words[(index + 1)...].first.map({ days[$0] != nil }) == true
            {
                isRange = true
            } else if let one = parts[word] {
                if one != .whole { part = one }
            } else if let one = turns[word] {
                turn = max(turn, one)
            } else {
                return nil
            }
        }
        // "Opening hours" are the whole.
        if part == .opening, words.contains("opening") || words.contains("apertura"),
            words.contains(where: { parts[$0] == .whole })
        {
            part = .whole
        }
        return Self.days(named, group, isRange: isRange).map { ($0, part, turn) }
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

    /// The words of a column, split also within `mondayOpen1`.
    static func split(_ column: String) -> [String] {
        var text = ""
        var last: Character = " "
        for character in column {
            if last.isLowercase && character.isUppercase || last.isLetter && character.isNumber { text += " " }
            text.append(character)
            last = character
        }
        let words = PlainText.words(of: text)
        guard words.count > 1, words.contains(where: phraseEnds.contains) else { return words }
        var joined = " " + words.joined(separator: " ") + " "
        for (phrase, word) in phrases { joined = joined.replacing(" \(phrase) ", with: " \(word) ") }
        return joined.split(separator: " ").map(String.init)
    }

    private static func week(_ days: [String]) -> [String: Int] { words(Array(zip(0..., days))) }

    private static func words<Value>(_ rows: [(Value, String)]) -> [String: Value] {
        Dictionary(
            rows.flatMap { value, words in words.split(separator: " ").map { (String($0), value) } },
            uniquingKeysWith: { first, _ in first })
    }
}
