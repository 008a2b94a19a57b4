public import Geo
internal import HeapModule
public import Model
internal import Structures

/// A search for strangers.
public struct StrangerQuery: Sendable {
    /// The searching person, from whose place distances are measured.
    public var viewer: PersonID
    /// The maximum distance of a stranger's public cell, in meters; at most ``farthest``.
    public var within = Self.farthest
    /// Age in whole years, as ``CalendarDate/shownAge(on:)`` counts it.
    public var ages: ClosedRange<Int>?
    /// Empty for any.
    public var sexes: Set<Sex> = []
    /// Empty for any.
    public var relationships: Set<Relationship> = []
    /// The maximum number of strangers, at least 1.
    public var limit: Int
    /// The maximum number of people examined for a page, which then ends early with a position to continue from.
    public var maxScan = Int.max
    /// Only strangers after this position, in the order of its day and origin; nil starts over.
    public var after: StrangerPosition?

    /// A query for all strangers within ``farthest``.
    public init(viewer: PersonID, limit: Int) {
        self.viewer = viewer
        self.limit = limit
    }

    /// The maximum search radius, in meters.
    public static let farthest = 100_000.0
    /// The minimum age for finding strangers and for being found.
    public static let adulthood = 18
}

/// A stranger as shown to others.
public struct Stranger: Sendable {
    /// The id for decisions about the stranger.
    public var id: PersonID
    /// The given name; nil if not given.
    public var name: String?
    /// The city as the stranger entered it; nil if not given.
    public var city: String?
    /// The exclusive upper bound of the distance, in kilometers.
    public var kilometres: Int
    /// The part shown only to people who can be found themselves.
    public var profile: Profile?
    /// The time since the newest position; nil from seven days on, or without one.
    public var seen: Seen?

    /// The part of a stranger's document shown to people who can be found themselves.
    public struct Profile: Sendable {
        /// The URL of a photo; nil if not given.
        public var photo: String?
        /// The age in whole years, as ``CalendarDate/shownAge(on:)`` counts it.
        public var age: Int
        /// The sex; nil if not given.
        public var sex: Sex?
        /// The relationship status; nil if not given.
        public var relationship: Relationship?
        /// A self-description in free text; nil if not given.
        public var about: String?
    }

    /// The time since the quarter hour began in which a stranger was last known to be at a position, in coarse steps.
    public enum Seen: String, Sendable {
        /// Less than an hour ago.
        case now
        /// Less than 24 hours ago.
        case today
        /// Less than 7 days ago.
        case thisWeek = "this week"
    }
}

/// A keyset position in a viewer's order of strangers for one day and origin.
public struct StrangerPosition: Hashable, Sendable {
    /// The origin of the first page.
    public var origin: Coordinate
    /// The time of the first page, whose day keys the order.
    public var begun: Timestamp
    /// The bucket of the last stranger shown, as its upper bound.
    public var kilometres: Int
    /// The keyed hash of that stranger's public cell.
    public var cellHash: UInt64
    /// The keyed hash of that stranger's number, or the maximum for the end of the cell.
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

/// A page of strangers.
public struct StrangerPage: Sendable {
    /// The strangers in the order shown; empty if none is left.
    public var strangers: [Stranger]
    /// The position of the next page; nil at the end.
    public var next: StrangerPosition?
}

/// A search for strangers around a person, in parts between which the state may change.
public struct StrangerListing: Sendable {
    private let query: StrangerQuery
    private let now: Timestamp
    private var scanned = 0
    /// The origin of distances; nil before the first part.
    private var origin: Coordinate?
    /// The remaining rings, nearest first; nil before the first part.
    private var rings: [StrangerRing]?
    /// The result, once all parts are done.
    public private(set) var page = StrangerPage(strangers: [])

    /// A search at an instant.
    public init(_ query: StrangerQuery, at now: Timestamp) {
        self.query = query
        self.now = now
    }

