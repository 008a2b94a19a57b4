internal import CoreMetrics
internal import Discovery
internal import Interchange

extension Answer {
    /// The facets of places or products.
    static func facets(_ counts: FacetCounts, _ fit: ProductFit? = nil, to call: Call) -> Answer {
        if counts.isTruncated { call.meters.cutOff.increment() }
        return .json { $0.facets(counts, fit) }
    }
}

extension JSONWriter {
    fileprivate mutating func facets(_ counts: FacetCounts, _ fit: ProductFit?) {
        object { json in
            json.member("count", Int64(counts.count))
            json.member("facets") { json in
                json.object { json in for facet in counts.facets { json.values(facet) } }
            }
            let attributes = counts.facets.compactMap { facet in facet.attribute.map { (name: facet.name, $0) } }
            if !attributes.isEmpty {
                json.member("attributes") { json in
                    json.object { json in for (name, attribute) in attributes { json.attribute(name, attribute) } }
                }
            }
            json.member("more", counts.more)
            if counts.isTruncated { json.member("truncated", true) }
            json.fit(fit)
        }
    }

    private mutating func values(_ facet: FacetValues) {
        objects(facet.name, facet.values) { json, value in
            switch value.content {
            case .number(let number): json.member("value", number)
            case .flag(let flag): json.member("value", flag)
            case .text(let text): json.member("value", text)
            }
            json.member("count", Int64(value.count))
            json.member("price_min", value.prices?.lowerBound)
            json.member("price_max", value.prices?.upperBound)
        }
    }

    private mutating func attribute(_ name: String, _ attribute: FacetValues.Attribute) {
        object(name) { json in
            json.member("count", Int64(attribute.count))
            json.member("min", attribute.numbers?.lowerBound)
            json.member("max", attribute.numbers?.upperBound)
        }
    }
}
