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
    /// What the asking person notes about the friend.
    public var notes: [FriendAttribute: String]
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
        of id: PersonID, at time: Timestamp, by caller: Caller, now: Timestamp
    ) async throws -> PastPosition {
        if case .person(let viewer) = caller, viewer != id {
            let (own, other, _) = try agreement(of: id, with: viewer, at: now)
            Effort.charge(Self.priceOfView)
            let (views, legs) = try await Effort.unchargedTask {
                try await viewsWithLegs(for: own, at: time, now: now, only: [other])
            }
            guard let view = views[other], let leg = legs[other],
                let position = read({ $0.told(leg, of: other, view) })
            else { throw Refusal.unknown(.position, id.any) }
            return position
        }
        let number = try self.number(of: id)
        let view = PastView(instant: time)
        guard let leg = try await legs([number: view])[number] else { throw Refusal.noPositionThen(id) }
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
        of id: PersonID, at time: Timestamp, _ query: NearestQuery, from first: Coordinate? = nil,
        passing filter: FriendFilter = .none, by caller: Caller, now: Timestamp
    ) async throws -> Page<PersonThen> {
        guard caller.mayAct(for: id) else { throw Refusal.notAllowed }
        let (number, wanted) = try read { picture throws(Refusal) in
            guard let number = picture.people.number(of: id) else { throw .unknown(.person, id.any) }
            return (number, Set(try picture.friends(of: number, passing: filter)))
        }
        let origin: Coordinate
        if let first {
            origin = first
        } else {
            origin = try await position(of: id, at: time, by: caller, now: now).place
        }
        let views: [PersonNumber: PastView]
        let legs: [PersonNumber: Leg]
        if caller == .service {
            views = try await friends(of: number, at: time).filter { wanted.contains($0.key) }
            legs = try await self.legs(views)
        } else {
            Effort.charge(Self.priceOfView * wanted.count)
            (views, legs) = try await Effort.unchargedTask {
                try await viewsWithLegs(for: number, at: time, now: now, only: wanted)
            }
        }
        let known = try await Effort.unchargedTask {
            try await read(each: views, costing: 20) { picture, entry in
                let told = legs[entry.key].flatMap { picture.told($0, of: entry.key, entry.value) }
                return told.map { (entry.key, $0) }
            }
        }
        return read { $0.page(of: Dictionary(uniqueKeysWithValues: known), query, origin, notedBy: number) }
    }

    /// What a person is charged, in steps, for looking where a friend was: as much for one who was hidden as for one who was shown.
    private static let priceOfView = 50

    /// Who was a friend at an instant and is one now, for a service.
    private func friends(of number: PersonNumber, at time: Timestamp) async throws -> [PersonNumber: PastView] {
        let friendships = try await store.friendships(of: number, in: time..<time + .milliseconds(1))
        let friends = try await read(each: friendships, costing: 5) { picture, friendship in
            picture.people.isKnown(friendship.friend, to: number) ? friendship.friend : nil
        }
        return friends.reduce(into: [:]) { $0[$1] = PastView(instant: time) }
    }

    /// What a person may be told of friends at an instant, with the legs on which they were.
    ///
    /// Of those who were in privacy zones it is asked again, as of those who share less: of instants as coarse.
    private func viewsWithLegs(
        for viewer: PersonNumber, at time: Timestamp, now: Timestamp, only wanted: Set<PersonNumber>
    ) async throws -> (views: [PersonNumber: PastView], legs: [PersonNumber: Leg]) {
        var views = try await self.views(for: viewer, at: time, now: now, only: wanted)
        var legs = try await self.legs(views)
        let inZones = try await read(each: views, costing: 10) { picture, entry in
            legs[entry.key].map { picture.meetsPrivacyZone($0, of: entry.key, entry.value) } ?? false ? entry.key : nil
        }
        guard !inZones.isEmpty else { return (views, legs) }
        let coarser = try await self.views(for: viewer, at: time, now: now, only: Set(inZones), atMost: .approximate)
        let earlier = try await self.legs(coarser)
        for person in inZones { (views[person], legs[person]) = (coarser[person], earlier[person]) }
        return (views, legs)
    }

    /// The legs on which people were at the instants of which something may be told of them.
    private func legs(_ views: [PersonNumber: PastView]) async throws -> [PersonNumber: Leg] {
        var legs: [PersonNumber: Leg] = [:]
        for (instant, some) in Dictionary(grouping: views, by: \.value.instant) {
            let states = try await read(each: some, costing: UnfoldedState.steps) { picture, entry in
                let (person, view) = entry
                return picture.unfoldedState(
                    of: person, around: instant, horizon: view.horizon, rules, isForOthers: view.precision != nil)
            }
            let pings = try await store.pings(of: states.map(\.person), around: instant)
            for (state, pings) in zip(states, pings) { legs[state.person] = state.leg(among: pings) }
        }
        return legs
    }

    /// Where people were at an instant; nil for those of whom nothing is known up to then.
    func positions(_ states: [UnfoldedState], at time: Timestamp) async throws(StorageError) -> [PastPosition?] {
        let pings = try await store.pings(of: states.map(\.person), around: time)
        return zip(states, pings).map { state, pings in
            state.leg(among: pings).map { PastPosition($0, at: time) }
        }
    }
}

