extension CercaClient {
    /// A filter of the events to follow.
    ///
    /// Nil or empty criteria match everything. At most one of `place`, `product`, `group` and `fence` may be set.
    public struct EventFilter: Hashable, Sendable {
        /// Types of events, such as `fence.enter`.
        public var type: [String] = []
        /// A person whom the events concern.
        public var person: String?
        /// A place.
        public var place: String?
        /// A product.
        public var product: String?
        /// A group.
        public var group: String?
        /// A fence.
        public var fence: String?
        /// A polygon or several.
        public var `in`: Area?
        /// A bounding box.
        public var bbox: BoundingBox?
        /// Latitude of a circle's center in degrees, together with ``withinM``.
        public var lat: Double?
        /// Longitude of a circle's center in degrees, together with ``withinM``.
        public var lon: Double?
        /// The radius of a circle in meters.
        public var withinM: Double?

        /// Creates a filter that matches all events visible to the caller.
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
