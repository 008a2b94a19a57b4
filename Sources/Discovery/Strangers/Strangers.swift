public import Geo
internal import HeapModule
public import Model
internal import Structures

/// Whom a person wants to meet.
public struct StrangerQuery: Sendable {
    /// The id of the person who looks, from whose place distances are measured.
    public var viewer: PersonID
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
    public init(viewer: PersonID, limit: Int) {
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
    public var id: PersonID
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
    /// From where distances are measured; nil before the first part.
    private var origin: Coordinate?
    /// The rings that are left, nearest first; nil before the first part.
    private var rings: [StrangerRing]?
    /// What was found, once all parts were looked at.
    public private(set) var page = StrangerPage(strangers: [])

    /// A list that is asked for at an instant.
    public init(_ query: StrangerQuery, at now: Timestamp) {
        self.query = query
        self.now = now
    }

    /// Looks at the next people, about so many, and at half as many cells: never friends, decided or blocked people, never under
    /// 18, never nearer than a bucket says.
    ///
    /// All of it runs on public cells: who is within the radius, in which bucket, in which order. Within a bucket cells
    /// come by a hash that is keyed with the secret for the viewer and the day, and people in a cell likewise, so that the
    /// order tells nothing of distance.
    ///
    /// - Returns: whether this was the last part.
    /// - Throws: as ``Live/strangers(_:at:)``.
    mutating func look(
        at picture: borrowing Picture, secret: SipKey, atMost most: Int = 1500
    ) throws(Refusal) -> Bool {
        guard let viewer = picture.people.state(of: query.viewer) else { throw .unknown(.person, query.viewer.any) }
        guard let today = CalendarDate(now), viewer.person.isAdult(at: now) else { throw .notAdult(query.viewer) }
        guard let origin = origin ?? query.after?.origin ?? picture.origin(of: viewer, at: now) else {
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
        if !picture.defences.keysOrder { search.origin = origin }
        defer {
            page.strangers += search.found
            scanned += search.scanned
        }
        var rings = rings ?? StrangerRing.all(of: query, picture.defences)
        defer { self.rings = rings }
        var cells = max(1, most / 2)
        while !rings.isEmpty {
            if !rings[0].isComplete {
                guard cells > 0 else { return false }
                cells -= rings[0].gather(atMost: cells, around: origin, search, picture.people)
            } else if let last = search.take(from: &rings[0], picture.people) {
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

extension Picture {
    /// The greatest distances of the buckets that strangers are shown in, in kilometres.
    static let buckets = [1, 2, 5, 10, 25, 50, 100]

    /// The viewer's own whereabouts, as discovery goes by them.
    fileprivate func origin(of viewer: PersonState, at now: Timestamp) -> Coordinate? {
        defences.goesByServerTime ? viewer.viewpoint(at: now) : viewer.whereabouts
    }
}

/// The public cells whose centres lie in a ring around a viewer, found in parts; one that lies on a border belongs to the outer
/// ring.
struct StrangerRing: Sendable {
    /// The greatest distance of the bucket, in kilometres.
    let kilometres: Int
    private var query: NearestQuery
    /// Whether all cells were found.
    private(set) var isComplete = false
    /// Those that were not looked into yet.
    var cells = Heap<Cell>()

    /// A cell in the order in which a viewer is shown cells.
    struct Cell: Comparable, Sendable {
        let hash: UInt64
        let handle: Int32

        static func < (a: Cell, b: Cell) -> Bool { (a.hash, a.handle) < (b.hash, b.handle) }
    }

    /// The rings that a page is about, nearest first.
    static func all(of query: StrangerQuery, _ defences: Defences) -> [StrangerRing] {
        let buckets = defences.buckets ? Picture.buckets : Array(1...100)
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

    /// Finds the next cells, at most so many.
    ///
    /// - Returns: how many it looked at.
    mutating func gather(
        atMost most: Int, around origin: Coordinate, _ search: StrangerSearch, _ people: borrowing People
    ) -> Int {
        let ids = people.cells.ids
        query.limit = most
        query.filter = search.filter
        let answer = people.cells.grid.nearest(query, to: origin, ids: ids)
        Effort.count(answer.steps + answer.neighbours.count * 10)
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
