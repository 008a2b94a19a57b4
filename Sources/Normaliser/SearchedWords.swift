public import Model

/// How words are understood that people type to find something.
extension Lexicon {
    /// What else the value of a filter may be called in a catalogue: `rojo` also `red` or `roja`; nothing for unknown words.
    ///
    /// Any of the values may be meant, each in words as they are compared (``PlainText``) with a space between. A plain word
    /// stands for its shades, too; a shade only for the plain words, which an import makes of it.
    ///
    /// - Complexity: O(values), and O(entries of the kind) if one is known.
    public func synonyms(ofAny values: [String], _ kind: Kind) -> [String] {
        let known = values.compactMap { entry($0, kind) }
        guard !known.isEmpty else { return [] }
        let standards = Set(known.map(\.standard))
        return standards.sorted() + words(for: standards, kind, withShades: !known.contains { $0.isShade })
    }

    /// The words of a search in groups, each with what else it may be called: `zapatos de salon` with `pump`.
    ///
    /// The words are written as they are compared (``PlainText``). Of those that could belong together the longest row counts. A
    /// shade is looked for as it is.
    ///
    /// - Parameter words: what was typed.
    /// - Returns: groups that together have all of the words, in their order.
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

    /// What words mean in any kind; a letter that stands alone means something in a column only.
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
