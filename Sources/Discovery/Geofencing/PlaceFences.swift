internal import Geo
internal import Model
internal import Structures

/// Fences on areas of places, indexed by place, kind and watched people.
///
/// Areas are read when a fix is judged, so a fence follows its places without an update when one changes. Places owned
/// by people are not searched along a path: a fence on one watches only its owner.
struct PlaceFences: Sendable {
    /// Maximum work units of searching areas of places, of which services may stack many.
    static let mostSteps = 6_000

    /// Services' fences on a place.
    private(set) var ofPlaces: [PlaceID: SortedNumbers<FenceNumber>] = [:]
    /// Services' fences on a kind, case-folded, that name no people.
    private(set) var ofKinds: [String: SortedNumbers<FenceNumber>] = [:]
    /// The others: people's by owner, and services' fences on a kind by the people they name.
    private(set) var ofPeople: [PersonNumber: SortedNumbers<FenceNumber>] = [:]

    var isEmpty: Bool { ofPlaces.isEmpty && ofKinds.isEmpty && ofPeople.isEmpty }

    /// Whether a service's fence may watch a person, or the person owns one.
    func isAny(about person: PersonNumber) -> Bool {
        !ofPlaces.isEmpty || !ofKinds.isEmpty || ofPeople.index(forKey: person) != nil
    }

    mutating func insert(_ entry: Fences.Entry) {
        let number = entry.record.number
        switch (entry.fence.area, entry.owner, entry.people) {
        case (.place(let id), nil, _): ofPlaces[id, default: SortedNumbers()].insert(number)
        case (.places(let kind), nil, nil): ofKinds[PlainText.of(kind), default: SortedNumbers()].insert(number)
        case (.place, let owner?, _), (.places, let owner?, _): ofPeople[owner, default: SortedNumbers()].insert(number)
        case (.places, nil, let people?):
            for person in people { ofPeople[person, default: SortedNumbers()].insert(number) }
        default: break
        }
    }

    mutating func remove(_ entry: Fences.Entry) {
        let number = entry.record.number
        switch (entry.fence.area, entry.owner, entry.people) {
        case (.place(let id), nil, _): ofPlaces.remove(number, of: id)
        case (.places(let kind), nil, nil): ofKinds.remove(number, of: PlainText.of(kind))
        case (.place, let owner?, _), (.places, let owner?, _): ofPeople.remove(number, of: owner)
        case (.places, nil, let people?): for person in people { ofPeople.remove(number, of: person) }
        default: break
        }
    }
}

extension Fence.Area {
    /// Whether it is an area on Earth rather than proximity or no area.
    var isFixedArea: Bool {
        switch self {
        case .circle, .polygons, .corridor, .place, .places: true
        case .person, .anywhere: false
        }
    }
}

/// A union of areas.
struct FencedAreas {
    let areas: [FencedArea]

    /// Maximum number of areas for which a path is intersected.
    private static let mostOnTheWay = 16
    /// Maximum work units of a query; with more areas left a point is known to be neither inside nor outside.
    private static let mostSteps = 3_000

    /// Whether a point certainly lies in one of them.
    func contains(_ place: Coordinate, steps: inout Int) -> Bool {
        let end = steps + Self.mostSteps
        for area in areas where steps <= end && area.contains(place, steps: &steps) { return true }
        return false
    }

    /// Whether a point is certainly farther than `metres` from all of them.
    func isOutside(_ place: Coordinate, by metres: Double, steps: inout Int) -> Bool {
        let end = steps + Self.mostSteps
        for area in areas where steps > end || !area.isOutside(place, by: metres, steps: &steps) { return false }
        return true
    }

    /// The parts of the shortest path between two points that lie in any of the areas, as fractions.
    ///
    /// Gaps within the tolerance are closed. Many areas have no parts. The areas share `most` work units.
    func passages(
        from start: Coordinate, to end: Coordinate, tolerance: Double, atMost most: Int, steps: inout Int
    ) -> [ClosedRange<Double>] {
        guard areas.count <= Self.mostOnTheWay else { return [] }
        var parts: [ClosedRange<Double>] = []
        let share = most / max(1, areas.count)
        for area in areas {
            parts += area.passages(from: start, to: end, tolerance: tolerance, atMost: share, steps: &steps)
        }
        guard areas.count > 1, parts.count > 1 else { return parts }
        let gap = 2 * tolerance / max(tolerance, Geodesic.distance(from: start, to: end))
        var joined: [ClosedRange<Double>] = []
        for part in parts.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = joined.last, part.lowerBound <= last.upperBound + gap {
                joined[joined.count - 1] = last.lowerBound...max(last.upperBound, part.upperBound)
            } else {
                joined.append(part)
            }
        }
        return joined
    }
}

