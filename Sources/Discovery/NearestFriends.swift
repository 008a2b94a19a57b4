public import Geo
public import Storage

/// A friend whose place is known.
public struct FriendNearby: Sendable {
    /// The friend's document.
    public var friend: Person
    /// Where the friend is, as far as it is shown.
    public var position: Position
    /// Geodesic distance in tenths of a metre.
    public var decimetres: Int64
    /// Direction in whole degrees clockwise from north.
    public var bearing: Int
}

/// Part of a list, and where the rest begins.
public struct Page<Item: Sendable>: Sendable {
    /// The items of this part, in the order of the whole; empty when nothing is left.
    public var items: [Item]
    /// The place from which the whole is in order.
    public var origin: Coordinate
    /// The position to go on after; nil at the end.
    public var next: KeysetPosition?
    /// Whether the search was cut off because it had looked at as much as one search may, or a list without a next page has
    /// more.
    public var isTruncated = false
}

extension Picture {
    /// A person's friends by the distance of their newest positions, as far as the person may know them, from the person's
    /// own.
    ///
    /// Radius, order, distance and bearing are those of the places that are shown. Friends whose place is not known, or not
    /// shown, are in no answer about place. A list that began at another place, because the
    /// person moved meanwhile, goes on from there: `first` is that place, or nil for the person's own.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``, or ``Refusal/noPosition(_:)`` when the person's own place is not known.
    /// - Complexity: O(friends).
    public func nearestFriends(
        of id: EntityID, _ query: NearestQuery, from first: Coordinate? = nil, passing filter: FriendFilter = .none,
        by caller: Caller, at now: Timestamp
    ) throws(Refusal) -> Page<FriendNearby> {
        guard caller.mayAct(for: id) else { throw .notAllowed }
        guard let number = crowd.number(of: id) else { throw .unknown(.person, id) }
        guard let place = first ?? crowd.last(of: number)?.place else { throw .noPosition(id) }
        var known: [Neighbour] = []
        var shown: [Int32: Position] = [:]
        for friend in try friends(of: number, passing: filter) {
            let position =
                caller == .service
                ? crowd.last(of: friend).map(Position.init) : shownPlace(of: friend, to: number, at: now)
            guard let position else { continue }
            known.append(Neighbour(handle: friend, place: position.place))
            shown[friend] = position
        }
        let nearest = Scan.nearest(query, to: place, among: known, ids: crowd.ids)
        let origin = Origin(place)
        let items = nearest.compactMap { neighbour -> FriendNearby? in
            guard let record = crowd.record(of: neighbour.handle), let position = shown[neighbour.handle] else {
                return nil
            }
            return FriendNearby(
                friend: record.value.value, position: position, decimetres: origin.decimetres(to: position.place),
                bearing: origin.bearing(to: position.place))
        }
        return Page(items: items, origin: place, next: nearest.next(after: query, from: place, crowd.ids))
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