    /// Examines about `most` more people and half as many cells.
    ///
    /// Friends, decided, blocked and under-age people are never shown, nor any person nearer than their bucket says.
    /// Radius, bucket and order depend only on public cells. The cells of a bucket, and the people of a cell, are
    /// ordered by a hash keyed with the secret for the viewer and the day, so that the order reveals nothing about
    /// distance.
    ///
    /// - Returns: whether this was the last part.
    /// - Throws: as ``Engine/strangers(_:at:)``.
    mutating func look(
        at state: borrowing LiveState, secret: SipKey, atMost most: Int = 1500
    ) throws(Refusal) -> Bool {
        guard let viewer = state.people.state(of: query.viewer) else { throw .unknown(.person, query.viewer.any) }
        guard let today = CalendarDate(now), viewer.person.isAdult(at: now) else { throw .notAdult(query.viewer) }
        guard let origin = origin ?? query.after?.origin ?? state.origin(of: viewer, at: now) else {
            throw .noPosition(query.viewer)
        }
        self.origin = origin
        let begun = query.after?.begun ?? now
        let day = CalendarDate(begun)?.daysSinceEpoch ?? 0
        var part = query
        part.after = page.next ?? query.after
        part.limit -= page.strangers.count
        part.maxScan = min(most, query.maxScan - scanned)
        var search = StrangerSearch(part, by: viewer, today, now, secret.derived(for: "\(day) \(query.viewer)"))
        if !state.defences.shufflesByViewer { search.origin = origin }
        defer {
            page.strangers += search.found
            scanned += search.scanned
        }
        var rings = rings ?? StrangerRing.all(of: query, state.defences)
        defer { self.rings = rings }
        var cells = max(1, most / 2)
        while !rings.isEmpty {
            if !rings[0].isComplete {
                guard cells > 0 else { return false }
                cells -= rings[0].gather(atMost: cells, around: origin, search, state.people)
            } else if let last = search.take(from: &rings[0], state.people) {
                page.next = StrangerPosition(
                    origin: origin, begun: begun, kilometres: rings[0].kilometres, cellHash: last.cell,
                    personHash: last.person)
                return search.found.count == part.limit || scanned + search.scanned >= query.maxScan
            } else {
                rings.removeFirst()
            }
        }
        page.next = nil
        return true
    }
}

extension LiveState {
    /// The upper bounds of the distance buckets, in kilometers.
    static let buckets = [1, 2, 5, 10, 25, 50, 100]

    /// The viewer's origin of distances.
    fileprivate func origin(of viewer: PersonState, at now: Timestamp) -> Coordinate? {
        defences.movesOriginByServerClock ? viewer.searchOrigin(at: now) : viewer.whereabouts
    }
}

/// The public cells with centers in a ring around a viewer, found in parts; a border belongs to the outer ring.
struct StrangerRing: Sendable {
    /// The bucket's upper bound, in kilometers.
    let kilometres: Int
    private var query: NearestQuery
    /// Whether all cells were found.
    private(set) var isComplete = false
    /// The cells not yet examined.
    var cells = Heap<Cell>()

    /// A cell in a viewer's order of cells.
    struct Cell: Comparable, Sendable {
        let hash: UInt64
        let handle: Int32

        static func < (a: Cell, b: Cell) -> Bool { (a.hash, a.handle) < (b.hash, b.handle) }
    }

    /// The rings of a page, nearest first.
    static func all(of query: StrangerQuery, _ defences: Defences) -> [StrangerRing] {
        let buckets = defences.buckets ? LiveState.buckets : Array(1...100)
        return zip([0] + buckets, buckets)
            .filter { Double($0 * 1000) <= query.within && $1 >= query.after?.kilometres ?? 0 }
            .map { inner, outer in
                var ring = NearestQuery(limit: 1)
                ring.beyond = Double(inner * 1000)
                ring.within = min(Double(outer * 1000), query.within)
                return StrangerRing(kilometres: outer, query: ring)
            }
    }

    private init(kilometres: Int, query: NearestQuery) {
        self.kilometres = kilometres
        self.query = query
    }

    /// Finds up to `most` more cells.
    ///
    /// - Returns: the number of cells examined.
    mutating func gather(
        atMost most: Int, around origin: Coordinate, _ search: StrangerSearch, _ people: borrowing People
    ) -> Int {
        let ids = people.cells.ids
        query.limit = most
        query.filter = search.filter
        let answer = people.cells.grid.nearest(query, to: origin, ids: ids)
        WorkBudget.count(answer.steps + answer.neighbours.count * 10)
        for neighbour in answer.neighbours
        where Geodesic.isCloser(origin, neighbour.place, than: Double(kilometres) * 1000) {
            let cell = Cell(hash: search.hash(people.cells.cell(neighbour.handle)), handle: neighbour.handle)
            if search.start(in: kilometres)?.isBefore(cell: cell.hash) ?? true { cells.insert(cell) }
        }
        isComplete = answer.neighbours.count < most
        query.after = answer.neighbours.last.map { last in
            KeysetPosition(micrometres: Geodesic.micrometres(from: origin, to: last.place), id: ids.id(of: last.handle))
        }
        return answer.neighbours.count
    }
}

extension Person {
    /// Whether the person is known to be old enough for discovery.
    func isAdult(at now: Timestamp) -> Bool {
        guard let born, let today = CalendarDate(now) else { return false }
        return born.age(on: today) >= StrangerQuery.adulthood
    }

    /// Whether the age shown to others is adult; it counts a birthday from the next quarter of the year.
    func isShownAdult(at now: Timestamp) -> Bool {
        guard let born, let today = CalendarDate(now) else { return false }
        return born.shownAge(on: today) >= StrangerQuery.adulthood
    }
}

extension Stranger.Seen {
    /// nil for a week or more.
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
