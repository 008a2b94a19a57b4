internal import Geo
internal import Model
internal import Structures

extension Picture {
    /// A filter as the catalogue can answer it, where people typed what it asks for.
    ///
    /// A number is also that size of the only system there is. A word that no product has is taken for those of its synonyms that
    /// some have; if none has any, for what is one mistake away from it (``Misspelling``), of a few words only. What
    /// products have is looked for as it is.
    ///
    /// - Parameters:
    ///   - filter: what was typed.
    ///   - synonyms: what else any of some values of a facet may be called, each in words as they are compared.
    /// - Returns: a filter that asks for no less.
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

    /// How many values of a filter are taken for mistyped ones: each costs a look at some hundred others.
    private static let mostCorrected = 4
}

extension Inventory {
    /// Whether a product has a value.
    fileprivate func carries(_ value: String, _ facet: Facet) -> Bool {
        words.term(value).map { !products(carrying: $0, as: facet).isEmpty } ?? false
    }

    /// What a value that no product has may mean: at least one, itself if nothing else.
    fileprivate func meanings(
        of value: String, _ facet: Facet, corrections left: inout Int, synonyms: ([String]) -> [String]
    ) -> [String] {
        let text = PlainText.words(of: value).joined(separator: " ")
        let same = synonyms([text]).filter { carries($0, facet) }
        guard same.isEmpty, left > 0 else { return same.isEmpty ? [value] : same }
        let corrections = Misspelling.corrections(of: text)
        guard !corrections.isEmpty else { return [value] }
        left -= 1
        Effort.count(corrections.count * 3)
        let meant = (corrections + synonyms(corrections)).filter { carries($0, facet) }
        return meant.isEmpty ? [value] : meant
    }
}
