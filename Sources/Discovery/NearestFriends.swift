public import Geo
public import Storage

/// A friend whose place is known.
public struct FriendNearby: Sendable {
    /// The friend's document.
    public var friend: Person
    /// The friend's newest stored position.
    public var place: Coordinate
    /// When the friend was there.
    public var time: Timestamp
    /// The latest time at which the friend is known to have been there still; nil for none after ``time``.
    public var seenUntil: Timestamp?
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
    /// A person's friends by the distance of their newest positions from the person's own.
    ///
    /// Friends whose place is not known are in no answer about place. A list that began at another place, because the
    /// person moved meanwhile, goes on from there: `first` is that place, or nil for the person's own.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``, or ``Refusal/noPosition(_:)`` when the person's own place is not known.
    /// - Complexity: O(friends).
    public func nearestFriends(
        of id: EntityID, _ query: NearestQuery, from first: Coordinate? = nil, passing filter: FriendFilter = .none
    ) throws(Refusal) -> Page<FriendNearby> {
        guard let number = crowd.number(of: id) else { throw .unknown(.person, id) }
        guard let place = first ?? crowd.last(of: number)?.place else { throw .noPosition(id) }
        var known: [Neighbour] = []
        for friend in try friends(of: number, passing: filter) {
            if let place = crowd.last(of: friend)?.place { known.append(Neighbour(handle: friend, place: place)) }
        }
        let nearest = Scan.nearest(query, to: place, among: known, ids: crowd.ids)
        let origin = Origin(place)
        let items = nearest.compactMap { neighbour -> FriendNearby? in
            guard let record = crowd.record(of: neighbour.handle), let last = crowd.last(of: neighbour.handle) else {
                return nil
            }
            return FriendNearby(
                friend: record.value.value, place: neighbour.place, time: last.time, seenUntil: last.seenUntil,
                decimetres: origin.decimetres(to: neighbour.place), bearing: origin.bearing(to: neighbour.place))
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
