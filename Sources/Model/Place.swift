public import Geo

/// A store, a topic, a recipe, a monument: anything that may be looked for by distance.
public struct Place: Codable, Hashable, Sendable {
    /// The id, unique among places.
    public var id: PlaceID
    /// `store`, `topic`, `recipe` or any other word.
    public var kind: String
    /// The name as it is shown.
    public var name: String
    /// Where it is; nil for a place without a position, which is in no answer by distance.
    public var coordinate: Coordinate?
    /// A postal address as it is written; nil if not given.
    public var address: String?
    /// What it is within its kind, in any words; nil if not given.
    public var category: String?
    /// Further words to be found by; empty for none.
    public var tags: [String] = []
    /// Opening hours in the syntax of OpenStreetMap's `opening_hours`.
    public var hours: String?
    /// An IANA time zone.
    public var timezone: String?
    /// The person who may change the place.
    public var owner: PersonID?
    /// Whatever else is known, by its name; empty for nothing.
    public var attributes: [String: AttributeValue] = [:]
    /// When the place was first stored, which the service notes; nil for one that is not stored, or has been since before
    /// that was noted.
    public var created: Timestamp?

    /// A place of which neither position nor anything else is known.
    public init(id: PlaceID, kind: String, name: String) {
        self.id = id
        self.kind = kind
        self.name = name
    }
}
