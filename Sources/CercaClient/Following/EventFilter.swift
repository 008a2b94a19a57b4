extension CercaClient {
    /// Which events are followed.
    ///
    /// What is nil or empty selects nothing; of `place`, `product`, `group` and `fence` one may be given.
    public struct EventFilter: Hashable, Sendable {
        /// Of any of these types, such as `fence.enter`.
        public var type: [String] = []
        /// That concern this person.
        public var person: String?
        /// Of this place.
        public var place: String?
        /// Of this product.
        public var product: String?
        /// Of this group.
        public var group: String?
        /// Of this fence.
        public var fence: String?
        /// In a polygon or several.
        public var `in`: Area?
        /// In a box.
        public var bbox: BoundingBox?
        /// The middle of a circle, in degrees, if there is a ``withinM``.
        public var lat: Double?
        /// The middle of a circle, in degrees, if there is a ``withinM``.
        public var lon: Double?
        /// Not farther away from the middle, in metres.
        public var withinM: Double?

        /// All events that the caller is told.
        public init() {}

        func query() throws -> Query {
            var query = Query()
            query.add("type", anyOf: type)
            query.add("person", person)
            query.add("place", place)
            query.add("product", product)
            query.add("group", group)
            query.add("fence", fence)
            query.add("in", try self.in.map(JSON.text))
            query.add("bbox", bbox)
            query.add("lat", lat)
            query.add("lon", lon)
            query.add("within_m", withinM)
            return query
        }
    }
}
