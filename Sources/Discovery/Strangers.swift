public import Geo
public import Storage

/// Whom a person wants to meet.
public struct StrangerQuery: Sendable {
    /// The id of the person who looks, from whose place distances are measured.
    public var viewer: EntityID
    /// The greatest distance of a stranger's public cell, in metres; never more than ``farthest``.
    public var within = Self.farthest
    /// Age in whole years, as ``CalendarDate/ageTold(on:)`` counts it.
    public var ages: ClosedRange<Int>?
    /// Empty for any.
    public var sexes: Set<Sex> = []
    /// Empty for any.
    public var relationships: Set<Relationship> = []
    /// How many strangers are wanted at most, 1 or more.
    public var limit: Int
    /// How many people a page looks at before it ends early, with a position to go on from.
    public var maxScan = Int.max
    /// Only strangers after this position, in the order of its day and origin; nil begins anew.
    public var after: StrangerPosition?

    /// A query for anybody within ``farthest``.
    public init(viewer: EntityID, limit: Int) {
        self.viewer = viewer
        self.limit = limit
    }

    /// Beyond 100 km nobody is shown.
    public static let farthest = 100_000.0
    /// Strangers are found, and find, from this age on.
    public static let adulthood = 18
}

/// A stranger as far as others may know.
public struct Stranger: Sendable {
    /// The id by which the viewer decides about the stranger.
    public var id: EntityID
    /// The given name; nil if not given.
    public var name: String?
    /// The city as the stranger wrote it; nil if not given.
    public var city: String?
    /// The stranger is nearer than this many kilometres.
    public var kilometres: Int
    /// What only people see who can be found themselves.
    public var profile: Profile?
    /// How long ago the stranger was known to be at the newest position; nil from seven days on, or if there is none.
    public var seen: Seen?

    /// What a stranger shows to people who can be found themselves.
    public struct Profile: Sendable {
        /// An address (URL) of a picture; nil if not given.
        public var photo: String?
        /// In whole years, as ``CalendarDate/ageTold(on:)`` counts them.
        public var age: Int
        /// What the stranger gives as sex; nil for nothing.
        public var sex: Sex?
        /// What the stranger gives as relationship status; nil for nothing.
        public var relationship: Relationship?
        /// What strangers say about themselves, in free text; nil for nothing.
        public var about: String?
    }

    /// How long ago the quarter of an hour began in which a stranger was last known to be at a position, coarsely.
    public enum Seen: String, Sendable {
        /// Less than an hour ago.
        case now
        /// Less than 24 hours ago.
        case today
        /// Less than 7 days ago.
        case thisWeek = "this week"
    }
}

/// A position in the order in which one viewer is shown strangers on one day, seen from one place.
public struct StrangerPosition: Hashable, Sendable {
    /// Where the viewer was when the first page was asked for.
    public var origin: Coordinate
    /// When the first page was asked for; its day keys the order.
    public var begun: Timestamp
    /// The bucket of the last stranger that was shown, by its greatest distance.
    public var kilometres: Int
    /// The keyed hash of that stranger's public cell.
    public var cellHash: UInt64
    /// The keyed hash of that stranger's number, or the greatest there is for the end of the cell.
    public var personHash: UInt64

    /// The position of a stranger in a bucket.
    public init(origin: Coordinate, begun: Timestamp, kilometres: Int, cellHash: UInt64, personHash: UInt64) {
        self.origin = origin
        self.begun = begun
        self.kilometres = kilometres
        self.cellHash = cellHash
        self.personHash = personHash
    }

    static let wholeCell = UInt64.max

    func isBefore(cell hash: UInt64) -> Bool {
        personHash == Self.wholeCell ? hash > cellHash : hash >= cellHash
    }
}

/// The strangers found, and where to go on.
public struct StrangerPage: Sendable {
    /// The strangers in the order in which they are shown; empty when nobody is left.
    public var strangers: [Stranger]
    /// Nil when there are no more.
    public var next: StrangerPosition?
}

/// Strangers around a person, looked for in parts, between which the picture may change.
public struct StrangerListing: Sendable {
    private let query: StrangerQuery
    private let now: Timestamp
    private var scanned = 0
    /// What was found, once all parts were looked at.
    public private(set) var page = StrangerPage(strangers: [])

    /// A list that is asked for at an instant.
    public init(_ query: StrangerQuery, at now: Timestamp) {
        self.query = query
        self.now = now
    }

