internal import Model

/// Places that are closed for good, or for long.
extension PlaceNormaliser {
    /// Doubts the places whose columns say that they are closed.
    func closure(_ result: inout Result, _ columns: ColumnNames) {
        // "estado" is a state of a country, or the state of a place.
        if let state = result.texts["state"], Self.saysClosed(PlainText.words(of: state)) {
            result.texts["state"] = nil
            let column = result.fields.first { $0.value == "state" }?.key ?? "state"
            result.fields[column] = nil
            result.remarks.append(Self.remark(column, state))
        }
        for (column, text) in columns.rest.sorted(by: { $0.key < $1.key }) where Self.isClosed(column, text) {
            result.remarks.append(Self.remark(column, text))
        }
    }

    private static func remark(_ column: String, _ text: String) -> Remark {
        Remark(column, .doubted, "'\(text.shortened)' says that the place is closed; kept")
    }

    private static let closed: Set = [
        "closed", "cerrado", "cerrada", "geschlossen", "ferme", "fermee", "chiuso", "chiusa", "fechado", "fechada",
        "encerrado", "encerrada", "gesloten", "tancat", "tancada", "defunct", "disused", "abandoned", "demolished",
        "razed", "closure",
    ]
    private static let opened: Set = [
        "is_open", "open", "active", "is_active", "activo", "activa", "abierto", "abierta", "aberto", "aperto",
        "ouvert",
        "actif", "ativo", "attivo", "aktiv", "geoffnet", "operational", "in_operation",
    ]
    private static let dates: Set = [
        "date_closed", "closed_at", "closed_date", "closing_date", "closure_date", "end_date", "fecha_cierre",
        "fecha_de_cierre", "fecha_baja", "fecha_de_baja", "date_fermeture", "date_de_fermeture", "data_chiusura",
        "data_di_chiusura", "schliessdatum", "data_de_encerramento",
    ]
    /// Words for a closure, rather than for times at which a place is closed.
    private static let lasting: Set = [
        "permanently", "permanent", "temporarily", "temporary", "definitivamente", "permanentemente",
        "temporalmente", "definitivo", "dauerhaft", "vorubergehend", "definitivement", "temporairement",
        "permanente", "temporaneamente", "provisoirement", "indefinidamente",
    ]
    private static let states: Set = ["status", "estado", "stato", "statut", "estat", "state", "zustand"]

    /// Whether a column says that a place is closed, as in Overture, Foursquare, OpenStreetMap and lists of shops.
    private static func isClosed(_ column: String, _ text: String) -> Bool {
        let name = ColumnNames.folded(column)
        let texts = PlainText.words(of: text)
        if dates.contains(name) { return texts.contains { $0.contains { $0.isNumber && $0 != "0" } } }
        if opened.contains(name) { return WeekCell.isFlag(text, isNo: true) || saysClosed(texts) }
        let words = name.split(separator: "_").map(String.init)
        if !states.isDisjoint(with: words) { return !closed.isDisjoint(with: texts) }
        guard texts.count <= 4 else { return false }
        let isNamed = !closed.isDisjoint(with: words) && !DayColumn.namesDay(words)
        if isNamed { return !WeekCell.isFlag(text, isNo: true) }
        return !closed.isDisjoint(with: texts) && !lasting.isDisjoint(with: texts)
    }

    private static func saysClosed(_ words: [String]) -> Bool {
        words.count <= 4 && !closed.isDisjoint(with: words)
            && (words.count == 1 || !lasting.isDisjoint(with: words))
    }
}
