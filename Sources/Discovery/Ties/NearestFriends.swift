public import Geo
public import Model
internal import Structures

/// Somebody whose place is known.
public struct PersonNearby: Sendable {
    /// The person's document.
    public var person: Person
    /// Where the person is, as far as it is shown.
    public var position: Position
    /// Geodesic distance in tenths of a metre.
    public var decimetres: Int64
    /// Direction in whole degrees clockwise from north.
    public var bearing: Int
    /// What whoever asks notes about a friend.
    public var notes: [FriendAttribute: String]
}

/// A person's friends by the distance of their newest positions from the person's own, as far as the person may know them,
/// looked for in parts, between which the picture may change.
///
/// Radius, order, distance and bearing are those of the places that are shown. Friends whose place is not known, or not
/// shown, are in no answer about place.
public struct NearestFriends: SearchInParts {
    /// What looking at a friend costs, and what finding the nearest among those who were looked at, for each of them.
    private static let (stepsOfLooking, stepsOfFinding) = (15, 2)

    private let id: PersonID
    private let query: NearestQuery
    private let filter: FriendFilter
    private let caller: Caller
    private let now: Timestamp
    /// From where distances are measured; nil for the person's own place, until that was looked up.
    private var origin: Coordinate?
    /// Those who are not looked at yet; nil before the first part.
    private var rest: ArraySlice<PersonNumber>?
    private var looked = 0
    private var known: [Neighbour] = []
    private var shown: [PersonNumber: Position] = [:]
    private var found: [(friend: Person, position: Position, notes: [FriendAttribute: String])] = []
    private var next: KeysetPosition?

    /// A list of friends.
    ///
    /// One that began at another place, because the person moved meanwhile, goes on from there: `first` is
    /// that place, or nil for the person's own.
    public init(
        of id: PersonID, _ query: NearestQuery, from first: Coordinate? = nil, passing filter: FriendFilter = .none,
        by caller: Caller, at now: Timestamp
    ) {
        self.id = id
        self.query = query
        self.filter = filter
        self.caller = caller
        self.now = now
        origin = first
    }

    /// What was found, once all parts were looked at; nil before.
    public var page: Page<PersonNearby>? {
        guard let place = origin, rest?.isEmpty ?? false else { return nil }
        let origin = Origin(place)
        let items = found.map { friend, position, notes in
            let course = origin.course(to: position.place)
            return PersonNearby(
                person: friend, position: position, decimetres: course.decimetres, bearing: course.bearing,
                notes: notes)
        }
        return Page(items: items, origin: place, next: next)
    }

    /// - Throws: ``Refusal/unknown(_:_:)``, or ``Refusal/noPosition(_:)`` when the person's own place is not known.
    /// - Complexity: O(`steps`); of the first part and the last O(friends).
    package mutating func look(at picture: borrowing Picture, steps: Int) throws(Refusal) -> Bool {
        guard caller.mayAct(for: id) else { throw .notAllowed }
        guard let number = picture.people.number(of: id) else { throw .unknown(.person, id.any) }
        guard let place = origin ?? picture.people.position(of: number)?.place else { throw .noPosition(id) }
        origin = place
        let left: ArraySlice<PersonNumber>
        if let rest { left = rest } else { left = try picture.friends(of: number, passing: filter)[...] }
        let most = steps / Self.stepsOfLooking
        let part = left.prefix(most)
        rest = left.dropFirst(most)
        Effort.count(part.count * Self.stepsOfLooking)
        looked += part.count
        for friend in part { look(at: friend, of: number, picture) }
        // Among many it is a part of its own.
        guard left.isEmpty || left.count <= most && known.count <= most else { return false }
        find(among: picture, of: number, place)
        return true
    }

    package var course: SearchCourse { SearchCourse([.each], looked: looked) }

    private mutating func look(at friend: PersonNumber, of number: PersonNumber, _ picture: borrowing Picture) {
        let position =
            caller == .service
            ? picture.people.position(of: friend) : picture.shownPlace(of: friend, to: number, at: now)
        guard let position else { return }
        known.append(Neighbour(handle: friend.rawValue, place: position.place))
        shown[friend] = position
    }

    private mutating func find(among picture: borrowing Picture, of number: PersonNumber, _ place: Coordinate) {
        let nearest = Scan.nearest(query, to: place, among: known, ids: picture.people.ids)
        Effort.count(known.count * Self.stepsOfFinding + nearest.count * Self.stepsOfLooking)
        next = nearest.next(after: query, from: place, picture.people.ids)
        for neighbour in nearest {
            let friend = PersonNumber(neighbour.handle)
            guard let record = picture.people.record(of: friend), let position = shown[friend]
            else { continue }
            found.append((record.value, position, picture.people.notes(about: friend, by: number)))
        }
    }
}

extension [Neighbour] {
    /// Where the next page begins, if this one is full.
    func next(after query: NearestQuery, from origin: Coordinate, _ ids: borrowing Identifiers) -> KeysetPosition? {
        guard count == query.limit, let last else { return nil }
        return KeysetPosition(
            micrometres: Geodesic.micrometres(from: origin, to: last.place), id: ids.id(of: last.handle))
    }
}
