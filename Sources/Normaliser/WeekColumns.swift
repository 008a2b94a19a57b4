internal import Hours
internal import Model

/// The opening hours of a place from a column, or several, for each day.
struct WeekColumns {
    /// The texts for closed, beside the words of ``OpeningHours``.
    private static let closed: Set = [
        "x", "-", "c", "ferme", "fermeture", "✗", "✘", "✕", "✖", "✖\u{fe0f}", "❌", "❌\u{fe0f}", "×",
    ]

    /// The hours; nil if no column is a day's.
    private(set) var hours: String?
    /// The names of the columns that were read.
    private(set) var columns: [String] = []
    /// The days that are closed or may be, in the standard syntax, with their columns; nil if there are none.
    private(set) var shut: (hours: String, columns: [String], remarks: [Remark])?
    /// The cells that make a day unknown, and midnights that were read as closed.
    private(set) var remarks: [Remark] = []

    /// A day's state in the standard syntax.
    enum Times: Equatable {
        case read(String)
        case closed
        /// The same time twice, which may be never or always.
        case midnight
        case unreadable
    }

    /// Takes the columns of days from a row.
    init(of row: inout ColumnNames) {
        let columns = row.all.sorted().map { (name: $0, words: DayColumn.split($0)) }
        let days = DayColumn.days(in: Set(columns.flatMap(\.words)))
        var cells: [WeekCell] = []
        for (name, words) in columns where row.rest[name] != nil {
            let place = DayColumn.place(words, days, isPair: words.count == 2 && name.contains("-"))
            guard let place = place ?? DayColumn.range(name), let text = row.rest[name] else { continue }
            cells.append(WeekCell(place, column: name, text))
        }
        guard cells.contains(where: { !$0.place.isBreak }) else { return }
        self.columns = cells.flatMap(\.columns)
        for column in self.columns { _ = row.take(column: column) }
        cells = WeekCell.withMinutes(cells)
        let week = (0..<7).map { Self.written(WeekCell.of($0, in: cells)) }
        hours = text(week)
        let used = Set(week.compactMap { $0?.columns }.joined())
        for cell in cells where used.isDisjoint(with: cell.columns) {
            let column = cell.columns.joined(separator: "', '")
            remark(.doubted, "'\(cell.text.shortened)' in '\(column)' does not count beside others of its day")
        }
        shut = Self.shut(week, cells)
    }

