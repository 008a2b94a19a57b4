public import Geo
public import Model
internal import Structures

/// A person with a visible position.
public struct PersonNearby: Sendable {
    /// The person's document.
    public var person: Person
    /// The person's position, as precise as it may be shown.
    public var position: Position
    /// Geodesic distance in tenths of a meter.
    public var decimetres: Int64
    /// Direction in whole degrees clockwise from north.
    public var bearing: Int
    /// The caller's notes about a friend.
    public var notes: [FriendAttribute: String]
}

/// A search for a person's nearest friends by their visible newest positions.
///
/// It runs in parts, between which the state may change. Radius, order, distance and bearing refer to the positions as
/// shown. Friends without a visible position are omitted.
public struct NearestFriends: SearchInParts {
    /// The work units of examining a friend, and of ranking each friend examined.
    private static let (stepsOfLooking, stepsOfFinding) = (15, 2)

    private let id: PersonID
    private let query: NearestQuery
    private let filter: FriendFilter
    private let caller: Caller
    private let now: Timestamp
    /// The search origin; nil for the person's own position, until it is read.
    private var origin: Coordinate?
    /// The friends not yet examined; nil before the first part.
    private var rest: ArraySlice<PersonNumber>?
    private var looked = 0
    private var known: [Neighbour] = []
    private var shown: [PersonNumber: Position] = [:]
    private var found: [(friend: Person, position: Position, notes: [FriendAttribute: String])] = []
    private var next: KeysetPosition?

    /// A search for friends.
    ///
    /// Later pages keep the origin of the first even if the person moved in between: `first` is that origin, or nil for
    /// the person's own position.
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

    /// The result, once all parts are done; nil before.
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

    /// - Throws: ``Refusal/unknown(_:_:)``, or ``Refusal/noPosition(_:)`` if the person has no position.
    /// - Complexity: O(`steps`); of the first part and the last O(friends).
    package mutating func look(at state: borrowing LiveState, steps: Int) throws(Refusal) -> Bool {
        guard caller.mayAct(for: id) else { throw .notAllowed }
        guard let number = state.people.number(of: id) else { throw .unknown(.person, id.any) }
        guard let place = origin ?? state.people.position(of: number)?.place else { throw .noPosition(id) }
        origin = place
        let left: ArraySlice<PersonNumber>
        if let rest { left = rest } else { left = try state.friends(of: number, passing: filter)[...] }
        let most = steps / Self.stepsOfLooking
        let part = left.prefix(most)
        rest = left.dropFirst(most)
        WorkBudget.count(part.count * Self.stepsOfLooking)
        looked += part.count
        for friend in part { look(at: friend, of: number, state) }
        // With many friends the ranking is a part of its own.
        guard left.isEmpty || left.count <= most && known.count <= most else { return false }
        find(among: state, of: number, place)
        return true
    }

    package var course: QueryTrace { QueryTrace([.each], looked: looked) }

    private mutating func look(at friend: PersonNumber, of number: PersonNumber, _ state: borrowing LiveState) {
        let position =
            caller == .service
            ? state.people.position(of: friend) : state.shownPlace(of: friend, to: number, at: now)
        guard let position else { return }
        known.append(Neighbour(handle: friend.rawValue, place: position.place))
        shown[friend] = position
    }

    private mutating func find(among state: borrowing LiveState, of number: PersonNumber, _ place: Coordinate) {
        let nearest = Scan.nearest(query, to: place, among: known, ids: state.people.ids)
        WorkBudget.count(known.count * Self.stepsOfFinding + nearest.count * Self.stepsOfLooking)
        next = nearest.next(after: query, from: place, state.people.ids)
        for neighbour in nearest {
            let friend = PersonNumber(neighbour.handle)
            guard let record = state.people.record(of: friend), let position = shown[friend]
            else { continue }
            found.append((record.value, position, state.people.notes(about: friend, by: number)))
        }
    }
}

extension [Neighbour] {
    /// The position of the next page, if this one is full.
    func next(after query: NearestQuery, from origin: Coordinate, _ ids: borrowing Identifiers) -> KeysetPosition? {
        guard count == query.limit, let last else { return nil }
        return KeysetPosition(
            micrometres: Geodesic.micrometres(from: origin, to: last.place), id: ids.id(of: last.handle))
    }
}
