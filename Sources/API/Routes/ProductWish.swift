internal import Discovery
internal import Storage

/// Which products are asked for, and whom they should fit.
struct ProductWish: Sendable {
    var filter: ProductFilter
    /// The person of `for`.
    var person: EntityID?

    /// The filter with what the person's profile says, and what that was.
    func settled(
        in picture: borrowing Picture, for caller: Caller
    ) throws(Refusal) -> (filter: ProductFilter, fit: ProductFit?) {
        guard let person else { return (filter, nil) }
        let (fitting, fit) = try picture.fitting(filter, person, for: caller)
        return (fitting, fit)
    }
}

extension JSONWriter {
    /// What was taken from a person's profile, and what it does not say.
    mutating func fit(_ fit: ProductFit?) {
        guard let fit else { return }
        member("for") { json in
            json.object { json in
                json.member("person", fit.person.text)
                json.member("size", fit.sizes.map(\.text))
                json.member("gender", fit.genders)
                let unknown = [("size", fit.lacksSize), ("gender", fit.lacksGender)].filter(\.1).map(\.0)
                json.member("unknown", unknown)
            }
        }
    }

    /// Facets with their values, of so many products.
    mutating func facets(_ facets: [FacetValues], of count: Int, _ fit: ProductFit?) {
        object { json in
            json.member("count", Int64(count))
            json.member("facets") { json in
                json.object { json in for facet in facets { json.facet(facet) } }
            }
            let longer = facets.filter(\.hasMore).map(\.facet.rawValue)
            json.member("more", longer)
            json.fit(fit)
        }
    }

    private mutating func facet(_ facet: FacetValues) {
        member(facet.facet.rawValue) { json in
            json.list(facet.values) { json, value in
                json.object { json in
                    json.member("value", value.text)
                    json.member("count", Int64(value.count))
                    json.member("price_min", value.prices?.lowerBound)
                    json.member("price_max", value.prices?.upperBound)
                }
            }
        }
    }
}