    /// The closed days; a day that one cell closes, and another leaves unclear, is unknown.
    private static func shut(
        _ week: [(columns: [String], text: String)?], _ cells: [WeekCell]
    ) -> (hours: String, columns: [String], remarks: [Remark])? {
        var (rules, columns, remarks): ([String], [String], [Remark]) = ([], [], [])
        for (day, written) in week.enumerated() {
            guard let written else { continue }
            let own = WeekCell.of(day, in: cells)
            let times = times(written.text)
            let isClosed = times == .closed
            let mayBeClosed = own.contains { $0.mark == .closed || $0.mark == .unclear || $0.mayBeClosed }
            guard isClosed || times == .midnight || mayBeClosed && times == .unreadable else { continue }
            rules.append("\(DayColumn.standard[day]) \(isClosed ? "off" : "unknown")")
            columns += isClosed ? written.columns : own.flatMap(\.columns)
            if isClosed { continue }
            let names = own.flatMap(\.columns).joined(separator: "', '")
            let remark = Remark(
                "hours", .doubted, "'\(written.text.shortened)' in '\(names)' is not understood: that day is unknown")
            if remarks.last != remark { remarks.append(remark) }
        }
        return rules.isEmpty ? nil : (rules.joined(separator: "; "), columns, remarks)
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
            let first = DayColumn.standard[rule.first], last = DayColumn.standard[rule.last]
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
    static func times(_ text: String, _ rest: String = "") -> Times {
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
    private static func written(_ cells: [WeekCell]) -> (columns: [String], text: String)? {
        let marks = cells.filter { $0.mark != nil }
        if let mark = marks.first(where: { $0.mark == .closed }) ?? marks.first(where: { $0.mark == .unclear }) {
            let closed = cells.filter { $0.columns == mark.columns || $0.mark == .closed || $0.isClosed }
            if mark.mark == .closed { return (closed.flatMap(\.columns), "off") }
            // Times at which a day is closed do not open it.
            let isUnreadable = times(mark.text) == .unreadable
            return (closed.flatMap(\.columns), isUnreadable ? mark.text : "closed ? \(mark.text)")
        }
        var columns = marks.flatMap(\.columns)
        let (own, breaks) = (cells.filter { $0.mark == nil && !$0.place.isBreak }, cells.filter(\.place.isBreak))
        let (read, texts) = times(of: own)
        columns += read
        guard !texts.isEmpty else { return marks.first.map { (columns, $0.text) } }
        let open = texts.filter { times($0) != .closed }
        guard !open.isEmpty else { return (columns, "off") }
        let pauses = times(of: breaks)
        return (columns + pauses.columns, without(pauses.texts, open.map(plain).joined(separator: ",")))
    }

    /// The times of a day in order, with the columns that count; columns that contradict each other are one text that
    /// is not understood.
    private static func times(of cells: [WeekCell]) -> (columns: [String], texts: [String]) {
        var columns: [String] = []
        var texts: [String] = []
        let isClosed = cells.contains { $0.place.turn == 0 && $0.place.part == .whole && $0.isClosed }
        // A second turn by number may be missing; a first one, or half of a day, is part of the whole day.
        let isPartClosed = cells.contains { ($0.place.isHalf || $0.place.turn == 1) && $0.isClosed }
        for turn in Set(cells.map(\.place.turn)).sorted() {
            let own = cells.filter { $0.place.turn == turn }
            let wholes = own.filter { $0.place.part == .whole }
            let pair = [DayColumn.Part.opening, .closing].map { part in own.filter { $0.place.part == part } }
            let closed = pair.joined().filter(\.isClosed)
            columns += (wholes + (closed.isEmpty ? Array(pair.joined()) : closed)).flatMap(\.columns)
            var said = wholes.map(\.text)
            let isContradicted = turn == 0 ? isPartClosed : isClosed
            if !closed.isEmpty || isContradicted { said.append("off") }
            let ends = pair.filter { !$0.isEmpty }.map { Set($0.map(\.text)).sorted().joined(separator: " ? ") }
            if closed.isEmpty, !ends.isEmpty { said.append(time(of: ends)) }
            texts += agree(Set(said)) ? said : [said.joined(separator: " ? ")]
        }
        return (columns, texts)
    }

    /// Whether texts of the same times are all closed, or have the same times or times apart from each other.
    private static func agree(_ texts: Set<String>) -> Bool {
        let open = texts.filter { times($0) != .closed }
        guard texts.count > 1, !open.isEmpty else { return true }
        let all = open.compactMap { Self.spans(plain($0)) }
        guard all.count == texts.count else { return false }
        return all.indices.allSatisfy { number in
            let spans = all[number]
            return all[..<number].allSatisfy { $0.elementsEqual(spans, by: ==) || !overlap($0, spans) }
        }
    }

    private static func overlap(_ a: [(Int, Int)], _ b: [(Int, Int)]) -> Bool {
        a.contains { one in b.contains { one.0 < $0.1 && $0.0 < one.1 } }
    }

    /// The times of a day without its breaks; a text that is not understood if that cannot be computed.
    private static func without(_ breaks: [String], _ text: String) -> String {
        let breaks = breaks.map(plain).filter { text in
            let ends = text.split(separator: "-")
            return times(text) != .closed && !(ends.count == 2 && ends[0] == ends[1])
        }
        guard !breaks.isEmpty else { return text }
        guard var spans = spans(text) else { return "\(text) pause \(breaks.joined(separator: ","))" }
        for text in breaks {
            guard let pauses = Self.spans(text) else { return "\(text) pause" }
            for one in pauses {
                spans = spans.flatMap { span in
                    [(span.0, min(span.1, one.0)), (max(span.0, one.1), span.1)].filter { $0.0 < $0.1 }
                }
            }
        }
        return spans.isEmpty ? "off" : spans.map { "\(clock($0.0))-\(clock($0.1))" }.joined(separator: ",")
    }

    /// The spans of a text in minutes; nil if they are not of one day, or not certain.
    private static func spans(_ text: String) -> [(Int, Int)]? {
        guard let reading = OpeningHours("Mo \(text)").reading, reading.wholeMatch(of: Patterns.spans) != nil else {
            return nil
        }
        let numbers = reading.split { !$0.isNumber }.compactMap { Int($0) }
        let times = stride(from: 0, to: numbers.count - 1, by: 2).map { numbers[$0] * 60 + numbers[$0 + 1] }
        let spans = stride(from: 0, to: times.count - 1, by: 2).map { (times[$0], times[$0 + 1]) }
        return spans.allSatisfy { $0.0 < $0.1 } ? spans : nil
    }

    private static func clock(_ minutes: Int) -> String {
        [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
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
    /// The times of one day in the standard syntax.
    static let spans = Pattern(#/Mo \d\d:\d\d-\d\d:\d\d(?:,\d\d:\d\d-\d\d:\d\d)*/#)
    static let wholeMinute = Pattern(#/(\d{1,2}:\d\d):00/#)
}
