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

    /// Whether it belongs to the latitude.
    package let isLatitude: Bool
    /// Whether its degrees are negative; nil if that is not certain.
    package let isNegative: Bool?

    /// Reads a column whose name is of both letters (`N/S`), of a hemisphere, or of one axis; nil for another column.
    ///
    /// A column named by its axis alone is another one unless its text is a hemisphere.
    package init?(column: String, text: String) {
        let parts = ColumnNames.folded(column).split(separator: "_").map(String.init)
        let isJoined = parts.count == 1 && parts[0].count == 2
        let pair = isJoined ? parts[0].map(String.init) : Array(parts.prefix(2))
        let isPair = pair.count == 2 && ["ns", "sn", "ew", "we", "eo", "oe", "ow", "wo"].contains(pair.joined())
        let letter = Self.letter(of: text, besides: isPair ? pair : [])
        let isNamed =
            isPair && !isJoined
            || parts.contains { $0.contains("hemis") || $0.contains("emisfer") || $0 == "halbkugel" }
        let isMeant = letter != nil || PlainText.words(of: text) == ["o"]
        guard isNamed || isMeant && (isPair || Self.axis(parts) != nil) else { return nil }
        let own = isPair ? ["n", "s"].contains(pair[0]) : Self.axis(parts)
        guard let isLatitude = own ?? letter.map({ "NS".contains($0) }) else { return nil }
        self.isLatitude = isLatitude
        isNegative = letter.flatMap { "NS".contains($0) == isLatitude ? "SW".contains($0) : nil }
    }

    /// Whether a column may be one by its name.
    package static func mayBe(column: String) -> Bool { Hemisphere(column: column, text: "n") != nil }

    /// The letter of a text such as `S`, `Sur` or `South`; O is the one that the other letter of the column is not.
    private static func letter(of text: String, besides pair: [String]) -> Character? {
        let words = PlainText.words(of: text)
        guard let word = words.first, words.count == 1 else { return nil }
        if word == "o", pair.contains("o") { return pair.contains("e") ? "W" : "E" }
        return letters[word]
    }

    /// Whether a column belongs to the latitude or the longitude, by its name.
    private static func axis(_ parts: [String]) -> Bool? {
        let isLatitude = parts.contains { $0.hasPrefix("lat") || $0.contains("latit") || $0.hasPrefix("breit") }
        let isLongitude = parts.contains {
            ["lon", "lng", "langengrad"].contains(where: $0.hasPrefix) || $0.contains("longit") || $0 == "lange"
        }
        return isLatitude == isLongitude ? nil : isLatitude
    }

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
