internal import Interchange

/// The requested facets of places or products; by default all.
struct FacetChoice<Word: RawRepresentable<String> & CaseIterable & Hashable & Sendable>: Sendable {
    /// The requested facets that are not attributes.
    private(set) var words = Set(Word.allCases)
    /// The requested attributes; nil for all.
    private(set) var attributes: Set<String>?

    fileprivate enum Facet: Sendable {
        case word(Word), attributes, attribute(String)

        init?(_ text: String) {
            if let word = Word(rawValue: text) {
                self = .word(word)
            } else if text == "attr" {
                self = .attributes
            } else if text.utf8.starts(with: "attr.".utf8), text.utf8.count > 5 {
                self = .attribute(String(decoding: text.utf8.dropFirst(5), as: UTF8.self))
            } else {
                return nil
            }
        }
    }

    fileprivate init(_ facets: [Facet]) {
        guard !facets.isEmpty else { return }
        (words, attributes) = ([], [])
        let hasAll = facets.contains { if case .attributes = $0 { true } else { false } }
        for facet in facets {
            switch facet {
            case .word(let word): words.insert(word)
            case .attributes: break
            case .attribute(let name): attributes?.insert(name)
            }
        }
        if hasAll { attributes = nil }
    }
}

extension Parameter {
    /// The parameter `facet`.
    static func facets<Word: RawRepresentable<String> & CaseIterable & Hashable & Sendable>() -> Parameter
    where Value == FacetChoice<Word> {
        let words = Word.allCases.map(\.rawValue)
        let choice = "\(words.joined(separator: ", ")), attr (all attributes) or attr.<name> (one)"
        let item = Schema.text(pattern: "^(\(words.joined(separator: "|"))|attr|attr\\.[^,]+)$")
        return Parameter("facet", choice, .list(of: item, atMost: 100), isRepeatable: true) { call throws(Problem) in
            Value(try call.query.values("facet", choice, FacetChoice<Word>.Facet.init))
        }
    }
}
