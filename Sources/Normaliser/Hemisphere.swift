internal import Foundation
internal import Model

/// The hemisphere of a latitude or a longitude in a column of its own, such as `N/S` or `lat_dir`.
package struct Hemisphere {
    /// The words and letters of the hemispheres; O is not among them, because it is west or east.
    private static let words: [(letter: Character, words: Set<String>)] = [
        ("N", ["n", "north", "norte", "nord", "noord", "norden"]),
        ("S", ["s", "south", "sur", "sud", "sul", "zuid", "suden", "sueden"]),
        ("E", ["e", "east", "este", "est", "leste", "oost", "ost", "osten"]),
        ("W", ["w", "west", "oeste", "ouest", "ovest", "westen"]),
    ]
    private static let letters = Dictionary(
        uniqueKeysWithValues: words.flatMap { entry in entry.words.map { ($0, entry.letter) } })
    /// The words of the axes in names of columns.
    private static let latitudes: Set = [
        "lat", "latitude", "latitud", "latitudine", "breite", "breitengrad", "breitegrad", "breedte", "breedtegraad",
    ]
    private static let longitudes: Set = [
        "lon", "lng", "long", "longitude", "longitud", "longitudine", "lange", "langengrad", "laengengrad", "langegrad",
        "lengtegraad",
    ]
    /// The other words of such a name, also joined to each other and to an axis, as in `LatRef`.
    private static let marks: Set = [
        "dir", "direction", "direccion", "direccio", "direzione", "direcao", "richtung", "richting", "ref", "reference",
        "referencia", "riferimento", "referenz", "hemi", "hemisphere", "hemisferio", "hemisferi", "hemisphare",
        "emisfero", "halbkugel", "halfrond", "letter", "letra", "lettre", "lettera", "lletra", "buchstabe", "sign",
        "signo", "signe", "segno", "sinal", "vorzeichen", "gps", "exif", "geo", "cardinal", "indicator", "ns", "ew",
        "eo", "suffix", "sufijo", "suffixe", "suffisso", "sufixo", "code", "codigo", "codice", "point", "punto",
        "orientation", "orientacion", "orientacio", "orientierung", "orientamento", "orientacao",
    ]
    /// The axes that are words of other names as well, such as `long_stay`.
    private static let ambiguous: Set = ["long", "lange", "breite"]
    /// The letters and the small words of a name such as `Latitud (N o S)`.
    private static let small: Set = [
        "n", "s", "e", "w", "o", "or", "u", "y", "ou", "oder", "and", "und", "et", "en", "de", "of", "the", "la", "del",
        "di", "der",
    ]
    /// The words that may be joined, the longest first.
    ///
    /// Shorter words of hemispheres are not among them: `latest` is no `lat_est`.
    private static let joinable = latitudes.union(longitudes).union(marks).union(letters.keys.filter { $0.count > 3 })
        .sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
    /// The longest text of a hemisphere, and the longest name that is taken apart, in bytes.
    private static let longestName = 40
    /// The pairs of letters that name a column of hemispheres: apart and beside an axis, apart alone, or joined.
    ///
    /// `S/N` may be a serial number or yes and no, `W/E` a weekend, and `wo` a word.
    private static let pairs: Set = ["ns", "sn", "ew", "we", "eo", "oe", "ow", "wo"]
    private static let namedPairs: Set = ["ns", "ew", "eo", "ow"]
    private static let joinedPairs: Set = ["ns", "ew", "eo"]

    /// Whether it belongs to the latitude.
    package let isLatitude: Bool
    /// Whether its degrees are negative; nil if that is not certain.
    package let isNegative: Bool?

    /// Reads a column whose name is of both letters (`N/S`), of a hemisphere, or of one axis; nil for another column.
    ///
    /// A column named by its axis alone is another one unless its text is a hemisphere. With a foreign word beside its
    /// axis, as in `store_lat_ref`, its text is not certain; `late_opening` and `long_stay` have no axis.
    package init?(column: String, text: String) {
        let parts = ColumnNames.folded(column).split(separator: "_").map(String.init)
        let isHemisphere = parts.contains { $0.contains("hemis") || $0.contains("emisfer") || $0 == "halbkugel" }
        let word = Self.word(of: text)
        let isMeant = word.map { $0 == "o" || Self.letters[$0] != nil } ?? false
        let words = isHemisphere || isMeant ? parts.flatMap(Self.parted) : parts
        let (pair, isApart) = Self.pair(in: words)
        let isOnly = words.allSatisfy(Self.isKnown)
        let axis = Self.axis(words)
        let isNamed = isHemisphere || isApart && Self.namedPairs.contains(pair.joined())
        let letter = word.flatMap { Self.letter(of: $0, besides: pair) }
        if !isHemisphere, !isOnly {
            guard isMeant, let axis = Self.foreignAxis(parts), letter.map({ "NS".contains($0) == axis }) ?? !axis else {
                return nil
            }
            (isLatitude, isNegative) = (axis, nil)
            return
        }
        let isPair = !pair.isEmpty && (!isApart || words.allSatisfy { $0.count > 1 })
        guard isNamed || isMeant && (axis != nil || isPair) else { return nil }
        let own = pair.first.map { ["n", "s"].contains($0) } ?? axis
        guard let isLatitude = own ?? letter.map({ "NS".contains($0) }) else { return nil }
        self.isLatitude = isLatitude
        isNegative = letter.flatMap { "NS".contains($0) == isLatitude ? "SW".contains($0) : nil }
    }

    /// Whether a column may be one by its name.
    package static func mayBe(column: String) -> Bool {
        ["n", "e"].contains { Hemisphere(column: column, text: $0) != nil }
    }

    /// The only word of a text; nil for another one.
    private static func word(of text: String) -> String? {
        guard text.utf8.count <= longestName else { return nil }
        let words = PlainText.words(of: text)
        return words.count == 1 ? words[0] : nil
    }

    /// The letter of a word such as `S`, `Sur` or `South`; O is the one that the other letter of the column is not.
    private static func letter(of word: String, besides pair: [String]) -> Character? {
        if word == "o", pair.contains("o") { return pair.contains("e") ? "W" : "E" }
        return letters[word]
    }

    /// The words that make up a part of a name such as `latitudehemisphere`; else the part.
    private static func parted(_ part: String) -> [String] {
        guard part.utf8.count <= longestName, !isKnown(part) else { return [part] }
        func words(_ rest: Substring) -> [String]? {
            if rest.isEmpty { return [] }
            for word in joinable where rest.hasPrefix(word) {
                if let others = words(rest.dropFirst(word.count)) { return [word] + others }
            }
            return nil
        }
        return words(part[...]) ?? [part]
    }

    private static func isKnown(_ word: String) -> Bool {
        isAxis(word) || marks.contains(word) || small.contains(word) || letters[word] != nil
    }

    /// The letters of both hemispheres in a name, and whether they are apart; none if it has no pair.
    ///
    /// Words have such letters, too, and a small word may be between them: `Este u Oeste` are E and O.
    private static func pair(in words: [String]) -> (letters: [String], isApart: Bool) {
        let initials = words.map(initial)
        let neighbors = zip(initials, initials.dropFirst()).map { [$0, $1] }
        let separated = zip(words.dropFirst(), zip(initials, initials.dropFirst(2)))
            .compactMap { word, pair in small.contains(word) ? [pair.0, pair.1] : nil }
        if let pair = (neighbors + separated).first(where: { pairs.contains($0.joined()) }) { return (pair, true) }
        return (words.first(where: joinedPairs.contains).map { $0.map(String.init) } ?? [], false)
    }

    /// The letter of a word's hemisphere in a name; O stays O.
    private static func initial(of word: String) -> String {
        guard word != "o", let letter = letters[word] else { return word == "o" ? word : "" }
        return word.hasPrefix("o") ? "o" : letter.lowercased()
    }

    /// Whether a column belongs to the latitude or the longitude, by its name.
    private static func axis(_ words: [String]) -> Bool? {
        let isLatitude = words.contains(where: latitudes.contains)
        let isLongitude = words.contains(where: longitudes.contains)
        return isLatitude == isLongitude ? nil : isLatitude
    }

    /// The axis of a name with a foreign word, such as `store_lat_ref` or `latitude1_dir`; nil if it may be none.
    private static func foreignAxis(_ parts: [String]) -> Bool? {
        let words = parts.flatMap { parted($0.filter { !$0.isNumber }) }
        let isCertain = words.contains { isAxis($0) && !ambiguous.contains($0) || marks.contains($0) }
        return isCertain ? axis(words) : nil
    }

    private static func isAxis(_ word: String) -> Bool { latitudes.contains(word) || longitudes.contains(word) }

    /// Degrees with the sign of the hemisphere; nil if they contradict it, or if it is not certain.
    package func signed(_ degrees: String) -> String? {
        guard let isNegative else { return nil }
        let plain = degrees.replacing("−", with: "-").filter { !$0.isWhitespace }
        if let own = PositionText.degrees(degrees, isLatitude: isLatitude), degrees.contains(where: \.isLetter) {
            return own.hasPrefix("-") == isNegative ? degrees : nil
        }
        // A sign beside the letter of the same hemisphere says the same twice.
        if plain.hasPrefix("-") { return isNegative ? degrees : nil }
        guard isNegative, plain.contains(where: { ("1"..."9").contains($0) }) else { return degrees }
        return "-" + (plain.hasPrefix("+") ? String(plain.dropFirst()) : degrees.trimmingCharacters(in: .whitespaces))
    }

    /// Degrees with the sign of the hemisphere, as above.
    package func signed(_ degrees: Double) -> Double? {
        guard let isNegative, degrees >= 0 || isNegative else { return nil }
        return isNegative && degrees > 0 ? -degrees : degrees
    }

    /// A text in which the words of hemispheres are letters: `39.47 Norte, 0.37 Oeste` is `39.47 N, 0.37 W`.
    static func lettered(_ text: String) -> String {
        guard text.utf8.count <= 1000, text.contains(where: \.isNumber) else { return text }
        return text.replacing(Patterns.word) { match in
            letters[PlainText.of(String(match.0))].map(String.init) ?? String(match.0)
        }
    }
}

private enum Patterns {
    static let word = Pattern(#/\p{L}{3,}/#)
}
