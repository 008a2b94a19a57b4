/// Translation of words of languages other than English to the standard syntax.
///
/// The name of a day is accepted only if it means one day in all languages that know the word, or in all that know
/// every name of a day in the text.
struct HoursLanguages {
    /// A token of the standard syntax, and the text that it stands for.
    struct Translation {
        var token: HoursToken
        var written: String
    }

    /// The names of the days from Monday to Sunday in Spanish, German, French, Italian, Portuguese, Dutch and Catalan.
    private static let names = [
        [
            "l lu lun lunes", "m ma mar mart martes", "x mi mie mier miercoles", "j ju jue juev jueves",
            "v vi vie vier viernes", "s sa sab sabado sabados", "d do dom domingo domingos",
        ],
        [
            "mo montag montags", "di dienstag dienstags", "mi mittwoch mittwochs", "do donnerstag donnerstags",
            "fr freitag freitags", "sa sam samstag samstags sonnabend sonnabends", "so sonntag sonntags",
        ],
        [
            "lu lun lundi", "ma mar mardi", "me mer mercredi", "je jeu jeudi", "ve ven vendredi", "sa sam samedi",
            "di dim dimanche",
        ],
        [
            "lu lun lunedi", "ma mar martedi", "me mer mercoledi", "gi gio giovedi", "ve ven venerdi", "sa sab sabato",
            "do dom domenica",
        ],
        ["seg segunda", "ter terca", "qua quarta", "qui quinta", "sex sexta", "sab sabado", "dom domingo"],
        [
            "ma maandag", "di dinsdag", "wo woensdag", "do donderdag", "vr vrijdag", "za zaterdag", "zo zondag",
        ],
        [
            "dl dilluns", "dt dimarts", "dc dimecres", "dj dijous", "dv divendres", "ds dissabte dissabtes",
            "dg diumenge diumenges",
        ],
    ]

    /// The days by name, 0 for Monday, for each language, English first.
    private static let languages: [[String: Int]] =
        [HoursWords.weekdays.merging(englishLetters) { day, _ in day }]
        + names.map { days in
            Dictionary(
                uniqueKeysWithValues: days.enumerated().flatMap { day, names in
                    names.split(separator: " ").map { (String($0), day) }
                })
        }

    private static let standard = ["mo", "tu", "we", "th", "fr", "sa", "su"]

    /// Words with one translation regardless of the context.
    private static let words = [
        "cerrado": "closed", "geschlossen": "closed", "ferme": "closed", "chiuso": "closed", "fechado": "closed",
        "gesloten": "closed", "cerrada": "closed", "encerrado": "closed", "encerrada": "closed", "tancat": "closed",
        "tancada": "closed", "ruhetag": "closed", "obert": "open", "aberto": "open", "abierto": "open",
        "geoffnet": "open", "ouvert": "open", "aperto": "open",
        "festivo": "ph", "festivos": "ph", "feiertag": "ph", "feiertage": "ph", "feiertags": "ph", "festivi": "ph",
        "feriados": "ph", "feriado": "ph", "festius": "ph", "holidays": "ph", "feestdagen": "ph", "taglich": "daily",
        "diario": "daily", "quotidien": "daily",
    ]

    /// Words without a meaning that may precede a day or a time.
    private static let fillers: Set = [
        "de", "del", "desde", "von", "from", "du", "dal", "dalle", "das", "van", "le", "les", "el", "els",
        "los", "las", "il", "on", "aos", "op",
    ]

    /// Letters that stand for days only in Spanish, and in languages in which they mean the same days.
    private static let certainLetters: Set = ["l", "x", "j", "v", "d"]
    private static let letters: Set = ["l", "m", "x", "j", "v", "s", "d", "t", "w", "f"]
    /// Letters that stand for days in English, beside names of days that are English only.
    private static let englishLetters = ["m": 0, "t": 1, "w": 2, "f": 4]
    private static let certainlyEnglish: Set = ["f", "w", "th", "su"]

    /// Words of one language, by its place among the languages.
    private static let marks = [
        "cerrado": 1, "cerrada": 1, "uhr": 2, "geschlossen": 2, "ruhetag": 2, "heures": 3, "ferme": 3, "dalle": 4,
        "chiuso": 4, "fechado": 5, "uur": 6, "gesloten": 6, "tancat": 7,
    ]

    private let texts: [Translation]
    private let tokens: [HoursToken]
    /// All words of the text that are names of days.
    private let days: Set<String>
    private let isEnglish: Bool

    /// Translates the tokens of a text to the words of the standard syntax, where they differ.
    ///
    /// - Throws: ``HoursFault`` for a word that may be two days, or a day and a month.
    static func translated(_ tokens: [HoursToken]) throws(HoursFault) -> [Translation] {
        let text = HoursLanguages(HoursPhrases.translated(tokens))
        var translated: [Translation] = []
        for index in text.texts.indices where !text.isFiller(index) {
            translated.append(Translation(token: try text.token(index), written: text.texts[index].written))
        }
        return HoursExceptions.rewritten(translated)
    }

