internal import Discovery
internal import HTTPTypes
internal import Model

extension Call {
    /// The names of the parameters that say which places are wanted.
    static let placeParameters = ["kind", "category", "tag", "q", "owner", "attr.*"]
    static let repeatablePlaceParameters: Set<String> = ["category", "tag", "attr.*"]

    /// What the parameters of places ask for.
    func placeFilter(_ live: Live) async throws -> PlaceFilter {
        var filter = PlaceFilter()
        filter.kind = query.text("kind")
        filter.categories = try query.texts("category")
        filter.tags = try query.texts("tag")
        filter.attributes = try attributes()
        filter.numbers = try await numbers(in: .places, of: live)
        if let owner = query.text("owner") {
            guard let id = try? PersonID(owner) else { throw query.invalid("owner", "the id of a person") }
            filter.narrow(toOwner: id, for: caller)
        }
        return filter
    }

    private static let bounds: [(suffix: String, bound: @Sendable (Double) -> AttributeFilter.Bound)] = [
        ("[gte]", { .atLeast($0) }), ("[gt]", { .above($0) }), ("[lte]", { .atMost($0) }), ("[lt]", { .below($0) }),
    ]

    /// What `attr.<name>` and `attr.<name>[lte]` ask for.
    private func attributes() throws(Problem) -> [AttributeFilter] {
        var filters: [String: AttributeFilter] = [:]
        for parameter in query.names(beginningWith: "attr.") {
            let written = parameter.dropFirst(5)
            let bound = Self.bounds.first { written.hasSuffix($0.suffix) }
            let name = String(written.dropLast(bound?.suffix.count ?? 0))
            guard !name.isEmpty, bound != nil || !name.hasSuffix("]") else {
                throw query.invalid(
                    parameter, "a parameter such as attr.difficulty, or attr.minutes[lte] with gte, gt, lte or lt")
            }
            var filter = filters[name] ?? AttributeFilter(name: name)
            let values = try query.texts(parameter)
            if let bound {
                guard values.count == 1, let number = AttributeFilter.number(values[0]) else {
                    throw query.invalid(parameter, "one number")
                }
                filter.bounds.append(bound.bound(number))
            } else {
                guard !values.isEmpty else { throw query.invalid(parameter, "one or several values") }
                filter.values = values
            }
            filters[name] = filter
        }
        return filters.sorted { $0.key < $1.key }.map(\.value)
    }
}
