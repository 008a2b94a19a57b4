public import Model

/// What a person's profile says of what fits.
public struct ProductFit: Hashable, Sendable {
    /// Whose profile it is.
    public var person: PersonID
    /// The sizes that were taken from the profile; empty when the question named some, or the profile has none.
    public var sizes: [ProductSize]
    /// The genders that were taken from it, in the same way.
    public var genders: [String]
    /// Whether no size was asked for and the profile has none.
    public var lacksSize: Bool
    /// Whether no gender was asked for and the profile has none that products are made for.
    public var lacksGender: Bool
}

extension Picture {
    /// A filter with what fits a person where the filter itself says nothing.
    ///
    /// Sizes are those of the person's attributes `size`, `sizes` and such as `shoe_size`, any of them; products for `female` or `male`, by the person's
    /// sex, and for `unisex` fit.
    ///
    /// - Throws: ``Refusal/notAllowed`` for anybody but the person and a service, before anything is looked up;
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
        let names = attributes.keys.filter { "_\($0.lowercased())".contains(#/_sizes?$/#) }
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
