internal import Geo
internal import Model
internal import Structures

extension SearchOrigin {
    /// The minimum time between two moves of a search origin, by the service's clock.
    static let interval = Duration.seconds(120)
    /// The minimum distance of a move of a search origin, in meters.
    static let distance = 500.0

    /// The place at an instant for a person at `target`; a move that was too early takes effect once it is due.
    func place(at now: Timestamp, toward target: Coordinate) -> Coordinate? { settled(toward: target, at: now).place }

    /// The origin at an instant if the person has been at `target` since it was last decided.
    private func settled(toward target: Coordinate?, at now: Timestamp) -> SearchOrigin {
        guard let target, isDue(at: now), isFar(target) else { return self }
        return SearchOrigin(place: target, moved: moved + Self.interval)
    }

    private func isDue(at now: Timestamp) -> Bool { now >= moved + Self.interval }

    private func isFar(_ target: Coordinate) -> Bool {
        place.map { !Geodesic.isCloser($0, target, than: Self.distance) } ?? true
    }

    /// The origin until now for a person who has been at `before`; nil if the person was nowhere.
    private static func until(_ now: Timestamp, _ old: SearchOrigin?, from before: Coordinate?) -> SearchOrigin? {
        var old = old ?? before.map { SearchOrigin(place: $0, moved: .init(milliseconds: 0)) }
        // A clock that was ahead must not delay a move longer than a correct clock.
        if let moved = old?.moved { old?.moved = min(moved, now) }
        return old?.settled(toward: before, at: now)
    }

    /// The origin of a person who moved from `before` to `target`, as received at an instant.
    ///
    /// A person without a place keeps the origin; otherwise removing and re-adding a city would reset it.
    static func after(
        _ old: SearchOrigin?, from before: Coordinate?, to target: Coordinate?, at received: Timestamp
    ) -> SearchOrigin? {
        guard let origin = until(received, old, from: before) else {
            return target.map { SearchOrigin(place: $0, moved: received) }
        }
        guard let target, origin.isDue(at: received), origin.isFar(target) else { return origin }
        return SearchOrigin(place: target, moved: received)
    }

    /// The origin after positions were deleted; a deleted place is not kept, and a deletion allows no earlier move.
    static func afterErasing(
        _ old: SearchOrigin?, from before: Coordinate?, to target: Coordinate?, at received: Timestamp
    ) -> SearchOrigin? {
        guard let origin = until(received, old, from: before) else { return nil }
        if origin.place == target { return origin }
        guard let target, origin.isDue(at: received) else { return SearchOrigin(place: nil, moved: origin.moved) }
        return SearchOrigin(place: target, moved: received)
    }
}

extension People {
    mutating func apply(_ change: StrangerChange) {
        switch change {
        case .searchOrigin(let person, let origin): updateUnindexed(person) { $0.searchOrigin = origin }
        case .residence(let person, let residence): updateUnindexed(person) { $0.traces.residence = residence }
        case .rememberedCells(let person, let rememberedCells):
            updateUnindexed(person) { $0.traces.rememberedCells = rememberedCells }
        case .levels(let since, let denser, let sparser): decide(since: since, denser: denser, sparser: sparser)
        case .levelled(let people): level(people)
        case .levelsMade(let made): decide(made: made)
        }
    }
}

extension PersonState {
    /// The person's place as known to the service: the newest position, or the city.
    var whereabouts: Coordinate? { last?.place ?? traces.homeCell?.centre }

    /// The origin of the person's searches at an instant; nil for none.
    func searchOrigin(at now: Timestamp) -> Coordinate? {
        guard let whereabouts else { return nil }
        return searchOrigin.map { $0.place(at: now, toward: whereabouts) } ?? whereabouts
    }

    /// The neighborhood in which the person can be found; nil for hidden people.
    private var neighbourhood: CubeCell? {
        guard person.isDiscoverable, person.sharing.precision < .hidden else { return nil }
        return last.map { $0.publicCell.ancestor(CellLevels.coarsest) }
    }

    /// The changes to discovery after a person's place may have changed from `before`.
    func consequences(from before: Coordinate?, at received: Timestamp) -> [Change] {
        // A person with only a city searches from there; the first position then applies without delay.
        let isNew = searchOrigin == nil && before == nil && last == nil
        let moved = isNew ? nil : SearchOrigin.after(searchOrigin, from: before, to: whereabouts, at: received)
        return taking(moved) + residing(at: received)
    }

    /// The changes to discovery after positions of a person who was at `before` were deleted.
    func consequences(erasing keys: Set<PingKey>, from before: Coordinate?, at received: Timestamp) -> [Change] {
        let moved = SearchOrigin.afterErasing(searchOrigin, from: before, to: whereabouts, at: received)
        return taking(moved) + forgettingRememberedCells(of: keys) + residing(at: received)
    }

    private func taking(_ moved: SearchOrigin?) -> [Change] {
        moved == searchOrigin ? [] : [.strangers(.searchOrigin(person: record.number, moved))]
    }

    private func residing(at received: Timestamp) -> [Change] {
        guard neighbourhood != traces.residence?.cell || traces.residence.map({ $0.since > received }) ?? false else {
            return []
        }
        let residence = neighbourhood.map { Residence(cell: $0, since: received) }
        return [.strangers(.residence(person: record.number, residence))]
    }
}
