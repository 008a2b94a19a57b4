/// Suggests the known name of a parameter or field that was probably meant by an unknown one.
package enum NearMiss {
    /// Common synonyms of the names used here, in lowercase letters and digits only.
    private static let synonyms: [String: [String]] = [
        "latitude": ["lat"], "longitude": ["lon"], "lng": ["lon"], "long": ["lon"], "x": ["lon"], "y": ["lat"],
        "radius": ["within_m"], "distance": ["within_m"], "maxdistance": ["within_m"], "mindistance": ["beyond_m"],
        "time": ["t", "at", "datetime"], "timestamp": ["t", "at", "datetime"], "ts": ["t"], "date": ["datetime"],
        "polygon": ["in"], "area": ["in", "bbox"], "bounds": ["bbox"],
        "course": ["heading"], "bearing": ["heading"], "track": ["heading"], "alt": ["altitude_m"],
        "acc": ["accuracy_m"], "velocity": ["speed_mps"], "user": ["person"], "userid": ["person"],
        "page": ["cursor"], "offset": ["cursor"], "after": ["cursor"], "count": ["limit"], "size": ["limit"],
        "name": ["q"], "from": ["datetime"], "since": ["datetime"], "until": ["datetime"], "to": ["datetime"],
        "perpage": ["limit"], "pagesize": ["limit"], "top": ["limit"], "query": ["q"], "search": ["q"], "text": ["q"],
        "type": ["kind", "category"], "order": ["sort"], "orderby": ["sort"], "select": ["fields"],
        "minprice": ["price_min"], "maxprice": ["price_max"], "colour": ["color", "colors"],
        "birthday": ["born"], "birthdate": ["born"], "dob": ["born"], "gender": ["sex"], "firstname": ["name"],
        "lastname": ["surname"], "tel": ["phone"], "mobile": ["phone"], "image": ["photo"], "picture": ["photo"],
        "description": ["about"], "bio": ["about"], "openinghours": ["hours"], "tz": ["timezone"],
        "isopen": ["open_now"], "open": ["open_now"], "opennow": ["open_now"],
    ]

    /// Longer names get no suggestion.
    private static let longest = 24

    /// The known name that was probably meant; nil if none is near.
    ///
    /// In order of preference: the name that differs only in case and separators, a synonym, a name that continues with
    /// its unit, and the name with the smallest edit distance, at most 1 for names of 4 and 5 letters and 2 for longer
    /// ones.
    ///
    /// - Complexity: O(length² · `known`). Names longer than 24 bytes are skipped.
    package static func meant(by name: String, among known: [String]) -> String? {
        let written = folded(name)
        guard !written.isEmpty, name.utf8.count <= longest else { return nil }
        if let same = known.first(where: { folded($0) == written }) { return same }
        if let other = synonyms[String(decoding: written, as: UTF8.self)]?.first(where: known.contains) { return other }
        if written.count > 2, let longer = known.first(where: { folded($0.prefix { $0 != "_" }) == written }) {
            return longer
        }
        let most = written.count < 4 ? 0 : written.count < 6 ? 1 : 2
        let distances = known.map { (name: $0, distance: distance(written, folded($0), atMost: most)) }
        return distances.min { $0.distance < $1.distance }.flatMap { $0.distance <= most ? $0.name : nil }
    }

    /// The suggestion in parentheses, to be appended to a message; empty if no name is near.
    package static func advice(for name: String, among known: [String]) -> String {
        meant(by: name, among: known).map { " (did you mean '\($0)'?)" } ?? ""
    }

    /// The letters and digits, lowercased.
    private static func folded(_ name: some StringProtocol) -> [UInt8] {
        name.lowercased().utf8.filter { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) }
    }

    /// The edit distance with adjacent transpositions (optimal string alignment), or more than `most` if the lengths
    /// differ by more.
    private static func distance(_ a: [UInt8], _ b: [UInt8], atMost most: Int) -> Int {
        guard abs(a.count - b.count) <= most else { return most + 1 }
        var before: [Int] = []
        var row = Array(0...b.count)
        for (i, letter) in a.enumerated() {
            var next = [i + 1]
            for (j, other) in b.enumerated() {
                var least = min(row[j + 1] + 1, next[j] + 1, row[j] + (letter == other ? 0 : 1))
                if i > 0, j > 0, letter == b[j - 1], a[i - 1] == other { least = min(least, before[j - 1] + 1) }
                next.append(least)
            }
            (before, row) = (row, next)
        }
        return row[b.count]
    }
}
