internal import Hours
internal import Model

/// The opening hours of a place from a column, or several, for each day.
struct WeekColumns {
    private static let standard = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]

    /// The names of the days from Monday to Sunday that no other column has.
    private static let names = week([
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

    /// The part that a column has in a day.
    private enum Part: Hashable { case whole, opening, closing, isClosed }

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

    /// The texts for closed, beside the words of ``OpeningHours``.
    private static let closed: Set = ["x", "-", "c", "ferme", "fermeture"]
    private static let yes: Set = ["1", "true", "yes", "y", "si", "oui", "ja", "sim", "x", "closed", "cerrado"]
    private static let no: Set = ["0", "false", "no", "n", "non", "nein", "nao", "nee", "open"]

    /// The hours; nil if no column is a day's.
    private(set) var hours: String?
    /// The names of the columns that were read.
    private(set) var columns: [String] = []
    /// The cells that make a day unknown, and midnights that were read as closed.
    private(set) var remarks: [Remark] = []

    /// A cell with its part in a day.
    private struct Cell {
        var part: Part
        var turn: Int
        var column: String
        var text: String
    }

    /// A day's state in the standard syntax.
    private enum Times: Equatable {
        case read(String)
        case closed
        /// The same time twice, which may be never or always.
        case midnight
        case unreadable
    }

    /// Takes the columns of days from a row.
    init(of row: inout ColumnNames) {
        let columns = row.rest.keys.sorted().map { (name: $0, words: Self.split($0)) }
        let days = Self.days(in: Set(columns.flatMap(\.words)))
        var cells = [[Cell]](repeating: [], count: 7)
        for (name, words) in columns {
            guard let (day, part, turn) = Self.place(words, days), let text = row.take(column: name) else { continue }
            cells[day].append(Cell(part: part, turn: turn, column: name, text: text))
        }
        self.columns = cells.joined().map(\.column)
        guard !self.columns.isEmpty else { return }
        hours = text(cells.map(Self.written))
    }

    /// The rules of a week, and the remarks on its cells.
    private mutating func text(_ week: [(columns: [String], text: String)?]) -> String {
        let texts = Set(week.compactMap { $0?.text })
        var known: [String: Times] = [:]
        for text in texts { known[text] = Self.times(text) }
        let readable = known.compactMap { if case .read(let times) = $0.value { times } else { nil } }.sorted()
        var rules: [(first: Int, last: Int, times: String)] = []
        for (day, cell) in week.enumerated() {
            guard let cell else { continue }
            let times = time(cell.text, known[cell.text] ?? .unreadable, beside: readable, cell.columns)
            if let last = rules.last, last.times == times, last.last == day - 1 {
                rules[rules.count - 1].last = day
            } else {
                rules.append((day, day, times))
            }
        }
        return rules.map { rule in
            let first = Self.standard[rule.first], last = Self.standard[rule.last]
            return rule.first == rule.last ? "\(first) \(rule.times)" : "\(first)-\(last) \(rule.times)"
        }.joined(separator: "; ")
    }

    /// The times of a day; the others of the week may show which clock they use.
    private mutating func time(
        _ text: String, _ times: Times, beside readable: [String], _ columns: [String]
    ) -> String {
        let column = columns.joined(separator: "', '")
        switch times {
        case .closed: return "off"
        case .read(let text): return text
        case .midnight where !readable.isEmpty:
            remarks.append(Remark("hours", .guessed, "'\(text.shortened)' in '\(column)' was read as closed"))
            return "off"
        case .midnight, .unreadable:
            for other in readable {
                if case .read = Self.times(text, "; Tu \(other)") { return text }
            }
            remarks.append(
                Remark("hours", .doubted, "'\(text.shortened)' in '\(column)' is not understood: that day is unknown"))
            return "unknown"
        }
    }

    /// Reads the text of a day, which must not speak of other days.
    private static func times(_ text: String, _ rest: String = "") -> Times {
        if closed.contains(PlainText.of(text)) { return .closed }
        let hours = OpeningHours("Mo \(text)\(rest)")
        guard let reading = hours.reading, reading.hasPrefix("Mo "), hours.ruleCount == (rest.isEmpty ? 1 : 2) else {
            return .unreadable
        }
        let own = reading.dropFirst(3).prefix { $0 != ";" }
        switch own {
        case "off": return .closed
        case "open", "unknown": return .unreadable
        case "00:00-24:00" where !text.contains("24"): return .midnight
        default:
            let ends = own.split(separator: "-")
            return ends.count == 2 && ends[0] == ends[1] ? .unreadable : .read(text)
        }
    }

    /// The cells of a day as one text.
    private static func written(_ cells: [Cell]) -> (columns: [String], text: String)? {
        guard !cells.isEmpty else { return nil }
        let columns = cells.map(\.column)
        for cell in cells where cell.part == .isClosed && !no.contains(PlainText.of(cell.text)) {
            return (columns, yes.contains(PlainText.of(cell.text)) ? "off" : cell.text)
        }
        var texts: [String] = []
        for turn in Set(cells.filter { $0.part != .isClosed }.map(\.turn)).sorted() {
            let own = cells.filter { $0.turn == turn }
            texts += own.filter { $0.part == .whole }.map(\.text)
            let pair = [Part.opening, .closing].compactMap { part in own.first { $0.part == part }?.text }
            guard let first = pair.first else { continue }
            let isClosed = pair.contains { times($0) == .closed }
            texts.append(isClosed ? "off" : pair.count == 1 ? first : pair.joined(separator: "-"))
        }
        guard !texts.isEmpty else { return nil }
        let open = texts.filter { times($0) != .closed }
        return (columns, open.isEmpty ? "off" : open.map(plain).joined(separator: ","))
    }

    /// A text without seconds, in which `;` separates the times of one day.
    private static func plain(_ text: String) -> String {
        text.replacing(";", with: ",").replacing(#/(\d{1,2}:\d\d):00/#) { $0.output.1 }
    }

    /// The day, part and turn that the words of a column name; nil for another column.
    private static func place(_ words: [String], _ days: [String: Int]) -> (day: Int, part: Part, turn: Int)? {
        var day: Int?
        var part = Part.whole
        var turn = 0
        for word in words {
            if let one = days[word] {
                guard day == nil || day == one else { return nil }
                day = one
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
        return day.map { ($0, part, turn) }
    }

    /// The days by the words that name them in these columns.
    private static func days(in words: Set<String>) -> [String: Int] {
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
    private static func split(_ column: String) -> [String] {
        var text = ""
        var last: Character = " "
        for character in column {
            if last.isLowercase && character.isUppercase || last.isLetter && character.isNumber { text += " " }
            text.append(character)
            last = character
        }
        return PlainText.words(of: text)
    }

    private static func week(_ days: [String]) -> [String: Int] { words(Array(zip(0..., days))) }

    private static func words<Value>(_ rows: [(Value, String)]) -> [String: Value] {
        Dictionary(
            rows.flatMap { value, words in words.split(separator: " ").map { (String($0), value) } },
            uniquingKeysWith: { first, _ in first })
    }
}