/// What the live picture knows of a person around an instant, beside what is in the tables.
struct UnfoldedState: Sendable {
    /// What it costs to take it out of the picture.
    static let steps = 10

    let person: PersonNumber
    /// The stored positions that are only in the log yet.
    let logged: BracketingPings
    let sightings: [PingKey: Stay]
    let rules: PingRules
    /// From when on nothing may be known; nil if all may be.
    let horizon: Timestamp?

    /// The leg on which the person was at the instant; nil if nothing was stored up to then.
    func leg(among folded: BracketingPings) -> Leg? {
        let before = [folded.before, logged.before].compactMap(\.self).max { $0.key < $1.key }
        let after = [folded.after, logged.after].compactMap(\.self).min { $0.key < $1.key }
        return before.map { Leg(from: $0.staying(sightings[$0.key]), to: after, rules: rules, horizon: horizon) }
    }
}

extension Picture {
    /// What is known of a person around an instant, up to a horizon; for others by rules that do not tell the person's own.
    func unfoldedState(
        of person: PersonNumber, around time: Timestamp, horizon: Timestamp?, _ rules: PingRules, isForOthers: Bool
    ) -> UnfoldedState {
        let own = people.throttle(of: person) ?? ThrottleOverride()
        return UnfoldedState(
            person: person, logged: people.unfolded[person].pings(around: time),
            sightings: people.unwrittenStays[person]?.stays ?? [:],
            rules: isForOthers ? rules.told(of: own) : rules.overridden(by: own), horizon: horizon)
    }

    /// Some people by their distance from a place, with what somebody notes about them.
    func page(
        of known: [PersonNumber: PastPosition], _ query: NearestQuery, _ place: Coordinate,
        notedBy viewer: PersonNumber? = nil
    ) -> Page<PersonThen> {
        let friends = known.filter { people.record(of: $0.key) != nil }
            .map { Neighbour(handle: $0.key.rawValue, place: $0.value.place) }
        let nearest = Scan.nearest(query, to: place, among: friends, ids: people.ids)
        Effort.count(known.count * 3 + nearest.count * 15)
        let origin = Origin(place)
        let items = nearest.compactMap { neighbour -> PersonThen? in
            let number = PersonNumber(neighbour.handle)
            guard let record = people.record(of: number), let position = known[number] else {
                return nil
            }
            let course = origin.course(to: position.place)
            return PersonThen(
                person: record.value, position: position, decimetres: course.decimetres, bearing: course.bearing,
                notes: viewer.map { people.notes(about: number, by: $0) } ?? [:])
        }
        return Page(items: items, origin: place, next: nearest.next(after: query, from: place, people.ids))
    }
}

extension People {
    /// Whether a person is a friend of another now, and neither blocked the other.
    func isKnown(_ person: PersonNumber, to other: PersonNumber) -> Bool {
        isFriend(other, of: person) && !isSeparated(person, other)
    }
}

extension UnfoldedPings {
    /// The stored positions around an instant.
    func pings(around time: Timestamp) -> BracketingPings {
        let around = neighbours(around: time).map(\.ping)
        return BracketingPings(before: around.last { $0.time <= time }, after: around.first { $0.time > time })
    }
}
