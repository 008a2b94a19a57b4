internal import Discovery
internal import HTTPTypes
internal import Interchange
internal import Model
internal import Normaliser

extension Call {
    private static let kind = Parameter.text("kind", "the kind of places")
    private static let category = Parameter.texts("category", "places of any of these categories")
    private static let tag = Parameter.texts("tag", "places with any of these tags")
    private static let owner: Parameter<PersonID?> = .id("owner", "places of this person", as: "the id of a person")
    /// Attributes of places, people or products.
    static let attribute = attributeParameter("attr")

    private static func attributeParameter(_ prefix: String) -> Parameter<[AttributeFilter]> {
        Parameter(
            "\(prefix).*",
            "`\(prefix).<name>` or `\(prefix)[<name>]` for an attribute; `<name>.gte`, gt, lte or lt for a number",
            .map(of: .text()).with("propertyNames", .object(["pattern": .text("^[^<>!\\[\\]]+$")])), isRepeatable: true
        ) { call throws(Problem) in try call.attributes("\(prefix).") }
    }

    /// The parameters that filter places.
    static let placeParameters: [any QueryParameter] = [kind, category, tag, words, owner, attribute]
    private static let storeCategory = Parameter.texts("store.category", "stores of any of these categories")
    private static let storeTag = Parameter.texts("tag", "stores with any of these tags")
    private static let storeAttribute = attributeParameter("store.attr")
    /// The parameters that filter stores, besides the parameters of products.
    static let storeParameters: [any QueryParameter] = [storeCategory, storeTag, storeAttribute]
    /// Words to search for in texts.
    static let words = Parameter.searched("q", longest: 200, "up to \(Engine.mostWords) words of the texts")

    /// The filter from the parameters of places; it ranks the places found by `q` for a list by relevance.
    func placeFilter(_ engine: Engine, _ lexicon: Lexicon, isRanked: Bool = false) async throws -> PlaceFilter {
        var filter = PlaceFilter()
        filter.kind = try self[Self.kind]
        filter.categories = try self[Self.category]
        filter.tags = try self[Self.tag]
        filter.attributes = try self[Self.attribute]
        let matches = try await matches(in: .places, of: engine, lexicon, isRanked: isRanked)
        filter.numbers = matches?.numbers
        if isRanked { filter.matches = matches }
        if let owner = try self[Self.owner] { filter.narrow(toOwner: owner, for: caller) }
        return filter
    }

    /// The filter from the parameters of stores.
    func storeFilter() throws(Problem) -> PlaceFilter {
        var filter = PlaceFilter()
        filter.categories = try self[Self.storeCategory]
        filter.tags = try self[Self.storeTag]
        filter.attributes = try self[Self.storeAttribute]
        return filter
    }

    /// The suffixes of parameters that bound a number; shells and URL builders leave those with a dot unescaped.
    private static let bounds: [(suffix: String, bound: @Sendable (Double) -> AttributeFilter.Bound)] = [
        ("[gte]", { .atLeast($0) }), ("[gt]", { .above($0) }), ("[lte]", { .atMost($0) }), ("[lt]", { .below($0) }),
        (".gte", { .atLeast($0) }), (".gt", { .above($0) }), (".lte", { .atMost($0) }), (".lt", { .below($0) }),
    ]

    /// The filters from parameters such as `attr.<name>` and `attr.<name>.lte`, with the prefix `attr.`.
    private func attributes(_ prefix: String) throws(Problem) -> [AttributeFilter] {
        var filters: [String: AttributeFilter] = [:]
        for parameter in query.names(beginningWith: prefix) {
            let written = String(decoding: parameter.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
            let bound = Self.bounds.first { written.hasSuffix($0.suffix) }
            let name = String(written.dropLast(bound?.suffix.count ?? 0))
            guard !name.isEmpty, bound != nil || !name.hasSuffix("]"), !name.contains(where: "<>!".contains) else {
                throw query.invalid(
                    parameter,
                    "a parameter such as \(prefix)difficulty=2, or \(prefix)minutes.lte=60 with gte, gt, lte or lt")
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
