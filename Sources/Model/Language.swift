/// A language whose inflections a search knows, by its ISO 639-1 code.
///
/// Words are compared without accents (``PlainText``), which hides regular endings from a stemmer: `limoes` for
/// `limões`. So each language has its plurals as rules, and the stemmer decides about gender and case.
public enum Language: String, CaseIterable, Sendable {
    case english = "en"
    case spanish = "es"
    case french = "fr"
    case german = "de"
    case italian = "it"
    case portuguese = "pt"
    case catalan = "ca"
    case dutch = "nl"

    /// An ending of plurals (of feminine words too, if they change the last consonant), and the endings in its place in the
    /// singular.
    typealias Plural = (ending: String, singulars: [String])

    /// The rules, of which the first whose ending matches applies.
    ///
    /// The English rules are Harman's S-stemmer (1991,
    /// doi:10.1002/(SICI)1097-4571(199101)42:1<7::AID-ASI2>3.0.CO;2-P).
    var plurals: [Plural] {
        switch self {
        case .english:
            [
                ("ies", ["y", "ie", "i"]), ("ves", ["f", "fe", "ve"]), ("es", ["", "e"]), ("ss", []), ("us", []),
                ("is", []), ("s", [""]),
            ]
        case .spanish:
            [("ces", ["z", "ce"]), ("es", ["", "e"]), ("ss", []), ("us", []), ("is", []), ("s", [""])]
        case .french:
            [
                ("ches", ["che", "c"]), ("sses", ["sse", "s"]), ("gues", ["gue", "g"]), ("eres", ["ere", "er"]),
                ("aux", ["al", "au"]), ("ves", ["ve", "f"]), ("ces", ["ce", "x"]), ("che", ["c"]), ("sse", ["s"]),
                ("gue", ["g"]), ("ere", ["er"]), ("ve", ["f"]), ("ce", ["x"]), ("ss", []), ("s", [""]), ("x", [""]),
            ]
        case .german:
            [("innen", ["in"]), ("eln", ["el"]), ("ern", ["er"]), ("sse", ["s"]), ("ss", []), ("s", [""])]
        case .italian: []
        case .portuguese:
            [
                ("oes", ["ao"]), ("aes", ["ao"]), ("aos", ["ao"]), ("ais", ["al"]), ("eis", ["el"]), ("ois", ["ol"]),
                ("uis", ["ul"]),
                ("res", ["r", "re"]), ("zes", ["z"]), ("ses", ["s", "se"]), ("ns", ["m"]), ("ss", []), ("s", [""]),
            ]
        case .catalan:
            [
                ("ques", ["ca"]), ("gues", ["ga", "c"]), ("lles", ["lla", "ll"]), ("ssos", ["s"]), ("ces", ["ca"]),
                ("ges", ["ja", "ge"]), ("lla", ["ll"]), ("sos", ["s"]), ("es", ["a", "e"]), ("ga", ["c"]),
                ("ns", ["", "n"]),
                ("os", [""]), ("ss", []), ("s", [""]),
            ]
        case .dutch:
            [("ssen", ["s"]), ("sen", ["s"]), ("zen", ["s"]), ("ven", ["f"]), ("ss", []), ("s", [""])]
        }
    }

    /// The endings of gender, case and plural that may be exchanged if the stem stays the same.
    var endings: [String] {
        switch self {
        case .english: ["ed", "ing"]
        case .spanish, .portuguese: ["a", "as", "o", "os"]
        case .french: ["e", "es", "ne", "nes", "se", "ses", "x"]
        case .german: ["e", "em", "en", "er", "ern", "es"]
        case .italian: ["a", "e", "he", "hi", "i", "ia", "ie", "io", "o"]
        case .catalan: ["a", "as", "e", "o", "os"]
        case .dutch: ["e", "en"]
        }
    }
}