extension LiveState {
    /// The areas of a fence near the shortest path between two points: its own, or its places' current areas.
    ///
    /// - Returns: at least the areas within `margin` meters; nil for a fence without an area, and when `most` work
    ///   units do not find the areas of a kind.
    func areas(
        of entry: Fences.Entry, from start: Coordinate, to end: Coordinate, margin: Double,
        atMost most: Int? = PlaceFences.mostSteps, steps: inout Int
    ) -> FencedAreas? {
        switch entry.fence.area {
        case .circle, .polygons, .corridor: return entry.area.map { FencedAreas(areas: [$0]) }
        case .place:
            let area = followedPlace(of: entry.fence)?.area
            return FencedAreas(areas: area.map { [$0.covered.area] } ?? [])
        case .places(let kind):
            guard let kind = catalogue.placeIndex.words.term(kind) else { return FencedAreas(areas: []) }
            let near = areasOfServices(from: start, to: end, margin: margin, atMost: most, steps: &steps)
            guard let near else { return nil }
            steps += near.count
            let areas = near.filter { catalogue.placeIndex[PlaceNumber($0)]?.kind == kind }
            return FencedAreas(areas: areas.compactMap { catalogue.placeIndex.areas[$0] })
        case .person, .anywhere: return nil
        }
    }

    /// The place that a fence names, if the fence uses its area; nil for a fence on other areas.
    func followedPlace(of fence: Fence) -> Place? {
        guard case .place(let id) = fence.area, let place = catalogue.placeIndex.record(of: id)?.value,
            fence.mayFollow(place)
        else { return nil }
        return place
    }

    /// Areas of services' places within `margin` meters of the shortest path, by number, and possibly others.
    ///
    /// - Returns: only those at its end when `most` work units do not find all; nil when they do not find those either.
    private func areasOfServices(
        from start: Coordinate, to end: Coordinate, margin: Double, atMost most: Int?, steps: inout Int
    ) -> [UInt32]? {
        let near = catalogue.placeIndex.areas.mayTouch(
            from: start, to: end, margin: margin, atMost: most, steps: &steps)
        if near != nil || start == end && margin == 0 { return near }
        return catalogue.placeIndex.areas.mayTouch(from: end, to: end, margin: 0, atMost: most, steps: &steps)
    }

    /// Numbers of fences on areas of places that may watch a person, and possibly others; services' fences and those
    /// on a kind only where the path touches such an area.
    func fencesOverPlaces(
        watching person: PersonNumber, from start: Coordinate, to end: Coordinate, steps: inout Int
    ) -> [FenceNumber] {
        guard fences.overPlaces.isAny(about: person) else { return [] }
        let near = areasOfServices(from: start, to: end, margin: 0, atMost: PlaceFences.mostSteps, steps: &steps)
        var (found, kinds): ([FenceNumber], Set<Int32>) = ([], [])
        for number in near ?? [] {
            guard let entry = catalogue.placeIndex[PlaceNumber(number)] else { continue }
            found += fences.overPlaces.ofPlaces[entry.record.value.id]?.numbers ?? []
            guard kinds.insert(entry.kind).inserted else { continue }
            found += fences.overPlaces.ofKinds[catalogue.placeIndex.words.word(of: entry.kind)]?.numbers ?? []
        }
        for number in fences.overPlaces.ofPeople[person]?.numbers ?? [] {
            if case .places(let kind)? = fences[number]?.fence.area,
                !(catalogue.placeIndex.words.term(kind).map(kinds.contains) ?? false)
            {
                continue
            }
            found.append(number)
        }
        steps += 2 * (near?.count ?? 0) + found.count
        return found
    }

    /// Lower bound of the distance in meters to the border of a place with a fence on a person, up to `limit`.
    ///
    /// It is 0 where too many are near. `few` are the fences of services and of the person that may watch the person,
    /// if there are few.
    func distanceToPlaces(
        watching person: PersonNumber, few: [FenceNumber]?, at now: Timestamp, from place: Coordinate,
        upTo limit: Double, steps: inout Int
    ) -> Double {
        guard !fences.overPlaces.isEmpty else { return limit }
        var (border, kinds): (Double, Set<Int32>) = (limit, [])
        let listed = few ?? fences.overPlaces.ofPeople[person]?.numbers ?? []
        for number in listed + (fences.watches[person] ?? [:]).keys {
            guard let entry = fences[number], entry.covered == nil, affectsHints(entry, person, at: now) else {
                continue
            }
            if case .places(let kind) = entry.fence.area {
                if let kind = catalogue.placeIndex.words.term(kind) { kinds.insert(kind) }
            } else if let area = followedPlace(of: entry.fence)?.area {
                border = area.covered.area.distanceToBorder(from: place, upTo: border, steps: &steps)
            }
        }
        if few == nil { kinds.formUnion(kindsOfServices(watching: person, at: now)) }
        guard !kinds.isEmpty || few == nil && !fences.overPlaces.ofPlaces.isEmpty else { return border }
        return catalogue.placeIndex.areas.distanceToNextBorder(
            from: place, upTo: border, atMost: PlaceFences.mostSteps, steps: &steps
        ) { number in
            guard let entry = catalogue.placeIndex[PlaceNumber(number)] else { return false }
            if kinds.contains(entry.kind) { return true }
            guard few == nil, let some = fences.overPlaces.ofPlaces[entry.record.value.id] else { return false }
            return some.numbers.contains { fences[$0].map { affectsHints($0, person, at: now) } ?? false }
        } ?? 0
    }

    /// The kinds of places for which a service's fence watches a person without naming people.
    private func kindsOfServices(watching person: PersonNumber, at now: Timestamp) -> [Int32] {
        fences.overPlaces.ofKinds.compactMap { kind, some in
            let isAny = some.numbers.contains { fences[$0].map { affectsHints($0, person, at: now) } ?? false }
            return isAny ? catalogue.placeIndex.words.term(folded: kind) : nil
        }
    }
}
