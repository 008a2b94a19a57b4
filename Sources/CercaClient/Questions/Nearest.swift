public import Foundation

extension CercaClient {
    /// The places nearest to a point, nearest first.
    ///
    /// - Parameters:
    ///   - lat: degrees.
    ///   - lon: degrees.
    ///   - area: where they lie.
    ///   - filter: which ones.
    ///   - limit: items of a page, at most 1,000; the service's own number if nil.
    /// - Returns: pages, none of which is asked for yet.
    /// - Throws: an `EncodingError` for an area that cannot be written; the pages throw ``CercaError``.
    public func nearestPlaces(
        lat: Double, lon: Double, area: AreaFilter = AreaFilter(), _ filter: PlaceFilter = PlaceFilter(),
        limit: Int? = nil
    ) throws -> Pages<PlaceNearby> {
        var query = Query(lat: lat, lon: lon)
        try area.add(to: &query)
        filter.add(to: &query)
        query.add("limit", limit)
        return Pages(of: self, "/v1/places/nearest", query)
    }

    /// The nearest stores that have something, nearest first unless `sort` says otherwise.
    ///
    /// - Parameters:
    ///   - lat: degrees.
    ///   - lon: degrees.
    ///   - area: where they lie.
    ///   - filter: what they shall have.
    ///   - stores: which stores they shall be.
    ///   - openNow: whether they are open now.
    ///   - openAt: when they are open.
    ///   - sort: `distance`, `price`, or `pareto`: those that are cheaper than every nearer one.
    ///   - limit: items of a page, at most 1,000; the service's own number if nil.
    /// - Returns: pages, none of which is asked for yet.
    /// - Throws: as ``nearestPlaces(lat:lon:area:_:limit:)`` does.
    public func nearestStores(
        lat: Double, lon: Double, area: AreaFilter = AreaFilter(), _ filter: ProductFilter = ProductFilter(),
        stores: StoreFilter = StoreFilter(), openNow: Bool? = nil, openAt: Date? = nil, sort: String? = nil,
        limit: Int? = nil
    ) throws -> Pages<Store> {
        var query = Query(lat: lat, lon: lon)
        try area.add(to: &query)
        filter.add(to: &query)
        stores.add(to: &query)
        query.add("open_now", openNow)
        query.add("open_at", openAt)
        query.add("sort", sort)
        query.add("limit", limit)
        return Pages(of: self, "/v1/stores/nearest", query)
    }

    /// The people nearest to a point now, nearest first, for services.
    ///
    /// Everybody is looked at.
    ///
    /// - Parameters:
    ///   - lat: degrees.
    ///   - lon: degrees.
    ///   - withinM: not farther away, in metres.
    ///   - beyondM: not nearer, in metres.
    ///   - maxAgeS: seen so many seconds ago, or later.
    ///   - attributes: with these; `size.lt` compares.
    ///   - limit: items of a page, at most 1,000; the service's own number if nil.
    /// - Returns: pages, none of which is asked for yet; they throw ``CercaError``.
    public func nearestPeople(
        lat: Double, lon: Double, withinM: Double? = nil, beyondM: Double? = nil, maxAgeS: Double? = nil,
        attributes: [String: String] = [:], limit: Int? = nil
    ) -> Pages<PersonNearby> {
        var query = Query(lat: lat, lon: lon)
        query.add("within_m", withinM)
        query.add("beyond_m", beyondM)
        query.add("max_age_s", maxAgeS)
        query.add(attributes: attributes)
        query.add("limit", limit)
        return Pages(of: self, "/v1/people/nearest", query)
    }

    /// The friends of a person, nearest first, as exactly as each shows where they are.
    ///
    /// - Parameters:
    ///   - id: the person.
    ///   - withinM: not farther away, in metres.
    ///   - beyondM: not nearer, in metres.
    ///   - label: those whom the person calls so.
    ///   - group: members of this group while it is open.
    ///   - at: an instant of the past, rather than now.
    ///   - limit: items of a page, at most 1,000; the service's own number if nil.
    /// - Returns: pages, none of which is asked for yet; they throw ``CercaError``.
    public func nearestFriends(
        of id: String, withinM: Double? = nil, beyondM: Double? = nil, label: String? = nil, group: String? = nil,
        at: Date? = nil, limit: Int? = nil
    ) -> Pages<PersonNearby> {
        var query = Query()
        query.add("within_m", withinM)
        query.add("beyond_m", beyondM)
        query.add("label", label)
        query.add("group", group)
        query.add("at", at)
        query.add("limit", limit)
        return Pages(of: self, "/v1/people/\(id)/friends/nearest", query)
    }

    /// Strangers near to a person: by distance bucket, and in each by an order that changes daily.
    ///
    /// - Parameters:
    ///   - id: the person.
    ///   - withinM: the greatest distance of the public cells, in metres: 100,000 at most.
    ///   - ageMin: the least age, in years.
    ///   - ageMax: the greatest age, in years.
    ///   - sex: any of these.
    ///   - relationship: any of these.
    ///   - limit: items of a page, at most 100; the service's own number if nil.
    /// - Returns: pages, none of which is asked for yet; they throw ``CercaError``.
    public func discovery(
        of id: String, withinM: Double? = nil, ageMin: Int? = nil, ageMax: Int? = nil, sex: [String] = [],
        relationship: [String] = [], limit: Int? = nil
    ) -> Pages<Stranger> {
        var query = Query()
        query.add("within_m", withinM)
        query.add("age_min", ageMin)
        query.add("age_max", ageMax)
        query.add("sex", anyOf: sex)
        query.add("relationship", anyOf: relationship)
        query.add("limit", limit)
        return Pages(of: self, "/v1/people/\(id)/discovery", query)
    }
}

extension Query {
    init(lat: Double, lon: Double) {
        self.init()
        add("lat", lat)
        add("lon", lon)
    }
}
