internal import Geo
internal import Model
internal import Structures

/// The fences about areas of places, found by the place, by the kind and by whom they are about.
///
/// The areas are those of the moment at which somebody is judged: so a fence follows its places without anything being done when
/// one of them changes. Places that people own are not looked for near a way: a fence that goes by one is its owner's alone.
struct PlaceFences: Sendable {
    /// For so many steps areas of places are looked for: services may lay many over each other.
    static let mostSteps = 6_000

    /// Those of services about a place.
    private(set) var ofPlaces: [PlaceID: SortedNumbers<FenceNumber>] = [:]
    /// Those of services about a kind, folded, that name nobody.
    private(set) var ofKinds: [String: SortedNumbers<FenceNumber>] = [:]
    /// The others: those of people by whose they are, and those of services about a kind by whom they name.
    private(set) var ofPeople: [PersonNumber: SortedNumbers<FenceNumber>] = [:]

    var isEmpty: Bool { ofPlaces.isEmpty && ofKinds.isEmpty && ofPeople.isEmpty }

    /// Whether any of a service may watch a person, or any is the person's.
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
    /// Whether it is about places on the Earth, and not about people.
    var isSomewhere: Bool {
        switch self {
        case .circle, .polygons, .corridor, .place, .places: true
        case .person, .anywhere: false
        }
    }
}

/// Some areas together.
struct FencedAreas {
    let areas: [FencedArea]

    /// Of more than so many it is not told how a way goes through them.
    private static let mostOnTheWay = 16
    /// For so many steps they are looked at: where more are left it is known neither that a place is inside nor that it is not.
    private static let mostSteps = 3_000

    /// Whether a place is known to lie in any of them.
    func contains(_ place: Coordinate, steps: inout Int) -> Bool {
        let end = steps + Self.mostSteps
        for area in areas where steps <= end && area.contains(place, steps: &steps) { return true }
        return false
    }

    /// Whether a place is known to be outside of all of them and surely farther than so many metres from each.
    func isOutside(_ place: Coordinate, by metres: Double, steps: inout Int) -> Bool {
        let end = steps + Self.mostSteps
        for area in areas where steps > end || !area.isOutside(place, by: metres, steps: &steps) { return false }
        return true
    }

    /// The parts of the shortest way between two places that lie in any of them, as ``FencedArea`` tells them.
    ///
    /// A gap between two that may not be one is none. Of many areas no parts are told. The areas share `most` steps.
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

extension Picture {
    /// What a fence is about of what the shortest way between two places comes as near to as a margin in metres: its own area, or
    /// those that places have now.
    ///
    /// - Returns: nil for what is no place, and where so many steps do not find the areas of a kind.
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

    /// The place that a fence names, if the fence goes by its area; nil for a fence about other areas.
    func followedPlace(of fence: Fence) -> Place? {
        guard case .place(let id) = fence.area, let place = catalogue.placeIndex.record(of: id)?.value,
            fence.mayFollow(place)
        else { return nil }
        return place
    }

    /// The areas of places of services that the shortest way between two places comes as near to as a margin in metres, in the
    /// order of their numbers, and some others; where so many steps do not find these, those about its end alone.
    ///
    /// - Returns: nil where they do not find those either.
    private func areasOfServices(
        from start: Coordinate, to end: Coordinate, margin: Double, atMost most: Int?, steps: inout Int
    ) -> [UInt32]? {
        let near = catalogue.placeIndex.areas.mayTouch(
            from: start, to: end, margin: margin, atMost: most, steps: &steps)
        if near != nil || start == end && margin == 0 { return near }
        return catalogue.placeIndex.areas.mayTouch(from: end, to: end, margin: 0, atMost: most, steps: &steps)
    }

    /// The numbers of the fences about areas of places that may watch a person, and of some others: of those of services and of
    /// those about a kind only where the shortest way between two places touches such an area.
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

    /// Metres from a place to the next border of the area of a place that a fence about a person goes by: a lower bound; the limit
    /// when none is nearer, and 0 where too many are near.
    ///
    /// `few` are the fences of services and of the person themselves that may watch the person, if these are few.
    func distanceToPlaces(
        watching person: PersonNumber, few: [FenceNumber]?, at now: Timestamp, from place: Coordinate,
        upTo limit: Double, steps: inout Int
    ) -> Double {
        guard !fences.overPlaces.isEmpty else { return limit }
        var (border, kinds): (Double, Set<Int32>) = (limit, [])
        let listed = few ?? fences.overPlaces.ofPeople[person]?.numbers ?? []
        for number in listed + (fences.watches[person] ?? [:]).keys {
            guard let entry = fences[number], entry.covered == nil, isHeeded(entry, person, at: now) else { continue }
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
            return some.numbers.contains { fences[$0].map { isHeeded($0, person, at: now) } ?? false }
        } ?? 0
    }

    /// The kinds of places about which fences of services watch a person without naming anybody.
    private func kindsOfServices(watching person: PersonNumber, at now: Timestamp) -> [Int32] {
        fences.overPlaces.ofKinds.compactMap { kind, some in
            let isAny = some.numbers.contains { fences[$0].map { isHeeded($0, person, at: now) } ?? false }
            return isAny ? catalogue.placeIndex.words.term(folded: kind) : nil
        }
    }
}
