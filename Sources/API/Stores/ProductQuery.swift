internal import Discovery
internal import Interchange
internal import Model
internal import Normaliser

/// A product query: a filter, and the person whom the products should fit.
struct ProductQuery: Sendable {
    var filter: ProductFilter
    /// The person in `for`.
    var person: PersonID?
    /// The vocabulary that interprets values that no product has.
    let lexicon: Lexicon

    /// The filter with interpreted values and the person's size and gender, and the profile values that it uses.
    func settled(
        in state: borrowing LiveState, for caller: Caller
    ) throws(Refusal) -> (filter: ProductFilter, fit: ProductFit?) {
        guard let person else { return (understanding(filter, state), nil) }
        let (fitting, fit) = try state.fitting(filter, person, for: caller)
        return (understanding(fitting, state), fit)
    }

    private func understanding(_ filter: ProductFilter, _ state: borrowing LiveState) -> ProductFilter {
        state.understanding(filter) { values, facet in
            Lexicon.Kind(rawValue: facet.rawValue).map { lexicon.synonyms(ofAny: values, $0) } ?? []
        }
    }
}

extension JSONWriter {
    /// Writes the values taken from a person's profile, and those it lacks.
    mutating func fit(_ fit: ProductFit?) {
        guard let fit else { return }
        object("for") { json in
            json.member("person", fit.person.text)
            json.member("size", fit.sizes.map(\.text))
            json.member("gender", fit.genders)
            let unknown = [("size", fit.lacksSize), ("gender", fit.lacksGender)].filter(\.1).map(\.0)
            json.member("unknown", unknown)
        }
    }
}

extension Query {
    /// A product query that is executed in parts, after its filter was resolved with the person's profile.
    init<Search: SearchInParts>(
        _ productQuery: ProductQuery, for caller: Caller, search begin: @escaping @Sendable (ProductFilter) -> Search,
        answer: @escaping @Sendable (Search, ProductFit?) throws -> Answer
    ) {
        self.init(Begun<Search>?.none) { begun, state in
            var now: Begun<Search>
            if let begun {
                now = begun
            } else {
                let (filter, fit) = try productQuery.settled(in: state, for: caller)
                now = Begun(search: begin(filter), fit: fit)
            }
            // Keeps the only reference, so that the search is mutated in place.
            begun = nil
            defer { begun = now }
            return try now.search.look(at: state)
        } course: { begun in
            begun?.search.course
        } answer: { begun in
            guard let begun else { preconditionFailure("a search that has ended has begun") }
            return try answer(begun.search, begun.fit)
        }
    }
}

/// A search whose filter has been resolved with a person's profile.
private struct Begun<Search: SearchInParts>: Sendable {
    var search: Search
    let fit: ProductFit?
}
