public import Model

/// Synonyms in searches.
extension Lexicon {
    /// The other words of a filter's values in catalogs: for `rojo` also `red` or `roja`; empty for unknown words.
    ///
    /// Values are folded words (``PlainText``) separated by spaces, and are alternatives. A plain word includes its
    /// shades. A shade includes only the plain words to which an import converts it.
    ///
    /// - Complexity: O(values), and O(entries of the kind) if one is known.
    public func synonyms(ofAny values: [String], _ kind: Kind) -> [String] {
        let known = values.compactMap { entry($0, kind) }
        guard !known.isEmpty else { return [] }
        let standards = Set(known.map(\.standard))
        return standards.sorted() + words(for: standards, kind, withShades: !known.contains { $0.isShade })
    }

    /// Splits the words of a search into groups, each with its synonyms: `zapatos de salon` with `pump`.
    ///
    /// The words are folded (``PlainText``). The longest known sequence of words forms a group. Shades have no
    /// synonyms.
    /// - Parameter words: the words as typed.
    /// - Returns: groups that contain all words in order.
    /// - Complexity: O(words * entries).
    public func groups(of words: [String]) -> [SoughtWords] {
        var groups: [SoughtWords] = []
        var rest = words[...]
        while !rest.isEmpty {
            let group = firstGroup(of: rest)
            rest = rest.dropFirst(group.typed.count)
            groups.append(group)
        }
        return groups
    }

    private func firstGroup(of words: ArraySlice<String>) -> SoughtWords {
        for length in (1...min(longest, words.count)).reversed() {
            let typed = words.prefix(length)
            let others = synonyms(ofWords: typed.joined(separator: " "))
            if !others.isEmpty {
                return SoughtWords(Array(typed), or: others.map { $0.split(separator: " ").map(String.init) })
            }
        }
        return SoughtWords(Array(words.prefix(1)))
    }

    /// The synonyms of words in any kind; a single letter has a meaning only in a column.
    private func synonyms(ofWords text: String) -> [String] {
        guard text.utf8.count > 1 else { return [] }
        var found: Set<String> = []
        for kind in Kind.allCases {
            guard let entry = entry(text, kind), !entry.isShade else { continue }
            found.formUnion(words(for: [entry.standard], kind, withShades: false))
        }
        return found.filter { $0 != text && $0.utf8.count > 1 }.sorted()
    }
}
