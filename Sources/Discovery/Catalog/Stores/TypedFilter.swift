internal import Geo
internal import Model
internal import Structures

extension LiveState {
    /// Returns a filter that interprets typed values against the catalog.
    ///
    /// A bare number also matches as a size of the only size system. A word that no product has is replaced by its
    /// synonyms that some have; if there are none, by the words that they have at Damerau-Levenshtein distance one
    /// (``Misspelling``), the latter only for a few words. Words that products have are kept.
    ///
    /// - Parameters:
    ///   - filter: the typed filter.
    ///   - synonyms: returns the synonyms of any of some folded values of a facet, also folded.
    /// - Returns: a filter that is at least as wide.
    /// - Complexity: O(values of the filter).
    public func understanding(
        _ filter: ProductFilter, synonyms: (_ ofAny: [String], ProductFacet) -> [String]
    ) -> ProductFilter {
        var (filter, left) = (filter, Self.mostCorrected)
        let inventory = catalogue.inventory
        filter.sizes += filter.sizes.compactMap(inventory.systems.meant(by:))
        func understand(_ values: inout [String], _ facet: ProductFacet) {
            guard let words = facet.words, !values.allSatisfy({ inventory.carries($0, words) }) else { return }
            values = values.flatMap { value in
                inventory.carries(value, words)
                    ? [value] : inventory.meanings(of: value, words, corrections: &left) { synonyms($0, facet) }
            }
        }
        understand(&filter.brands, .brand)
        understand(&filter.categories, .category)
        understand(&filter.genders, .gender)
        understand(&filter.colors, .color)
        understand(&filter.materials, .material)
        return filter
    }

    /// The maximum number of corrected spellings that are looked up, within one slice of a reader.
    private static let mostCorrected = 2500
}

extension Inventory {
    /// The maximum number of bytes of a value that people mistype.
    private static let longestTyped = 200

    /// Whether any product has a value.
    fileprivate func carries(_ value: String, _ facet: Facet) -> Bool {
        WorkBudget.count(value.utf8.count / 8)
        return words.term(value).map { !products(carrying: $0, as: facet).isEmpty } ?? false
    }

    /// The interpretations of a value that no product has; the value itself if there are none.
    fileprivate func meanings(
        of value: String, _ facet: Facet, corrections left: inout Int, synonyms: ([String]) -> [String]
    ) -> [String] {
        guard value.utf8.count <= Self.longestTyped else { return [value] }
        let text = PlainText.words(of: value).joined(separator: " ")
        let same = synonyms([text]).filter { carries($0, facet) }
        // A word has at most about a hundred corrections for each letter.
        guard same.isEmpty, text.utf8.count * 100 <= left else { return same.isEmpty ? [value] : same }
        let corrections = Misspelling.corrections(of: text)
        guard !corrections.isEmpty else { return [value] }
        left -= corrections.count
        WorkBudget.count(corrections.count * 20)
        let meant = (corrections + synonyms(corrections)).filter { carries($0, facet) }
        return meant.isEmpty ? [value] : meant
    }
}
