public import Foundation

extension CercaClient {
    /// Searches for the places nearest to a point, nearest first.
    ///
    /// - Parameters:
    ///   - lat: latitude in degrees.
    ///   - lon: longitude in degrees.
    ///   - area: the spatial filter.
    ///   - filter: the filter of places.
    ///   - limit: maximum number of items per page, at most 1,000; the service's default if nil.
    /// - Returns: pages that are requested on demand.
    /// - Throws: an `EncodingError` for an invalid area; the pages throw ``CercaError``.
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

    /// Searches for the nearest stores with matching products, nearest first by default.
    ///
    /// - Parameters:
    ///   - lat: latitude in degrees.
    ///   - lon: longitude in degrees.
    ///   - area: the spatial filter.
    ///   - filter: the filter of products.
    ///   - stores: the filter of stores.
    ///   - openNow: whether the stores are open now.
    ///   - openAt: a time at which the stores are open.
    ///   - sort: `distance`, `price`, or `pareto` for only stores that are cheaper than every nearer one.
    ///   - limit: maximum number of items per page, at most 1,000; the service's default if nil.
    /// - Returns: pages that are requested on demand.
    /// - Throws: like ``nearestPlaces(lat:lon:area:_:limit:)``.
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

    /// Searches for the people currently nearest to a point, nearest first; for services only.
    ///
    /// All people are searched.
    ///
    /// - Parameters:
    ///   - lat: latitude in degrees.
    ///   - lon: longitude in degrees.
    ///   - withinM: maximum distance in meters.
    ///   - beyondM: minimum distance in meters.
    ///   - maxAgeS: maximum age of the position in seconds.
    ///   - attributes: attributes with their values, all of which must match; `size.lt` compares.
    ///   - limit: maximum number of items per page, at most 1,000; the service's default if nil.
    /// - Returns: pages that are requested on demand and throw ``CercaError``.
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

    /// Searches for a person's friends, nearest first, at the precision that each shares.
    ///
    /// - Parameters:
    ///   - id: the person's id.
    ///   - withinM: maximum distance in meters.
    ///   - beyondM: minimum distance in meters.
    ///   - label: the person's own label for the friends.
    ///   - group: a group whose members are searched while it is open.
    ///   - at: a past instant; nil for now.
    ///   - limit: maximum number of items per page, at most 1,000; the service's default if nil.
    /// - Returns: pages that are requested on demand and throw ``CercaError``.
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

    /// Searches for strangers near a person, by distance bucket, and within a bucket in an order that changes daily.
    ///
    /// - Parameters:
    ///   - id: the person's id.
    ///   - withinM: maximum distance of the public cells in meters, at most 100,000.
    ///   - ageMin: minimum age in years.
    ///   - ageMax: maximum age in years.
    ///   - sex: values, one of which must match.
    ///   - relationship: values, one of which must match.
    ///   - limit: maximum number of items per page, at most 100; the service's default if nil.
    /// - Returns: pages that are requested on demand and throw ``CercaError``.
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
