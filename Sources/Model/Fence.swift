public import Geo

/// The id of a fence, unique among fences.
public typealias FenceID = ID<Fence>
/// The number of a fence.
public typealias FenceNumber = Number<Fence>

/// An area, and who is watched as they come into it, leave it or stay there.
public struct Fence: Codable, Hashable, Sendable {
    /// Where it is.
    public enum Area: Codable, Hashable, Sendable {
        /// All places within so many meters of one.
        case circle(Coordinate, metres: Double)
        /// GeoJSON's polygons, whose edges are straight in longitude and latitude.
        case polygons([Polygon])
        /// All places within so many meters of a line of geodesics.
        case corridor([Coordinate], metres: Double)
        /// The area of a place, as it is when somebody is judged; none while ``mayFollow(_:)`` is false of the place.
        case place(PlaceID)
        /// The areas of all places of a kind that no person owns together, whatever its capitals and accents, as they are when
        /// somebody is judged.
        case places(kind: String)
        /// All places within so many meters of a person, wherever that is: it tells who comes near.
        case person(PersonID, metres: Double)
        /// Anywhere: of somebody of whom nothing is heard.
        case anywhere
    }

    /// Who is watched.
    public enum Watched: Codable, Hashable, Sendable {
        case everybody
        case people([PersonID])
        case group(GroupID)
        /// Whoever has, when they are judged, all of some attributes, each with one of its values.
        case attributes([String: [String]])
        /// The friends of the person whom they may come near.
        case friends
    }

    /// What is told of.
    public enum Passage: String, Codable, CaseIterable, Hashable, Sendable { case enter, exit, dwell, silent }

    /// The id, unique among fences.
    public var id: FenceID
    /// Whose it is; nil for a service's.
    public var owner: PersonID?
    /// Where it is.
    public var area: Area
    /// Who is watched.
    public var watched: Watched
    /// What is told of, in the order of ``Passage``.
    public var passages: [Passage] = [.enter, .exit]
    /// After how long inside somebody is said to stay; nil unless ``passages`` has ``Passage/dwell``.
    public var dwell: Duration?
    /// After how long of silence it is told; not nil if, and only if, ``passages`` has nothing but ``Passage/silent``.
    public var silence: Duration?
    /// How far outside somebody has left, in meters; nil for as far as the position may be wrong, of a person 50.
    public var margin: Double?
    /// When it is told of; nil for always.
    public var timetable: ZonedHours?
    /// Until when it is told of; nil for always.
    public var ends: Timestamp?
    /// Whether it is deleted after the first event.
    public var isOnce = false
    /// What is told with its events.
    public var note: String?

    /// A fence that tells of coming and leaving.
    public init(id: FenceID, _ area: Area, watching watched: Watched) {
        (self.id, self.area, self.watched) = (id, area, watched)
    }

    /// Whether it may go by the area of a place: of one that no person owns, or of any if it watches its own owner alone.
    ///
    /// Else the owner of the place would decide where others are watched, who agreed to another area.
    public func mayFollow(_ place: Place) -> Bool {
        place.owner == nil || owner.map { watched == .people([$0]) } ?? false
    }
}

/// A fence as its row has it: an area of its own lies beside the document, since JSON takes longer to write.
public struct FenceColumns: Sendable {
    /// The fence in JSON, but for the area that lies beside it.
    public let document: String
    /// The area as well-known binary, and how far around it that reaches in meters; nil for one that is that of others, or nowhere.
    public let area: (geometry: [UInt8], within: Double?)?

    /// What was worked out of a fence.
    public init(document: String, area: (geometry: [UInt8], within: Double?)?) {
        (self.document, self.area) = (document, area)
    }
}

/// A change of fences and of who is inside.
public enum FenceChange: Sendable {
    /// A fence was made or changed; with its area if that is known to be new, and with what its row holds, if that was
    /// worked out before.
    case put(Versioned<Fence>, CoveredArea? = nil, FenceColumns? = nil)
    /// A fence is gone, with all visits.
    case deleted(FenceNumber)
    /// A person is inside.
    case visited(FenceNumber, PersonNumber, FenceVisit)
    /// A person is inside no more.
    case left(FenceNumber, PersonNumber)
    /// A person came or left, or has stayed.
    case passed(FencePassing)
    /// A friend who has a fence about a person asks, or the person answered.
    case watched(FenceNumber, PersonNumber, FenceWatch)
    /// A person is told that a friend asks who has a fence about them.
    case asked(FenceNumber, PersonNumber)
    /// A fence is about a person no more, whose friend has it.
    case unwatched(FenceNumber, PersonNumber)
    /// Until when a fence waits to hear of a person, nil for no more; only the live picture follows it.
    case awaited(FenceNumber, PersonNumber, until: Timestamp?)
}

/// How a person stands to a fence that a friend has about them.
public struct FenceWatch: Codable, Hashable, Sendable {
    /// What the person answered.
    public enum State: String, Codable, Sendable { case asked, accepted, ended }

    /// What the person answered.
    public var state = State.asked
    /// When the friend asked.
    public let asked: Timestamp
    /// When the person answered; nil for not yet.
    public var answered: Timestamp?

    /// A friend asked at an instant.
    public init(asked: Timestamp) { self.asked = asked }
}

/// A stay in a fence.
public struct FenceVisit: Codable, Hashable, Sendable {
    /// Since when, as far as the fixes tell.
    public var since: Timestamp
    /// Whether it was told that the person stays.
    public var isDwelling = false

    /// A stay since an instant.
    public init(since: Timestamp) { self.since = since }
}

/// What is told of a person and a fence.
public struct FencePassing: Hashable, Sendable {
    /// The fence.
    public let fence: FenceNumber
    /// The person.
    public let person: PersonNumber
    /// What happened.
    public let passage: Fence.Passage
    /// When, by the fixes.
    public let time: Timestamp
    /// Whether the person went through between two fixes.
    public let isThrough: Bool
    /// How exactly the friend whose fence it is was shown where the person was; nil for a fence of a service or of the person.
    public var precision: Precision?

    /// A passage of a person.
    public init(
        _ fence: FenceNumber, _ person: PersonNumber, _ passage: Fence.Passage, at time: Timestamp,
        isThrough: Bool = false
    ) {
        (self.fence, self.person, self.passage, self.time, self.isThrough) = (fence, person, passage, time, isThrough)
    }
}
