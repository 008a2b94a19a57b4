public import Geo
public import Storage

/// Somebody near a place, in the past.
public struct PersonThen: Sendable {
    /// The person's document.
    public var person: Person
    /// Where the person was.
    public var position: PastPosition
    /// Geodesic distance in tenths of a metre.
    public var decimetres: Int64
    /// Direction in whole degrees clockwise from north.
    public var bearing: Int
}

extension Live {
    /// Where a person was at an instant.
    ///
    /// A friend is told if the two were friends then and are now, and nothing of what came after a friendship ended.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``, of the position when the caller may not know it, whether there is such a person
    ///   or not; ``Refusal/noPositionThen(_:)`` when no position was stored up to then; ``StorageError``.
    public func position(of id: EntityID, at time: Timestamp, by caller: Caller) async throws -> PastPosition {
        let horizon = try await horizon(of: id, at: time, for: caller)
        let memory = try read { picture throws(Refusal) in
            guard let number = picture.crowd.number(of: id) else { throw .unknown(.person, id) }
            return picture.memory(of: number, around: time, horizon: horizon, rules)
        }
        guard let position = try await positions([memory], at: time)[0] else { throw Refusal.noPositionThen(id) }
        return position
    }

    /// A person's friends by their distance at an instant from where the person was then.
    ///
    /// Only those who were friends then and are now. A list that began at another place, because the history changed
    /// meanwhile, goes on from there: `first` is that place, or nil for the person's own.
    ///
    /// - Throws: ``Refusal`` as ``position(of:at:by:)``, or ``Refusal/notAllowed``; ``StorageError``.
    /// - Complexity: O(friends * log of all pings).
    public func nearestFriends(
        of id: EntityID, at time: Timestamp, _ query: NearestQuery, from first: Coordinate? = nil,
        passing filter: FriendFilter = .none, by caller: Caller
    ) async throws -> Page<PersonThen> {
        guard caller.mayAct(for: id) else { throw Refusal.notAllowed }
        let (number, friends) = try read { picture throws(Refusal) in
            guard let number = picture.crowd.number(of: id) else { throw .unknown(.person, id) }
            return (number, Set(try picture.friends(of: number, passing: filter)))
        }
        let origin: Coordinate
        if let first { origin = first } else { origin = try await position(of: id, at: time, by: caller).place }
        let friendships = try await store.friendships(of: number, in: time..<time + .milliseconds(1))
        let memories = read { picture in
            friendships.filter { friends.contains($0.friend) && picture.crowd.isKnown($0.friend, to: number) }.map {
                picture.memory(of: $0.friend, around: time, horizon: $0.times.upperBound, rules)
            }
        }
        let positions = try await positions(memories, at: time)
        var known: [Int32: PastPosition] = [:]
        for (memory, position) in zip(memories, positions) { known[memory.person] = position }
        return read { picture in picture.page(of: known, query, origin) }
    }

    /// Until when what happened after an instant may be known to a caller; nil for whoever may know all.
    private func horizon(of id: EntityID, at time: Timestamp, for caller: Caller) async throws -> Timestamp? {
        try await knowable(id, in: time..<time + .milliseconds(1), to: caller)?.first?.upperBound
    }

    /// The times of an interval, or beyond it, of which a caller may know where a person was; nil for whoever may know all.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``, of the position, when there are none, whether there is such a person or not.
    func knowable(
        _ id: EntityID, in times: Range<Timestamp>, to caller: Caller
    ) async throws -> [Range<Timestamp>]? {
        guard case .person(let viewer) = caller, viewer != id else { return nil }
        let pair = read { picture -> (Int32, Int32)? in
            guard let a = picture.crowd.number(of: viewer), let b = picture.crowd.number(of: id),
                picture.crowd.isKnown(b, to: a)
            else { return nil }
            return (a, b)
        }
        guard let (own, other) = pair else { throw Refusal.unknown(.position, id) }
        let known = try await store.friendships(of: own, in: times).filter { $0.friend == other }.map(\.times)
        guard !known.isEmpty else { throw Refusal.unknown(.position, id) }
        return known
    }

    /// Where people were at an instant; nil for those of whom nothing is known up to then.
    func positions(_ memories: [Memory], at time: Timestamp) async throws(StorageError) -> [PastPosition?] {
        let moments = try await store.moments(of: memories.map(\.person), around: time)
        return zip(memories, moments).map { memory, moment in
            memory.leg(among: moment).map { PastPosition($0, at: time) }
        }
    }
}

/// What the live picture knows of a person around an instant, beside what is in the tables.
struct Memory: Sendable {
    let person: Int32
    /// The stored positions that are only in the log yet.
    let logged: Moment
    let sightings: [PingKey: Stay]
    let rules: PingRules
    /// From when on nothing may be known; nil if all may be.
    let horizon: Timestamp?

    /// The leg on which the person was at the instant; nil if nothing was stored up to then.
    func leg(among folded: Moment) -> Leg? {
        let before = [folded.before, logged.before].compactMap(\.self).max { $0.key < $1.key }
        let after = [folded.after, logged.after].compactMap(\.self).min { $0.key < $1.key }
        return before.map { Leg(from: $0.staying(sightings[$0.key]), to: after, rules: rules, horizon: horizon) }
    }
}

extension Picture {
    func memory(of person: Int32, around time: Timestamp, horizon: Timestamp?, _ rules: PingRules) -> Memory {
        Memory(
            person: person, logged: crowd.tail(of: person).moment(around: time),
            sightings: crowd.hindsight.sightings[person]?.stays ?? [:],
            rules: rules.overridden(by: crowd.throttle(of: person) ?? ThrottleOverride()), horizon: horizon)
    }

    /// Some people by their distance from a place.
    func page(
        of known: [Int32: PastPosition], _ query: NearestQuery, _ place: Coordinate
    ) -> Page<PersonThen> {
        let friends = known.filter { crowd.record(of: $0.key) != nil }
            .map { Neighbour(handle: $0.key, place: $0.value.place) }
        let nearest = Scan.nearest(query, to: place, among: friends, ids: crowd.ids)
        let origin = Origin(place)
        let items = nearest.compactMap { neighbour -> PersonThen? in
            guard let record = crowd.record(of: neighbour.handle), let position = known[neighbour.handle] else {
                return nil
            }
            return PersonThen(
                person: record.value.value, position: position, decimetres: origin.decimetres(to: position.place),
                bearing: origin.bearing(to: position.place))
        }
        return Page(items: items, origin: place, next: nearest.next(after: query, from: place, crowd.ids))
    }
}

extension Crowd {
    /// Whether a person is a friend of another now, and neither blocked the other.
    func isKnown(_ person: Int32, to other: Int32) -> Bool {
        isFriend(other, of: person) && !isSeparated(person, other)
    }
}

extension Tail {
    /// The stored positions around an instant.
    func moment(around time: Timestamp) -> Moment {
        let around = neighbours(around: time).map(\.ping)
        return Moment(before: around.last { $0.time <= time }, after: around.first { $0.time > time })
    }
}