    private init(_ texts: [Translation]) {
        self.texts = texts
        tokens = texts.map(\.token)
        let words = Set(tokens.compactMap(\.word))
        let isEnglish = !words.isDisjoint(with: Self.certainlyEnglish)
        self.isEnglish = isEnglish
        let hasLetters = isEnglish || !words.isDisjoint(with: Self.certainLetters)
        days = words.filter { word in
            word != "mar" && (hasLetters || !Self.letters.contains(word))
                && Self.languages.contains { $0[word] != nil }
        }
    }

    private func word(_ index: Int) -> String? { tokens.indices.contains(index) ? tokens[index].word : nil }

    private func isFiller(_ index: Int) -> Bool {
        guard let word = word(index), index + 1 < tokens.count else { return false }
        if case .number = tokens[index + 1] {
            return Self.fillers.contains(word) || Self.words[word] == "open" || word == "open"
        }
        return Self.fillers.contains(word)
            && self.word(index + 1).map { isDay($0) || HoursWords.manyWeekdays[$0] != nil } ?? false
    }

    private func isDay(_ word: String) -> Bool { days.contains(word) || word == "mar" }

    private func token(_ index: Int) throws(HoursFault) -> HoursToken {
        guard let word = word(index) else { return tokens[index] }
        if let other = Self.words[word] ?? HoursWords.otherMonths[word] { return .word(other) }
        guard try isDay(word, at: index) else { return tokens[index] }
        return .word(Self.standard[try day(word)])
    }

    /// Whether a word is a day here, rather than March or not a word at all.
    private func isDay(_ word: String, at index: Int) throws(HoursFault) -> Bool {
        guard word == "mar" else { return days.contains(word) }
        if isBesideDay(index, -1) || isBesideDay(index, 1) { return true }
        guard days.allSatisfy({ HoursWords.weekdays[$0] != nil }), !tokens.contains(.word("y")) else {
            throw HoursFault("'mar' may be March or martes")
        }
        guard !days.isEmpty || namesOtherMonth || tokens.indices.contains(where: isDate) else {
            throw HoursFault("'mar' may be March or martes")
        }
        return false
    }

    private var namesOtherMonth: Bool {
        tokens.contains { token in
            guard let word = token.word else { return false }
            return word != "mar" && HoursWords.months[word] != nil || HoursWords.otherMonths[word] != nil
        }
    }

    /// Whether `mar` is followed by a day of the month, rather than by a time.
    private func isDate(_ index: Int) -> Bool {
        guard word(index) == "mar", index + 2 < tokens.count, case .number(_, let digits) = tokens[index + 1],
            digits <= 2
        else { return false }
        switch tokens[index + 2] {
        case .number: return true
        case .symbol("-"): return self.word(index + 3) != nil
        default: return false
        }
    }

    /// Whether a dash or comma, or a word for it, stands between `mar` and a day that has no English name.
    private func isBesideDay(_ index: Int, _ step: Int) -> Bool {
        // The dots of abbreviations are passed over.
        func past(_ index: Int) -> Int {
            tokens.indices.contains(index) && tokens[index] == .symbol(".") ? index + step : index
        }
        let between = past(index + step)
        guard let other = word(past(between + step)), days.contains(other), HoursWords.weekdays[other] == nil,
            tokens.indices.contains(between)
        else { return false }
        return switch tokens[between] {
        case .symbol("-"), .symbol(","): true
        case .word(let word): HoursWords.ranges.contains(word) || HoursWords.ands.contains(word)
        default: false
        }
    }

    /// The day of a word, 0 for Monday.
    private func day(_ word: String) throws(HoursFault) -> Int {
        // A miércoles is an X or an M, depending on the text.
        if word == "m", !days.contains("x"), !isEnglish { throw HoursFault("'m' may be martes or miercoles") }
        if word == "s", isEnglish { throw HoursFault("'s' may be Sa or Su") }
        let meanings = Set(Self.languages.compactMap { $0[word] })
        if let day = meanings.first, meanings.count == 1 { return day }
        let marked = Set(tokens.compactMap { $0.word.flatMap { Self.marks[$0] } })
        if let language = marked.first, marked.count == 1, let day = Self.languages[language][word] { return day }
        let fitting = Self.languages.filter { language in days.allSatisfy { language[$0] != nil } }
        let narrower = Set(fitting.compactMap { $0[word] })
        guard let day = narrower.first, narrower.count == 1 else {
            throw HoursFault(
                "'\(word)' may be \(meanings.sorted().map { Self.standard[$0] }.joined(separator: " or "))")
        }
        return day
    }
}

extension HoursToken {
    fileprivate var word: String? { if case .word(let word) = self { word } else { nil } }
}
