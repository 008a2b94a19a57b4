public import Geo

/// A store, a topic, a recipe, a monument: anything that may be looked for by distance.
///
/// Held as many give it: what most leave out takes room only where it is given.
public struct Place: Codable, Hashable, Sendable {
    /// The id, unique among places.
    public var id: PlaceID
    /// `store`, `topic`, `recipe` or any other word.
    public var kind: String
    /// The name as it is shown.
    public var name: String
    /// What it is within its kind, in any words; nil if not given.
    public var category: String?
    /// When the place was first stored, which the service notes; nil for one that is not stored, or has been since before
    /// that was noted.
    public var created: Timestamp?
    /// Where it is; nil for a place without a position, which is in no answer by distance.
    public var coordinate: Coordinate?
    @Seldom private var details: Details

    /// A place of which neither position nor anything else is known.
    public init(id: PlaceID, kind: String, name: String) {
        self.id = id
        self.kind = kind
        self.name = name
    }
}

extension Place {
    private struct Details: Codable, Hashable, Usual {
        static let usual = Details()
        var address, hours, timezone: String?
        var owner: PersonID?
        var area: PlaceArea?
        var tags: [String] = []
        var attributes: [String: AttributeValue] = [:]
    }

    /// A postal address as it is written; nil if not given.
    public var address: String? {
        get { details.address }
        set { details.address = newValue }
    }

    /// Further words to be found by; empty for none.
    public var tags: [String] {
        get { details.tags }
        set { details.tags = newValue }
    }

    /// Opening hours in the syntax of OpenStreetMap's `opening_hours`.
    public var hours: String? {
        get { details.hours }
        set { details.hours = newValue }
    }

    /// An IANA time zone.
    public var timezone: String? {
        get { details.timezone }
        set { details.timezone = newValue }
    }

    /// The person who may change the place.
    public var owner: PersonID? {
        get { details.owner }
        set { details.owner = newValue }
    }

    /// The area that belongs to it, such as that to which a store delivers; nil for none.
    public var area: PlaceArea? {
        get { details.area }
        set { details.area = newValue }
    }

    /// Whatever else is known, by its name; empty for nothing.
    public var attributes: [String: AttributeValue] {
        get { details.attributes }
        set { details.attributes = newValue }
    }

    /// The bytes of memory beside itself, but for those of long texts.
    package var bytes: Int { _details.bytes }
}

extension PersonID {
    /// The owner of places whose owner was deleted, an id that no person can have.
    ///
    /// Until a service writes it, such a place stays to others what it was: one that a person owns.
    package static var deleted: PersonID { PersonID(known: "") }
}
