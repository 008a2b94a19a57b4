internal import Hours
internal import Model

/// Opening hours from several columns.
extension PlaceNormaliser {
    /// Combines hours from the columns of days, and warns of columns that were not read.
    func hours(_ result: inout Result, _ columns: inout ColumnNames) {
        if result.texts["hours"] == nil, case let week = WeekColumns(of: &columns), let hours = week.hours {
            result.texts["hours"] = hours
            for column in week.columns { result.fields[column] = "hours" }
            result.remarks += week.remarks
            result.notes.insert("hours were combined from a column for each day")
        } else {
            shutDays(&result, &columns)
        }
        openDays(&result, &columns)
        closedDays(&result, &columns)
        for (column, text) in columns.rest where Self.looksLikeHours(column, text) {
            result.notes.insert("warning: column '\(column)' looks like hours and was not read as such")
        }
    }

    /// Takes the days that have columns of their own, and are closed there, out of the hours.
    ///
    /// Days that cannot be taken out leave hours that are not understood, because they do not hold on these days.
    private func shutDays(_ result: inout Result, _ columns: inout ColumnNames) {
        var rest = columns
        guard let hours = result.texts["hours"], let shut = WeekColumns(of: &rest).shut else { return }
        for column in shut.columns where columns.take(column: column) != nil { result.fields[column] = "hours" }
        result.remarks += shut.remarks
        let isUnderstood = OpeningHours(hours).isUnderstood
        if isUnderstood, let joined = Self.joined(hours, shut.hours) {
            result.texts["hours"] = joined
            result.notes.insert("days that are closed in columns of their own were taken out of the hours")
            return
        }
        if isUnderstood { result.texts["hours"] = "\(hours) ? \(shut.hours)" }
        let names = Set(shut.columns).sorted().joined(separator: "', '")
        result.remarks.append(
            Remark("hours", .doubted, "'\(names)' cannot be taken out of '\(hours.shortened)': hours are unknown"))
    }

    /// Hours, as written or else as read, with rules that follow; nil if the hours would be read in another way then.
    private static func joined(_ hours: String, _ rules: String) -> String? {
        let written = "\(hours); \(rules)"
        guard let reading = OpeningHours(hours).reading else {
            return OpeningHours(written).isUnderstood ? written : nil
        }
        return [written, "\(reading); \(rules)"].first {
            guard let joined = OpeningHours($0).reading else { return false }
            // Days without times are open all day alone, and unknown beside others.
            return joined.hasPrefix("\(reading); ") || joined.hasPrefix("unknown; ")
        }
    }

    private static let openDays = [
        "open_days", "opening_days", "days_open", "business_days", "working_days", "days", "dias", "dias_apertura",
        "dias_de_apertura", "dias_abierto", "dias_laborables", "jours", "jours_ouverture", "jours_d_ouverture", "tage",
        "offnungstage", "giorni", "giorni_apertura", "giorni_di_apertura", "dagen", "openingsdagen", "dies",
    ]
    private static let closedDays = [
        "closed_days", "days_closed", "closed_on", "closed_day", "closing_day", "closing_days", "dias_cierre",
        "dia_cierre", "dias_de_cierre", "dia_de_cierre", "dias_cerrado", "cierre_semanal", "dia_de_descanso",
        "descanso_semanal", "jours_fermeture", "jours_de_fermeture", "jour_de_fermeture", "ruhetag", "ruhetage",
        "schliesstag", "schliesstage", "giorni_chiusura", "giorni_di_chiusura", "giorno_di_chiusura",
        "dias_fechado", "sluitingsdag", "sluitingsdagen",
    ]
    /// The columns that may also say whether a place is closed.
    private static let closed = [
        "closed", "closes", "cerrado", "cerrada", "cierra", "geschlossen", "ferme", "fermee", "chiuso", "chiusa",
        "fechado", "fechada", "gesloten", "tancat", "tancada",
    ]
    private static let none: Set = [
        "none", "no", "-", "0", "false", "ninguno", "ninguna", "keine", "keiner", "aucun", "nessuno", "nenhum", "geen",
        "n/a", "null",
    ]

    /// Joins hours to the days of other columns: on other days they do not hold.
    ///
    /// Days that are not read leave hours that are not understood.
    private func openDays(_ result: inout Result, _ columns: inout ColumnNames) {
        while let hours = result.texts["hours"], let (name, column, days) = columns.take(Self.openDays) {
            result.fields[column] = "hours"
            if setHours(of: days, column, to: Self.narrowed(hours, to: days), instead: hours, &result) {
                result.notes.insert("hours were combined from '\(name)' and 'hours'")
            }
        }
    }

