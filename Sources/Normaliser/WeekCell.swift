internal import Hours
internal import Model

/// A cell, with its minutes from another cell if they are apart, and its part in a day.
struct WeekCell {
    /// The meaning of a cell that only says whether it is open on a day.
    enum Mark { case open, closed, unclear }

    private static let yes: Set = [
        "1", "true", "yes", "y", "t", "si", "oui", "ja", "sim", "x", "on", "verdadero", "wahr", "vrai", "vero", "waar",
        "verdadeiro",
    ]
    private static let no: Set = [
        "0", "false", "no", "n", "f", "non", "nein", "nao", "nee", "falso", "falsch", "faux", "onwaar",
    ]
    private static let open: Set = ["open", "opened", "abierto", "aberto", "aperto", "ouvert", "geoffnet", "obert"]

    let place: DayColumn.Place
    private(set) var columns: [String]
    private(set) var text: String
    /// Whether the day is open or closed; nil for a cell with times.
    let mark: Mark?

    /// Decides the part of a cell by its text too, because `open` may be a time or a flag.
    init(_ place: DayColumn.Place, column: String, _ text: String) {
        let plain = PlainText.of(text)
        var place = place
        let isFlag = Self.yes.contains(plain) || Self.no.contains(plain)
        if place.part == .opening, isFlag, Int(plain) == nil, plain != "x" { place.part = .isOpen }
        if place.part == .isOpen, !isFlag, !Self.open.contains(plain) {
            if case .unreadable = WeekColumns.times(text) { place.part = .opening } else { place.part = .whole }
        }
        self.place = place
        self.text = text
        columns = [column]
        switch place.part {
        case .isOpen: mark = Self.no.contains(plain) ? .closed : .open
        case .isClosed where Self.yes.contains(plain): mark = .closed
        case .isClosed where Self.no.contains(plain) || Self.open.contains(plain): mark = .open
        case .isClosed: mark = WeekColumns.times(text) == .closed ? .closed : .unclear
        case .whole, .opening, .closing: mark = nil
        }
    }

    /// Whether the text says that it is closed.
    var isClosed: Bool { WeekColumns.times(text) == .closed }

    /// Whether the text says that it is closed, or no, or has a word for that.
    var mayBeClosed: Bool {
        if isClosed || place.part == .whole && Self.isFlag(text, isNo: true) { return true }
        return PlainText.words(of: text).contains { DayColumn.parts[$0] == .isClosed }
    }

    /// Whether a text is a yes or a no, or only a no.
    static func isFlag(_ text: String, isNo: Bool = false) -> Bool {
        let plain = PlainText.of(text)
        return no.contains(plain) || !isNo && yes.contains(plain)
    }

    /// The cells with the minutes beside their hours.
    static func withMinutes(_ cells: [WeekCell]) -> [WeekCell] {
        var all = cells.filter { !$0.place.isMinute }
        for cell in cells where cell.place.isMinute {
            var place = cell.place
            place.isMinute = false
            guard let number = all.firstIndex(where: { $0.place == place }) else {
                all.append(cell)
                continue
            }
            all[number].columns += cell.columns
            if let hour = Int(all[number].text), let minute = Int(cell.text), (0..<60).contains(minute) {
                all[number].text = "\(hour):\(minute < 10 ? "0" : "")\(minute)"
            } else {
                all[number].text += " \(cell.text)"
            }
        }
        return all
    }

    /// The cells of a day: its flags, and other cells that contain it and have the fewest days.
    ///
    /// A flag of several days that closes them, or may do so, counts also for a day with times of its own.
    static func of(_ day: Int, in cells: [WeekCell]) -> [WeekCell] {
        let own = cells.filter { $0.place.days.contains(day) }
        func narrowest(_ cells: [WeekCell]) -> [WeekCell] {
            let days = cells.min { $0.place.days.count < $1.place.days.count }?.place.days
            return cells.filter { $0.place.days == days }
        }
        let cells = own.filter { !$0.place.isBreak }
        guard !cells.isEmpty else { return [] }
        return cells.filter { $0.mark == .open } + cells.filter { $0.mark == .closed || $0.mark == .unclear }
            + narrowest(cells.filter { $0.mark == nil }) + narrowest(own.filter(\.place.isBreak))
    }
}
