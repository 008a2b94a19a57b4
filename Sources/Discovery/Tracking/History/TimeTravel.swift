public import Geo
public import Model
internal import Storage
internal import Structures

/// A person near a place at a past time.
public struct PersonThen: Sendable {
    /// The person's document.
    public var person: Person
    /// The person's position.
    public var position: PastPosition
    /// Geodesic distance in tenths of a meter.
    public var decimetres: Int64
    /// Bearing in whole degrees clockwise from north.
    public var bearing: Int
    /// The notes of the requesting person about the friend.
    public var notes: [FriendAttribute: String]
}

extension Engine {
    /// Returns a person's position at a past time.
    ///
    /// A friend's position is visible if the two were friends then and are now, at the weaker of the precisions that
    /// both shared then and share now. Nothing after the end of a friendship or of the sharing is visible.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)`` of the position when the caller may not see it, whether the person or a
    ///   position exists or not; ``Refusal/noPositionThen(_:)``, to a service and the person, when none was stored up
    ///   to then; ``StorageError``.
    public func position(
        of id: PersonID, at time: Timestamp, by caller: Caller, now: Timestamp
    ) async throws -> PastPosition {
        if case .person(let viewer) = caller, viewer != id {
            let (own, other, _) = try agreement(of: id, with: viewer, at: now)
            WorkBudget.charge(Self.priceOfView)
            let (views, legs) = try await WorkBudget.unchargedTask {
                try await viewsWithLegs(for: own, at: time, now: now, only: [other])
            }
            guard let view = views[other], let leg = legs[other],
                let position = read({ $0.shown(leg, of: other, view) })
            else { throw Refusal.unknown(.position, id.any) }
            return position
        }
        let number = try self.number(of: id)
        let view = PastView(instant: time)
        guard let leg = try await legs([number: view])[number] else { throw Refusal.noPositionThen(id) }
        return PastPosition(leg, at: time)
    }

    /// Returns a person's friends by their distance at a past time from the person's position then.
    ///
    /// Only people who were friends then and are now are included, at the weaker of the precisions that both shared
    /// then and share now. If the history changed in the meantime, a list continues from its first origin: `first` is
    /// that place, or nil for the person's own.
    ///
    /// - Throws: ``Refusal`` as ``position(of:at:by:now:)``, or ``Refusal/notAllowed``; ``StorageError``.
    /// - Complexity: O(friends * log of all pings).
    public func nearestFriends(
        of id: PersonID, at time: Timestamp, _ query: NearestQuery, from first: Coordinate? = nil,
        passing filter: FriendFilter = .none, by caller: Caller, now: Timestamp
    ) async throws -> Page<PersonThen> {
        guard caller.mayAct(for: id) else { throw Refusal.notAllowed }
        let (number, wanted) = try read { state throws(Refusal) in
            guard let number = state.people.number(of: id) else { throw .unknown(.person, id.any) }
            return (number, Set(try state.friends(of: number, passing: filter)))
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
            WorkBudget.charge(Self.priceOfView * wanted.count)
            (views, legs) = try await WorkBudget.unchargedTask {
                try await viewsWithLegs(for: number, at: time, now: now, only: wanted)
            }
        }
        let known = try await WorkBudget.unchargedTask {
            try await read(each: views, costing: 20) { state, entry in
                let shown = legs[entry.key].flatMap { state.shown($0, of: entry.key, entry.value) }
                return shown.map { (entry.key, $0) }
            }
        }
        return read { $0.page(of: Dictionary(uniqueKeysWithValues: known), query, origin, notedBy: number) }
    }

    /// A person's charge, in work units, for a friend's past position, visible or hidden.
    private static let priceOfView = 50

    /// The people who were friends at a time and are now, for a service.
    private func friends(of number: PersonNumber, at time: Timestamp) async throws -> [PersonNumber: PastView] {
        let friendships = try await store.friendships(of: number, in: time..<time + .milliseconds(1))
        let friends = try await read(each: friendships, costing: 5) { state, friendship in
            state.people.isKnown(friendship.friend, to: number) ? friendship.friend : nil
        }
        return friends.reduce(into: [:]) { $0[$1] = PastView(instant: time) }
    }

