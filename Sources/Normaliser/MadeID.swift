internal import Model
internal import Structures

/// Deterministic ids derived from names.
enum MadeID {
    /// Number of hexadecimal digits of a hash; among a million hashed names the probability of a collision is 1 in
    /// 2,000,000.
    private static let digits = 15

    /// The folded words of texts, joined; nil if there are none.
    ///
    /// Words with characters that an id cannot hold, and text beyond the maximum length, are left out. A hash of all
    /// words is then added, so that names that differ only there get different ids.
    static func of(_ texts: [String?]) -> String? {
        let words = PlainText.words(of: texts.compactMap(\.self).joined(separator: " ").replacing("+", with: " plus "))
        guard !words.isEmpty else { return nil }
        let plain = words.filter { $0.utf8.allSatisfy { $0 < 0x80 } }
        let id = plain.joined(separator: "-")
        guard plain.count < words.count || id.utf8.count > PersonID.longest else { return id }
        return hashed(id, with: words)
    }

    static func hashed(_ id: String, with texts: [String]) -> String {
        let number = SipKey(0, 0).hash(Array(texts.joined(separator: "\n").utf8))
        let hash = String(String(number, radix: 16).suffix(digits))
        let beginning = id.prefix(PersonID.longest - digits - 1)
        return beginning.isEmpty ? hash : "\(beginning)-\(hash)"
    }
}
