public import Geo

/// The id of a fence, unique among fences.
public typealias FenceID = ID<Fence>
/// The number of a fence.
public typealias FenceNumber = Number<Fence>

/// A geofence: an area and the people for whom entries, exits and stays are reported.
public struct Fence: Codable, Hashable, Sendable {
    /// The area of a fence.
    public enum Area: Codable, Hashable, Sendable {
        /// A circle with a radius in meters.
        case circle(Coordinate, metres: Double)
        /// GeoJSON polygons, whose edges are straight in longitude and latitude.
        case polygons([Polygon])
        /// All places within a distance, in meters, of a line of geodesics.
        case corridor([Coordinate], metres: Double)
        /// The current area of a place; none while ``mayFollow(_:)`` is false for the place.
        case place(PlaceID)
        /// The current areas of all places of a kind without an owner, ignoring case and accents.
        case places(kind: String)
        /// A moving circle around a person, with a radius in meters, which reports who comes near.
        case person(PersonID, metres: Double)
        /// The whole Earth: the area of a fence that reports lost contact.
        case anywhere
    }

    /// The people for whom the fence is evaluated.
    public enum Watched: Codable, Hashable, Sendable {
        case everybody
        case people([PersonID])
        case group(GroupID)
        /// The people who have, at the time of evaluation, all of these attributes, each with one of its values.
        case attributes([String: [String]])
        /// The friends of the person at the center.
        case friends
    }

    /// The kinds of transitions that are reported.
    public enum Passage: String, Codable, CaseIterable, Hashable, Sendable { case enter, exit, dwell, silent }

    /// The id, unique among fences.
    public var id: FenceID
    /// The owner of the fence; nil for a service.
    public var owner: PersonID?
    /// The area.
    public var area: Area
    /// The people for whom the fence is evaluated.
    public var watched: Watched
    /// The reported transitions, in the order of ``Passage``.
    public var passages: [Passage] = [.enter, .exit]
    /// The time inside after which a stay is reported; nil unless ``passages`` has ``Passage/dwell``.
    public var dwell: Duration?
    /// The time without contact after which silence is reported; not nil if and only if ``passages`` is exactly
    /// ``Passage/silent``.
    public var silence: Duration?
    /// The distance outside, in meters, that counts as an exit; nil for the accuracy of the position, or 50 around a
    /// person.
    public var margin: Double?
    /// The number of fixes in a row inside that are an entry, each within an hour of the one before; nil for one.
    public var confirm: Int?
    /// When transitions are reported; nil for always.
    public var timetable: ZonedHours?
    /// When the fence expires; nil for never.
    public var ends: Timestamp?
    /// Whether it is deleted after its first event.
    public var isOnce = false
    /// The note that its events contain.
    public var note: String?

    /// Creates a fence that reports entries and exits.
    public init(id: FenceID, _ area: Area, watching watched: Watched) {
        (self.id, self.area, self.watched) = (id, area, watched)
    }

    /// Whether it may use the area of a place: a place without an owner, or any place if the fence watches only its own
    /// owner.
    ///
    /// Otherwise the owner of the place could move the area for people who agreed to another one.
    public func mayFollow(_ place: Place) -> Bool {
        place.owner == nil || owner.map { watched == .people([$0]) } ?? false
    }
}

/// A fence as database columns: an area of its own is beside the document, because JSON is slower to write.
public struct FenceColumns: Sendable {
    /// The fence in JSON, without the area in the other column.
    public let document: String
    /// The area as well-known binary and its buffer in meters; nil for an area derived from others, or nowhere.
    public let area: (geometry: [UInt8], within: Double?)?

    /// Creates the columns of a fence.
    public init(document: String, area: (geometry: [UInt8], within: Double?)?) {
        (self.document, self.area) = (document, area)
    }
}

/// A change of fences and of the people inside.
public enum FenceChange: Sendable {
    /// A fence was created or changed; with its area if that is new, and with its columns if they were computed before.
    case put(Versioned<Fence>, CoveredArea? = nil, FenceColumns? = nil)
    /// A fence was deleted, with all visits.
    case deleted(FenceNumber)
    /// A person is inside.
    case visited(FenceNumber, PersonNumber, FenceVisit)
    /// A person is not inside any longer.
    case left(FenceNumber, PersonNumber)
    /// A person entered, left or has stayed.
    case passed(FenceTransition)
    /// A friend asked for consent to a fence for a person, or the person answered.
    case watched(FenceNumber, PersonNumber, FenceWatch)
    /// A person was notified of the friend's request for consent to a fence.
    case asked(FenceNumber, PersonNumber)
    /// A friend's fence no longer watches a person.
    case watchEnded(FenceNumber, PersonNumber)
    /// The deadline for contact with a person, nil for none; applied only by the live state.
    case alertDue(FenceNumber, PersonNumber, until: Timestamp?)
}

/// The consent of a person to a friend's fence.
public struct FenceWatch: Codable, Hashable, Sendable {
    /// The answer of the person.
    public enum State: String, Codable, Sendable { case asked, accepted, ended }

    /// The state of the consent.
    public var state = State.asked
    /// When the friend asked.
    public let asked: Timestamp
    /// When the person answered; nil if they have not.
    public var answered: Timestamp?

    /// Creates a request made at an instant.
    public init(asked: Timestamp) { self.asked = asked }
}

/// A visit of a fence.
public struct FenceVisit: Codable, Hashable, Sendable {
    /// The start of the visit, by the fixes.
    public var since: Timestamp
    /// Whether the stay was reported.
    public var isDwelling = false

    /// Creates a visit that started at an instant.
    public init(since: Timestamp) { self.since = since }
}

/// A transition of a person at a fence.
public struct FenceTransition: Hashable, Sendable {
    /// The fence.
    public let fence: FenceNumber
    /// The person.
    public let person: PersonNumber
    /// The kind of transition.
    public let passage: Fence.Passage
    /// The time, by the fixes.
    public let time: Timestamp
    /// Whether the person passed through between two fixes.
    public let isThrough: Bool
    /// The precision with which the friend who owns the fence saw the person's location; nil for a fence of a service
    /// or of the person.
    public var precision: Precision?

    /// Creates a transition.
    public init(
        _ fence: FenceNumber, _ person: PersonNumber, _ passage: Fence.Passage, at time: Timestamp,
        isThrough: Bool = false
    ) {
        (self.fence, self.person, self.passage, self.time, self.isThrough) = (fence, person, passage, time, isThrough)
    }
}