    /// The visible past of a person's friends at a time, with their legs.
    ///
    /// Friends in privacy zones are queried again like friends who share less: at coarser times.
    private func viewsWithLegs(
        for viewer: PersonNumber, at time: Timestamp, now: Timestamp, only wanted: Set<PersonNumber>
    ) async throws -> (views: [PersonNumber: PastView], legs: [PersonNumber: Leg]) {
        var views = try await self.views(for: viewer, at: time, now: now, only: wanted)
        var legs = try await self.legs(views)
        let inZones = try await read(each: views, costing: 10) { state, entry in
            legs[entry.key].map { state.meetsPrivacyZone($0, of: entry.key, entry.value) } ?? false ? entry.key : nil
        }
        guard !inZones.isEmpty else { return (views, legs) }
        let coarser = try await self.views(for: viewer, at: time, now: now, only: Set(inZones), atMost: .approximate)
        let earlier = try await self.legs(coarser)
        for person in inZones { (views[person], legs[person]) = (coarser[person], earlier[person]) }
        return (views, legs)
    }

    /// The people's legs at the times of their views.
    private func legs(_ views: [PersonNumber: PastView]) async throws -> [PersonNumber: Leg] {
        var legs: [PersonNumber: Leg] = [:]
        for (instant, some) in Dictionary(grouping: views, by: \.value.instant) {
            let states = try await read(each: some, costing: UncompactedState.steps) { state, entry in
                let (person, view) = entry
                return state.uncompactedState(
                    of: person, around: instant, horizon: view.horizon, rules, isForOthers: view.precision != nil)
            }
            let pings = try await store.pings(of: states.map(\.person), around: instant)
            for (state, pings) in zip(states, pings) { legs[state.person] = state.leg(among: pings) }
        }
        return legs
    }

    /// The people's positions at a time; nil where nothing was stored up to then.
    func positions(_ states: [UncompactedState], at time: Timestamp) async throws(StorageError) -> [PastPosition?] {
        let pings = try await store.pings(of: states.map(\.person), around: time)
        return zip(states, pings).map { state, pings in
            state.leg(among: pings).map { PastPosition($0, at: time) }
        }
    }
}

/// A person's state in memory around a time, in addition to the tables.
struct UncompactedState: Sendable {
    /// Work units of reading it.
    static let steps = 10

    let person: PersonNumber
    /// The stored positions that are only in the log yet.
    let logged: BracketingPings
    let pendingStays: [PingKey: Stay]
    let rules: PingRules
    /// The time from which nothing may be known; nil if everything may be.
    let horizon: Timestamp?

    /// The person's leg at the time; nil if nothing was stored up to then.
    func leg(among compacted: BracketingPings) -> Leg? {
        let before = [compacted.before, logged.before].compactMap(\.self).max { $0.key < $1.key }
        let after = [compacted.after, logged.after].compactMap(\.self).min { $0.key < $1.key }
        return before.map { Leg(from: $0.staying(pendingStays[$0.key]), to: after, rules: rules, horizon: horizon) }
    }
}

extension LiveState {
    /// A person's state in memory around a time; for others the rules hide the person's own thresholds.
    func uncompactedState(
        of person: PersonNumber, around time: Timestamp, horizon: Timestamp?, _ rules: PingRules, isForOthers: Bool
    ) -> UncompactedState {
        let own = people.throttle(of: person) ?? ThrottleOverride()
        return UncompactedState(
            person: person, logged: people.logTail[person].pings(around: time),
            pendingStays: people.pendingStays[person]?.stays ?? [:],
            rules: isForOthers ? rules.published(for: own) : rules.overridden(by: own), horizon: horizon)
    }

    /// A page of people by distance from a place, with the notes of a viewer.
    func page(
        of known: [PersonNumber: PastPosition], _ query: NearestQuery, _ place: Coordinate,
        notedBy viewer: PersonNumber? = nil
    ) -> Page<PersonThen> {
        let friends = known.filter { people.record(of: $0.key) != nil }
            .map { Neighbour(handle: $0.key.rawValue, place: $0.value.place) }
        let nearest = Scan.nearest(query, to: place, among: friends, ids: people.ids)
        WorkBudget.count(known.count * 3 + nearest.count * 15)
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
    /// Whether two people are friends now, and neither blocked the other.
    func isKnown(_ person: PersonNumber, to other: PersonNumber) -> Bool {
        isFriend(other, of: person) && !isSeparated(person, other)
    }
}

extension UncompactedPings {
    /// The stored positions around a time.
    func pings(around time: Timestamp) -> BracketingPings {
        let around = neighbours(around: time).map(\.ping)
        return BracketingPings(before: around.last { $0.time <= time }, after: around.first { $0.time > time })
    }
}