    /// Hours on some days only; nil if that is not understood.
    private static func narrowed(_ hours: String, to days: String) -> String? {
        let read = OpeningHours(hours)
        if read.ruleCount < 2, !(read.reading?.contains(where: \.isUppercase) ?? false) {
            let joined = "\(days) \(hours)"
            return OpeningHours(joined).ruleCount == 1 ? joined : nil
        }
        // A day before several rules, or before dates, would not hold for all of them.
        guard let open = weekdays(days) else { return nil }
        let others = DayColumn.standard.indices.filter { !open.contains($0) }.map { DayColumn.standard[$0] }
        return others.isEmpty ? hours : joined(hours, "\(others.joined(separator: ",")) off")
    }

    /// The weekdays of a text that names nothing else, 0 for Monday.
    private static func weekdays(_ text: String) -> Set<Int>? {
        guard let match = OpeningHours(text).reading?.wholeMatch(of: Patterns.weekdays) else { return nil }
        var days: Set<Int> = []
        for run in match.output.1.split(separator: ",") {
            let ends = run.split(separator: "-").compactMap { DayColumn.standard.firstIndex(of: $0) }
            guard let first = ends.first, let last = ends.last else { return nil }
            days.formUnion((0...(last - first + 7) % 7).map { (first + $0) % 7 })
        }
        return days
    }

    /// Takes the days of other columns out of the hours; days that are not read leave hours that are not understood.
    private func closedDays(_ result: inout Result, _ columns: inout ColumnNames) {
        while let hours = result.texts["hours"], let (name, column, days) = columns.take(Self.closedDays) {
            result.fields[column] = "hours"
            guard !Self.none.contains(PlainText.of(days)) else { continue }
            if setHours(of: days, column, to: Self.joined(hours, "\(days) off"), instead: hours, &result) {
                result.notes.insert("days of '\(name)' were taken out of the hours")
            }
        }
        while let hours = result.texts["hours"], let (column, days) = columns.take(Self.closed, as: Self.namingDays) {
            result.fields[column] = "hours"
            if setHours(of: days, column, to: Self.joined(hours, "\(days) off"), instead: hours, &result) {
                result.notes.insert("days of '\(column)' were taken out of the hours")
            }
        }
    }

    /// Sets hours that hold for the days of a column; unknown ones if the days or the hours are not understood.
    ///
    /// - Returns: whether they are understood.
    private func setHours(
        of days: String, _ column: String, to joined: String?, instead hours: String, _ result: inout Result
    ) -> Bool {
        if let joined, Self.areDays(days) {
            result.texts["hours"] = joined
            return true
        }
        result.texts["hours"] = "\(hours) ? \(days)"
        result.remarks.append(
            Remark("hours", .doubted, "'\(days.shortened)' in '\(column)' is not understood: hours are unknown"))
        return false
    }

    /// Whether a text names days, and nothing else.
    private static func areDays(_ text: String) -> Bool {
        guard let reading = OpeningHours(text).reading, !reading.contains(where: \.isNumber) else { return false }
        return reading.contains(where: \.isUppercase) && (reading.hasSuffix(" unknown") || reading.hasSuffix(" open"))
    }

    /// A text that names days, alone or among other words.
    private static func namingDays(_ text: String) -> String? {
        areDays(text) || DayColumn.namesDay(DayColumn.split(text)) ? text : nil
    }

    /// Whether a column that was not read is about opening hours, by its name or its text.
    private static func looksLikeHours(_ column: String, _ text: String) -> Bool {
        if text.wholeMatch(of: Patterns.date) != nil { return false }
        if UnreadColumn.looksLikeHours(column, text) { return true }
        let words = DayColumn.split(column)
        if DayColumn.namesDay(words) || words.contains(where: holidays.contains) {
            return text.contains(where: \.isNumber) || WeekColumns.times(text) == .closed || WeekCell.isFlag(text)
        }
        guard text.contains(Patterns.clock) else { return false }
        return DayColumn.isPart(words.filter { !DayColumn.isAbbreviation($0) })
            || openDays.contains(ColumnNames.folded(column))
    }

    private static let holidays: Set = [
        "festivos", "festivo", "holidays", "holiday", "feiertag", "feiertage", "feries",
    ]
}

private enum Patterns {
    static let date = Pattern(#/\d{4}-\d\d-\d\d(?:[T ].*)?|\d\d?[.\/]\d\d?[.\/]\d{4}/#)
    /// Weekdays in the standard syntax, without times.
    static let weekdays = Pattern(#/([A-Z][a-z](?:[\-,][A-Z][a-z])*) (?:open|unknown)/#)
    static let clock = Pattern(#/\d\d?[:.h]\d\d|\d\d?\s*(?:[aApP]\.?[mM]|[hH]|[uU]hr)/#)
}