    /// Looks at the next people, about so many.
    ///
    /// - Returns: whether this was the last part.
    /// - Throws: as ``Live/strangers(_:at:)``.
    mutating func look(
        at picture: borrowing Picture, secret: SipKey, atMost most: Int = 1500
    ) throws(Refusal) -> Bool {
        var part = query
        part.after = page.next ?? query.after
        part.limit -= page.strangers.count
        part.maxScan = min(most, query.maxScan - scanned)
        let found = try picture.strangers(part, at: now, secret: secret)
        scanned += part.maxScan
        page.strangers += found.strangers
        page.next = found.next
        return found.next == nil || page.strangers.count == query.limit || scanned >= query.maxScan
    }
}

extension Picture {
    /// The greatest distances of the buckets that strangers are shown in, in kilometres.
    static let buckets = [1, 2, 5, 10, 25, 50, 100]

    /// Strangers around a person: never friends, decided or blocked people, never under 18, never nearer than a bucket says.
    ///
    /// All of it runs on public cells: who is within the radius, in which bucket, in which order. Within a bucket cells
    /// come by a hash that is keyed with the secret for the viewer and the day, and people in a cell likewise, so that the
    /// order tells nothing of distance.
    ///
    /// - Throws: ``Refusal``: the viewer is unknown, has no place, or is not known to be an adult.
    func strangers(_ query: StrangerQuery, at now: Timestamp, secret: SipKey) throws(Refusal) -> StrangerPage {
        guard let viewer = crowd.state(of: query.viewer) else { throw .unknown(.person, query.viewer) }
        guard let today = CalendarDate(now), viewer.person.isAdult(at: now) else { throw .notAdult(query.viewer) }
        guard let origin = query.after?.origin ?? origin(of: viewer, at: now) else {
            throw .noPosition(query.viewer)
        }
        let begun = query.after?.begun ?? now
        let day = CalendarDate(begun)?.daysSinceEpoch ?? 0
        let order = secret.derived(for: "\(day) \(query.viewer)")
        var search = StrangerSearch(query, by: viewer, today, now, order)
        if !defences.keysOrder { search.origin = origin }
        var inner = 0.0
        for bucket in defences.buckets ? Self.buckets : Array(1...100) {
            let outer = Double(bucket) * 1000
            defer { inner = outer }
            if inner > query.within || bucket < query.after?.kilometres ?? 0 { continue }
            let cells = cells(from: inner, below: outer, of: origin, query, search.filter)
            if let last = search.take(from: cells, bucket, crowd) {
                let next = StrangerPosition(
                    origin: origin, begun: begun, kilometres: bucket, cellHash: last.cell, personHash: last.person)
                return StrangerPage(strangers: search.found, next: next)
            }
        }
        return StrangerPage(strangers: search.found)
    }

    /// The viewer's own whereabouts, as discovery goes by them.
    private func origin(of viewer: PersonState, at now: Timestamp) -> Coordinate? {
        defences.goesByServerTime ? viewer.viewpoint(at: now) : viewer.whereabouts
    }

    /// The handles of the public cells whose centres lie in a ring; one that lies on a border belongs to the outer ring.
    private func cells(
        from inner: Double, below outer: Double, of origin: Coordinate, _ query: StrangerQuery,
        _ filter: SignatureFilter
    ) -> [Int32] {
        var ring = NearestQuery(limit: .max)
        ring.beyond = inner
        ring.within = min(outer, query.within)
        ring.filter = filter
        let answer = crowd.cells.grid.nearest(ring, to: origin, ids: crowd.cells.ids)
        Effort.count(answer.neighbours.count * 10)
        return answer.neighbours.filter { Geodesic.isCloser(origin, $0.place, than: outer) }.map(\.handle)
    }
}

extension Person {
    /// Whether the person is known to be old enough to look for strangers.
    func isAdult(at now: Timestamp) -> Bool {
        guard let born, let today = CalendarDate(now) else { return false }
        return born.age(on: today) >= StrangerQuery.adulthood
    }

    /// Whether others may know that the person is old enough, as they may soon after the birthday.
    func isToldAdult(at now: Timestamp) -> Bool {
        guard let born, let today = CalendarDate(now) else { return false }
        return born.ageTold(on: today) >= StrangerQuery.adulthood
    }
}

extension Stranger.Seen {
    /// Nil for more than a week.
    init?(_ age: Duration) {
        if age < .seconds(3600) {
            self = .now
        } else if age < .seconds(86_400) {
            self = .today
        } else if age < .seconds(7 * 86_400) {
            self = .thisWeek
        } else {
            return nil
        }
    }
}
