public import Geo
public import Model
internal import Storage
internal import Structures

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
    /// What the asking person calls the friend; nil for nothing.
    public var label: String?
}

extension Live {
    /// Where a person was at an instant.
    ///
    /// A friend is told if the two were friends then and are now, as exactly as both shared it then and share it now, and
    /// nothing of what came after a friendship ended or less was shared.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``, of the position when the caller may not know it, whether there is such a person, or
    ///   any position, or not; ``Refusal/noPositionThen(_:)``, to a service and the person, when none was stored up to then;
    ///   ``StorageError``.
    public func position(
        of id: EntityID, at time: Timestamp, by caller: Caller, now: Timestamp
    ) async throws -> PastPosition {
        if case .person(let viewer) = caller, viewer != id {
            let (own, other, _) = try agreement(of: id, with: viewer, at: now)
            let (sights, legs) = try await views(for: own, at: time, now: now, only: [other])
            guard let sight = sights[other], let leg = legs[other],
                let position = read({ $0.told(leg, of: other, sight) })
            else { throw Refusal.unknown(.position, id) }
            return position
        }
        let number = try self.number(of: id)
        let sight = PastSight(instant: time)
        guard let leg = try await legs([number: sight])[number] else { throw Refusal.noPositionThen(id) }
        return PastPosition(leg, at: time)
    }

    /// A person's friends by their distance at an instant from where the person was then.
    ///
    /// Only those who were friends then and are now; to the person as exactly as both shared it then and share it now. A list
    /// that began at another place, because the history changed meanwhile, goes on from there: `first` is that place, or nil
    /// for the person's own.
    ///
    /// - Throws: ``Refusal`` as ``position(of:at:by:now:)``, or ``Refusal/notAllowed``; ``StorageError``.
    /// - Complexity: O(friends * log of all pings).
    public func nearestFriends(
        of id: EntityID, at time: Timestamp, _ query: NearestQuery, from first: Coordinate? = nil,
        passing filter: FriendFilter = .none, by caller: Caller, now: Timestamp
    ) async throws -> Page<PersonThen> {
        guard caller.mayAct(for: id) else { throw Refusal.notAllowed }
        let (number, wanted) = try read { picture throws(Refusal) in
            guard let number = picture.crowd.number(of: id) else { throw .unknown(.person, id) }
            return (number, Set(try picture.friends(of: number, passing: filter)))
        }
        let origin: Coordinate
        if let first {
            origin = first
        } else {
            origin = try await position(of: id, at: time, by: caller, now: now).place
        }
        let sights: [Int32: PastSight]
        let legs: [Int32: Leg]
        if caller == .service {
            sights = try await friends(of: number, at: time).filter { wanted.contains($0.key) }
            legs = try await self.legs(sights)
        } else {
            (sights, legs) = try await views(for: number, at: time, now: now, only: wanted)
        }
        let known = try await read(each: sights, costing: 20) { picture, entry in
            let told = legs[entry.key].flatMap { picture.told($0, of: entry.key, entry.value) }
            return told.map { (entry.key, $0) }
        }
        return read { $0.page(of: Dictionary(uniqueKeysWithValues: known), query, origin, labelledBy: number) }
    }

    /// Who was a friend at an instant and is one now, for a service.
    private func friends(of number: Int32, at time: Timestamp) async throws -> [Int32: PastSight] {
        let friendships = try await store.friendships(of: number, in: time..<time + .milliseconds(1))
        let friends = try await read(each: friendships, costing: 5) { picture, friendship in
            picture.crowd.isKnown(friendship.friend, to: number) ? friendship.friend : nil
        }
        return friends.reduce(into: [:]) { $0[$1] = PastSight(instant: time) }
    }

    /// What a person may be told of friends at an instant, with the legs on which they were.
    ///
    /// Of those who were in privacy zones it is asked again, as of those who share less: of instants as coarse.
    private func views(
        for viewer: Int32, at time: Timestamp, now: Timestamp, only wanted: Set<Int32>
    ) async throws -> (sights: [Int32: PastSight], legs: [Int32: Leg]) {
        var sights = try await self.sights(for: viewer, at: time, now: now, only: wanted)
        var legs = try await self.legs(sights)
        let veiled = try await read(each: sights, costing: 10) { picture, entry in
            legs[entry.key].map { picture.veils($0, of: entry.key, entry.value) } ?? false ? entry.key : nil
        }
        guard !veiled.isEmpty else { return (sights, legs) }
        let coarser = try await self.sights(for: viewer, at: time, now: now, only: Set(veiled), atMost: .approximate)
        let earlier = try await self.legs(coarser)
        for person in veiled { (sights[person], legs[person]) = (coarser[person], earlier[person]) }
        return (sights, legs)
    }

    /// The legs on which people were at the instants of which something may be told of them.
    private func legs(_ sights: [Int32: PastSight]) async throws -> [Int32: Leg] {
        var legs: [Int32: Leg] = [:]
        for (instant, some) in Dictionary(grouping: sights, by: \.value.instant) {
            let memories = try await read(each: some, costing: Memory.steps) { picture, entry in
                let (person, sight) = entry
                return picture.memory(
                    of: person, around: instant, horizon: sight.horizon, rules, isForOthers: sight.precision != nil)
            }
            let moments = try await store.moments(of: memories.map(\.person), around: instant)
            for (memory, moment) in zip(memories, moments) { legs[memory.person] = memory.leg(among: moment) }
        }
        return legs
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
    /// What it costs to take it out of the picture.
    static let steps = 10

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
    /// What is known of a person around an instant, up to a horizon; for others by rules that do not tell the person's own.
    func memory(
        of person: Int32, around time: Timestamp, horizon: Timestamp?, _ rules: PingRules, isForOthers: Bool
    ) -> Memory {
        let own = crowd.throttle(of: person) ?? ThrottleOverride()
        return Memory(
            person: person, logged: crowd.tail(of: person).moment(around: time),
            sightings: crowd.hindsight.sightings[person]?.stays ?? [:],
            rules: isForOthers ? rules.told(of: own) : rules.overridden(by: own), horizon: horizon)
    }

    /// Some people by their distance from a place, with what somebody calls them.
    func page(
        of known: [Int32: PastPosition], _ query: NearestQuery, _ place: Coordinate, labelledBy viewer: Int32? = nil
    ) -> Page<PersonThen> {
        let friends = known.filter { crowd.record(of: $0.key) != nil }
            .map { Neighbour(handle: $0.key, place: $0.value.place) }
        let nearest = Scan.nearest(query, to: place, among: friends, ids: crowd.ids)
        Effort.count(known.count * 3 + nearest.count * 15)
        let origin = Origin(place)
        let items = nearest.compactMap { neighbour -> PersonThen? in
            guard let record = crowd.record(of: neighbour.handle), let position = known[neighbour.handle] else {
                return nil
            }
            return PersonThen(
                person: record.value.value, position: position, decimetres: origin.decimetres(to: position.place),
                bearing: origin.bearing(to: position.place),
                label: viewer.flatMap { crowd.labels.label(of: neighbour.handle, by: $0) })
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
