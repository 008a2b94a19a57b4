public import Geo

/// A store, a topic, a recipe, a monument: anything that can be found by distance.
///
/// Properties that most places leave out take memory only if they are given.
public struct Place: Codable, Hashable, Sendable {
    /// The id, unique among places.
    public var id: PlaceID
    /// `store`, `topic`, `recipe` or any other word.
    public var kind: String
    /// The display name.
    public var name: String
    /// The category within its kind, in any words; nil if not given.
    public var category: String?
    /// When the service first stored the place; nil if it is not stored, or was stored before this was recorded.
    public var created: Timestamp?
    /// The position; nil for a place without one, which is in no answer by distance.
    public var coordinate: Coordinate?
    @BoxedIfNonDefault private var details: Details

    /// Creates a place without a position or other properties.
    public init(id: PlaceID, kind: String, name: String) {
        self.id = id
        self.kind = kind
        self.name = name
    }
}

extension Place {
    private struct Details: Codable, Hashable, HasDefault {
        static let usual = Details()
        var address, hours, timezone: String?
        var owner: PersonID?
        var area: PlaceArea?
        var tags: [String] = []
        var attributes: [String: AttributeValue] = [:]
    }

    /// A postal address as written; nil if not given.
    public var address: String? {
        get { details.address }
        set { details.address = newValue }
    }

    /// Further search terms; empty if there are none.
    public var tags: [String] {
        get { details.tags }
        set { details.tags = newValue }
    }

    /// Opening hours in the syntax of OpenStreetMap's `opening_hours`.
    public var hours: String? {
        get { details.hours }
        set { details.hours = newValue }
    }

    /// The IANA time zone.
    public var timezone: String? {
        get { details.timezone }
        set { details.timezone = newValue }
    }

    /// The person who may change the place.
    public var owner: PersonID? {
        get { details.owner }
        set { details.owner = newValue }
    }

    /// The area of the place, such as the delivery area of a store; nil for none.
    public var area: PlaceArea? {
        get { details.area }
        set { details.area = newValue }
    }

    /// Other attributes by name; empty if there are none.
    public var attributes: [String: AttributeValue] {
        get { details.attributes }
        set { details.attributes = newValue }
    }

    /// The additional bytes of memory, except the bytes of long texts.
    package var bytes: Int { _details.bytes }
}

extension PersonID {
    /// The owner of places whose owner was deleted, an id that no person can have.
    ///
    /// Until a service writes it, others still see such a place as owned by a person.
    package static var deleted: PersonID { PersonID(known: "") }
}
