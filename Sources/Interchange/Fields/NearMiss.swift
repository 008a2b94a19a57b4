/// The name that somebody probably meant who wrote another: of a parameter, or of a field.
package enum NearMiss {
    /// What others call what has a name of its own here; letters and digits only, in small letters.
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

    /// Longer names are nobody's near miss.
    private static let longest = 24

    /// Which of the known names was probably meant; nil if none is near.
    ///
    /// First comes what is the same but for capitals and what parts words, then another word for it, then a name that goes on with
    /// its unit, then one with so few letters changed, left out, added or exchanged: one, or two in names of six and more.
    ///
    /// - Complexity: O(length² · `known`); names of more than 24 bytes are passed over.
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

    /// What a refusal says of it, in brackets; nothing if none is near.
    package static func advice(for name: String, among known: [String]) -> String {
        meant(by: name, among: known).map { " (did you mean '\($0)'?)" } ?? ""
    }

    /// The letters and digits, in small letters.
    private static func folded(_ name: some StringProtocol) -> [UInt8] {
        name.lowercased().utf8.filter { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) }
    }

    /// How many letters have to be changed, left out, added or exchanged with the next to make one of the other; more than `most`
    /// if their lengths say that it is more.
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
