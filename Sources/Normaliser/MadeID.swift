internal import Model
internal import Structures

/// Ids made of what things are called, the same for the same texts.
enum MadeID {
    /// The digits of a hash: with a million names that lost something the chance of two alike is 1 in 2,000,000.
    private static let digits = 15

    /// The words of texts in small letters without accents, joined; nil if there are none.
    ///
    /// Words that no id can hold, and what is too long, are left out; then a hash of all words is added, so that names that
    /// differ only there do not share an id.
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
