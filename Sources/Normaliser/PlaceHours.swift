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
    private func shutDays(_ result: inout Result, _ columns: inout ColumnNames) {
        var rest = columns
        guard let hours = result.texts["hours"], let shut = WeekColumns(of: &rest).shut,
            OpeningHours("\(hours); \(shut.hours)").isUnderstood
        else { return }
        result.texts["hours"] = "\(hours); \(shut.hours)"
        result.remarks += shut.remarks
        for column in shut.columns where columns.take(column: column) != nil { result.fields[column] = "hours" }
        result.notes.insert("days that are closed in columns of their own were taken out of the hours")
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
    private static let none: Set = [
        "none", "no", "-", "0", "false", "ninguno", "ninguna", "keine", "keiner", "aucun", "nessuno", "nenhum", "geen",
        "n/a", "null",
    ]

    /// Joins hours without days to the days of another column.
    ///
    /// Days that are not read leave hours that are not understood, because the times do not hold every day.
    private func openDays(_ result: inout Result, _ columns: inout ColumnNames) {
        guard let hours = result.texts["hours"], let (name, column, days) = columns.take(Self.openDays) else { return }
        result.fields[column] = "hours"
        let joined = "\(days) \(hours)"
        if OpeningHours(hours).reading?.contains(where: \.isUppercase) ?? false {
            result.remarks.append(
                Remark("hours", .doubted, "'\(days.shortened)' in '\(column)' was not read beside hours with days"))
            return
        }
        setHours(of: days, column, to: joined, instead: hours, &result)
        result.notes.insert("hours were combined from '\(name)' and 'hours'")
    }

    /// Takes the days of another column out of the hours; days that are not read leave hours that are not understood.
    private func closedDays(_ result: inout Result, _ columns: inout ColumnNames) {
        guard let hours = result.texts["hours"], let (name, column, days) = columns.take(Self.closedDays) else {
            return
        }
        result.fields[column] = "hours"
        guard !Self.none.contains(PlainText.of(days)) else { return }
        setHours(of: days, column, to: "\(hours); \(days) off", instead: hours, &result)
        result.notes.insert("days of '\(name)' were taken out of the hours")
    }

    /// Sets hours that hold for the days of a column; unknown ones if the days or the hours are not understood.
    private func setHours(
        of days: String, _ column: String, to joined: String, instead hours: String, _ result: inout Result
    ) {
        let isUnderstood = Self.areDays(days) && OpeningHours(joined).isUnderstood
        result.texts["hours"] = isUnderstood ? joined : "\(hours) ? \(days)"
        guard !isUnderstood else { return }
        result.remarks.append(
            Remark("hours", .doubted, "'\(days.shortened)' in '\(column)' is not understood: hours are unknown"))
    }

    /// Whether a text names days, and nothing else.
    private static func areDays(_ text: String) -> Bool {
        guard let reading = OpeningHours(text).reading, !reading.contains(where: \.isNumber) else { return false }
        return reading.contains(where: \.isUppercase) && (reading.hasSuffix(" unknown") || reading.hasSuffix(" open"))
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
    static let clock = Pattern(#/\d\d?[:.h]\d\d|\d\d?\s*(?:[aApP]\.?[mM]|[hH]|[uU]hr)/#)
}
