internal import Geo
internal import Model
internal import Structures

extension Viewpoint {
    /// A viewpoint moves no more often than this, by the clock of the service.
    static let interval = Duration.seconds(120)
    /// A viewpoint moves no less far than this, in metres.
    static let distance = 500.0

    /// Where it is at an instant when the person is at `target`: what was too soon takes effect when its time has come.
    func place(at now: Timestamp, toward target: Coordinate) -> Coordinate? { settled(toward: target, at: now).place }

    /// What has become of it at an instant of a person who has been at `target` since it was decided.
    private func settled(toward target: Coordinate?, at now: Timestamp) -> Viewpoint {
        guard let target, isDue(at: now), isFar(target) else { return self }
        return Viewpoint(place: target, moved: moved + Self.interval)
    }

    private func isDue(at now: Timestamp) -> Bool { now >= moved + Self.interval }

    private func isFar(_ target: Coordinate) -> Bool {
        place.map { !Geodesic.isCloser($0, target, than: Self.distance) } ?? true
    }

    /// The viewpoint until now of a person who has been at `before`; nil for who was nowhere.
    private static func until(_ now: Timestamp, _ old: Viewpoint?, from before: Coordinate?) -> Viewpoint? {
        var old = old ?? before.map { Viewpoint(place: $0, moved: .init(milliseconds: 0)) }
        // A clock that was ahead holds nobody for longer than one that was right.
        if let moved = old?.moved { old?.moved = min(moved, now) }
        return old?.settled(toward: before, at: now)
    }

    /// The viewpoint of a person who was at `before` and is at `target`, as the service learns at an instant.
    ///
    /// Who is nowhere keeps it: else somebody who has no city between two would be new each time.
    static func after(
        _ old: Viewpoint?, from before: Coordinate?, to target: Coordinate?, at received: Timestamp
    ) -> Viewpoint? {
        guard let viewpoint = until(received, old, from: before) else {
            return target.map { Viewpoint(place: $0, moved: received) }
        }
        guard let target, viewpoint.isDue(at: received), viewpoint.isFar(target) else { return viewpoint }
        return Viewpoint(place: target, moved: received)
    }

    /// What is left of it when positions are deleted, of which it may be one: a deleted place is not kept, and deleting
    /// moves nobody sooner.
    static func afterErasing(
        _ old: Viewpoint?, from before: Coordinate?, to target: Coordinate?, at received: Timestamp
    ) -> Viewpoint? {
        guard let viewpoint = until(received, old, from: before) else { return nil }
        if viewpoint.place == target { return viewpoint }
        guard let target, viewpoint.isDue(at: received) else { return Viewpoint(place: nil, moved: viewpoint.moved) }
        return Viewpoint(place: target, moved: received)
    }
}

extension People {
    mutating func apply(_ change: StrangerChange) {
        switch change {
        case .viewpoint(let person, let viewpoint): tie(person) { $0.viewpoint = viewpoint }
        case .residence(let person, let residence): tie(person) { $0.traces.residence = residence }
        case .rememberedCells(let person, let rememberedCells):
            tie(person) { $0.traces.rememberedCells = rememberedCells }
        case .levels(let since, let denser, let sparser): decide(since: since, denser: denser, sparser: sparser)
        case .levelled(let people): level(people)
        case .levelsMade(let made): decide(made: made)
        }
    }
}

extension PersonState {
    /// Where the person is as far as the service knows: at the newest position, else in the city.
    var whereabouts: Coordinate? { last?.place ?? traces.homeCell?.centre }

    /// From where the person looks for strangers at an instant; nil for nowhere.
    func viewpoint(at now: Timestamp) -> Coordinate? {
        guard let whereabouts else { return nil }
        return viewpoint.map { $0.place(at: now, toward: whereabouts) } ?? whereabouts
    }

    /// The neighbourhood in which the person can be found, which hidden people cannot.
    private var neighbourhood: CubeCell? {
        guard person.isDiscoverable, person.sharing.precision < .hidden else { return nil }
        return last.map { $0.publicCell.ancestor(CellLevels.coarsest) }
    }

    /// What follows for discovery when something made this of a person who was at `before`.
    func consequences(from before: Coordinate?, at received: Timestamp) -> [Change] {
        // Who only ever named a city looks from there until there is somewhere else: the first position is not waited for.
        let isNew = viewpoint == nil && before == nil && last == nil
        let moved = isNew ? nil : Viewpoint.after(viewpoint, from: before, to: whereabouts, at: received)
        return taking(moved) + residing(at: received)
    }

    /// What follows for discovery when positions of these keys of a person who was at `before` were deleted.
    func consequences(erasing keys: Set<PingKey>, from before: Coordinate?, at received: Timestamp) -> [Change] {
        let moved = Viewpoint.afterErasing(viewpoint, from: before, to: whereabouts, at: received)
        return taking(moved) + forgettingRememberedCells(of: keys) + residing(at: received)
    }

    private func taking(_ moved: Viewpoint?) -> [Change] {
        moved == viewpoint ? [] : [.strangers(.viewpoint(person: record.number, moved))]
    }

    private func residing(at received: Timestamp) -> [Change] {
        guard neighbourhood != traces.residence?.cell || traces.residence.map({ $0.since > received }) ?? false else {
            return []
        }
        let residence = neighbourhood.map { Residence(cell: $0, since: received) }
        return [.strangers(.residence(person: record.number, residence))]
    }
}
