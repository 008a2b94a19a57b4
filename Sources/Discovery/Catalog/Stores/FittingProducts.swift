public import Model

/// The sizes and genders that a person's profile adds to a query.
public struct ProductFit: Hashable, Sendable {
    /// The person with the profile.
    public var person: PersonID
    /// The sizes taken from the profile; empty if the query specifies sizes, or the profile has none.
    public var sizes: [ProductSize]
    /// The genders taken from the profile, by the same rule.
    public var genders: [String]
    /// Whether neither the query nor the profile specifies a size.
    public var lacksSize: Bool
    /// Whether neither the query nor the profile specifies a gender for which products are made.
    public var lacksGender: Bool
}

extension LiveState {
    /// Returns a filter with sizes and genders from a person's profile where the filter specifies none.
    ///
    /// Sizes come from the attributes `size`, `sizes` and such as `shoe_size`. Gender comes from the person's sex:
    /// products for `female` or `male`, and for `unisex`, fit.
    ///
    /// - Throws: ``Refusal/notAllowed`` for callers other than the person and services, before any lookup;
    ///   ``Refusal/unknown(_:_:)``.
    public func fitting(
        _ filter: ProductFilter, _ id: PersonID, for caller: Caller
    ) throws(Refusal) -> (filter: ProductFilter, fit: ProductFit) {
        guard caller.mayAct(for: id) else { throw .notAllowed }
        let person = try person(id).value
        let sizes = filter.sizes.isEmpty ? person.productSizes : []
        let genders = filter.genders.isEmpty ? person.productGenders : []
        var fitting = filter
        fitting.sizes += sizes
        fitting.genders += genders
        let fit = ProductFit(
            person: id, sizes: sizes, genders: genders, lacksSize: fitting.sizes.isEmpty,
            lacksGender: fitting.genders.isEmpty)
        return (fitting, fit)
    }
}

extension Person {
    fileprivate var productSizes: [ProductSize] {
        let names = attributes.keys.filter { name in
            ["_size", "_sizes"].contains(where: "_\(name.lowercased())".hasSuffix)
        }
        let texts = names.sorted().flatMap { name -> [String] in
            switch attributes[name] {
            case .text(let text): text.split { ";,".contains($0) }.map(String.init)
            case .list(let texts): texts
            case .number(let number): [Int64(exactly: number).map(String.init) ?? "\(number)"]
            case .flag, nil: []
            }
        }
        var seen: Set<ProductSize> = []
        return texts.compactMap { ProductSize($0) }.filter { seen.insert($0).inserted }
    }

    fileprivate var productGenders: [String] {
        switch sex {
        case .female: ["female", "unisex"]
        case .male: ["male", "unisex"]
        case .other, nil: []
        }
    }
}
