internal import Hours
internal import Model

/// The opening hours of a place from a column, or several, for each day.
struct WeekColumns {
    private static let standard = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]

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
        var part: DayColumn.Part
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
        let columns = row.rest.keys.sorted().map { (name: $0, words: DayColumn.split($0)) }
        let days = DayColumn.days(in: Set(columns.flatMap(\.words)))
        var cells: [(days: [Int], cell: Cell)] = []
        for (name, words) in columns {
            guard let (days, part, turn) = DayColumn.place(words, days, isPair: words.count == 2 && name.contains("-")),
                let text = row.take(column: name)
            else { continue }
            cells.append((days, Cell(part: part, turn: turn, column: name, text: text)))
        }
        self.columns = cells.map(\.cell.column)
        guard !self.columns.isEmpty else { return }
        let week = (0..<7).map { Self.written(Self.cells(of: $0, in: cells)) }
        hours = text(week)
        let used = Set(week.compactMap { $0?.columns }.joined())
        for (_, cell) in cells where !used.contains(cell.column) {
            remark(.doubted, "'\(cell.text.shortened)' in '\(cell.column)' does not count beside others of its day")
        }
    }

    /// The cells of a day, which are of the fewest days among those that contain it.
    private static func cells(of day: Int, in cells: [(days: [Int], cell: Cell)]) -> [Cell] {
        let own = cells.filter { $0.days.contains(day) }
        guard let narrowest = own.min(by: { $0.days.count < $1.days.count })?.days else { return [] }
        return own.filter { $0.days == narrowest }.map(\.cell)
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
            remark(.guessed, "'\(text.shortened)' in '\(column)' was read as closed")
            return "off"
        case .midnight, .unreadable:
            for other in readable {
                if case .read = Self.times(text, "; Tu \(other)") { return text }
            }
            remark(.doubted, "'\(text.shortened)' in '\(column)' is not understood: that day is unknown")
            return "unknown"
        }
    }

    /// Adds a remark, once for the days of a cell.
    private mutating func remark(_ kind: Remark.Kind, _ detail: String) {
        let remark = Remark("hours", kind, detail)
        if remarks.last != remark { remarks.append(remark) }
    }

    /// Reads the text of a day, which must not speak of other days.
    private static func times(_ text: String, _ rest: String = "") -> Times {
        let plain = PlainText.of(text)
        if closed.contains(plain) { return .closed }
        if plain.hasPrefix("12"), plain.wholeMatch(of: Patterns.midnights) != nil { return .midnight }
        let hours = OpeningHours("Mo \(text)\(rest)")
        guard let reading = hours.reading, reading.hasPrefix("Mo "), hours.ruleCount == (rest.isEmpty ? 1 : 2) else {
            return .unreadable
        }
        let own = reading.dropFirst(3).prefix { $0 != ";" }
        switch own {
        case "off": return .closed
        case "open", "unknown": return .unreadable
        case "00:00-00:00": return .midnight
        default:
            let ends = own.split(separator: "-")
            return ends.count == 2 && ends[0] == ends[1] ? .unreadable : .read(text)
        }
    }

    /// The cells of a day as one text, with the columns that count.
    private static func written(_ cells: [Cell]) -> (columns: [String], text: String)? {
        let marks = cells.filter { $0.part == .isClosed }
        if let mark = marks.first(where: { !no.contains(PlainText.of($0.text)) }) {
            let closed = cells.filter { $0.column == mark.column || times($0.text) == .closed }
            return (closed.map(\.column), yes.contains(PlainText.of(mark.text)) ? "off" : mark.text)
        }
        var columns = marks.map(\.column)
        var texts: [String] = []
        for turn in Set(cells.filter { $0.part != .isClosed }.map(\.turn)).sorted() {
            let own = cells.filter { $0.turn == turn }
            let wholes = own.filter { $0.part == .whole }
            let pair = [DayColumn.Part.opening, .closing].compactMap { part in own.first { $0.part == part } }
            let closed = pair.filter { times($0.text) == .closed }
            columns += (wholes + (closed.isEmpty ? pair : closed)).map(\.column)
            texts += wholes.map(\.text)
            if !closed.isEmpty {
                texts.append("off")
            } else if !pair.isEmpty {
                texts.append(time(of: pair.map(\.text)))
            }
        }
        guard !texts.isEmpty else { return nil }
        let open = texts.filter { times($0) != .closed }
        return (columns, open.isEmpty ? "off" : open.map(plain).joined(separator: ","))
    }

    /// The time between the texts of an opening and a closing, of which one may be missing.
    private static func time(of pair: [String]) -> String {
        let isWhole = pair.count == 2 && pair[0] == pair[1] && OpeningHours(pair[0]).reading == "24/7"
        return isWhole ? pair[0] : pair.joined(separator: "-")
    }

    /// A text without seconds, in which `;` separates the times of one day.
    private static func plain(_ text: String) -> String {
        text.replacing(";", with: ",").replacing(Patterns.wholeMinute) { $0.output.1 }
    }
}

private enum Patterns {
    /// Midnight to midnight on a 12-hour clock.
    static let midnights = Pattern(#/12(?:[:.]00)?\s*a\.?m\.?\s*(?:[-–—~]|to)\s*12(?:[:.]00)?\s*a\.?m\.?\s*/#)
    static let wholeMinute = Pattern(#/(\d{1,2}:\d\d):00/#)
}
