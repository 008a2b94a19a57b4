internal import Geo
internal import Model
internal import Structures

/// The fences about areas of places, found by the place and by the kind.
///
/// The areas are those of the moment at which somebody is judged: so a fence follows its places without anything being done when
/// one of them changes.
struct PlaceFences: Sendable {
    private var ofPlaces: [PlaceID: SortedNumbers<FenceNumber>] = [:]
    private var ofKinds: [String: SortedNumbers<FenceNumber>] = [:]

    var isEmpty: Bool { ofPlaces.isEmpty && ofKinds.isEmpty }

    mutating func insert(_ record: Versioned<Fence>) {
        switch record.value.area {
        case .place(let id): ofPlaces[id, default: SortedNumbers()].insert(record.number)
        case .places(let kind): ofKinds[PlainText.of(kind), default: SortedNumbers()].insert(record.number)
        case .circle, .polygons, .corridor, .person, .anywhere: break
        }
    }

    mutating func remove(_ record: Versioned<Fence>) {
        switch record.value.area {
        case .place(let id): ofPlaces.remove(record.number, of: id)
        case .places(let kind): ofKinds.remove(record.number, of: PlainText.of(kind))
        case .circle, .polygons, .corridor, .person, .anywhere: break
        }
    }

    /// Those about a place, or its kind, folded, unless that is nil.
    func about(_ place: PlaceID, ofKind kind: String?) -> [FenceNumber] {
        (ofPlaces[place]?.numbers ?? []) + (kind.flatMap { ofKinds[$0]?.numbers } ?? [])
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

extension PlaceIndex.Entry {
    /// Whether no person owns the place: else whoever makes places would decide what rings for others, and how much is looked at.
    fileprivate var isOfServices: Bool { record.value.owner == nil }
}

/// Some areas together.
struct FencedAreas {
    let areas: [FencedArea]

    /// Of more than so many it is not told how a way goes through them.
    private static let mostOnTheWay = 16

    /// Whether a place lies in any of them.
    func contains(_ place: Coordinate, steps: inout Int) -> Bool {
        for area in areas where area.contains(place, steps: &steps) { return true }
        return false
    }

    /// Whether a place is outside of all of them and surely farther than so many metres from each.
    func isOutside(_ place: Coordinate, by metres: Double, steps: inout Int) -> Bool {
        for area in areas where !area.isOutside(place, by: metres, steps: &steps) { return false }
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
    /// those that places have now; nil for what is no place.
    func areas(
        of entry: Fences.Entry, from start: Coordinate, to end: Coordinate, margin: Double, steps: inout Int
    ) -> FencedAreas? {
        switch entry.fence.area {
        case .circle, .polygons, .corridor: return entry.area.map { FencedAreas(areas: [$0]) }
        case .place:
            let area = followedPlace(of: entry.fence)?.area
            return FencedAreas(areas: area.map { [$0.covered.area] } ?? [])
        case .places(let kind):
            guard let kind = catalogue.placeIndex.words.term(kind) else { return FencedAreas(areas: []) }
            let near = catalogue.placeIndex.areas.mayTouch(from: start, to: end, margin: margin, steps: &steps) {
                catalogue.placeIndex[PlaceNumber($0)].map { $0.kind == kind && $0.isOfServices } ?? false
            }
            return FencedAreas(areas: near.compactMap { catalogue.placeIndex.areas[$0] })
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

    /// The numbers of the fences about areas of places that the shortest way between two places touches, and of some others.
    func fencesOverPlaces(from start: Coordinate, to end: Coordinate, steps: inout Int) -> [FenceNumber] {
        guard !fences.overPlaces.isEmpty else { return [] }
        return catalogue.placeIndex.areas.mayTouch(from: start, to: end, margin: 0, steps: &steps).flatMap {
            fencesOver(PlaceNumber($0))
        }
    }

    /// Metres from a place to the next border of the area of a place that a fence about a person goes by: a lower bound; the limit
    /// when none is nearer.
    func distanceToPlaces(
        watching person: PersonNumber, at now: Timestamp, from place: Coordinate, upTo limit: Double, steps: inout Int
    ) -> Double {
        guard !fences.overPlaces.isEmpty else { return limit }
        return catalogue.placeIndex.areas.distanceToNextBorder(from: place, upTo: limit, steps: &steps) { number in
            fencesOver(PlaceNumber(number)).contains { fences[$0].map { isHeeded($0, person, at: now) } ?? false }
        }
    }

    private func fencesOver(_ number: PlaceNumber) -> [FenceNumber] {
        guard let entry = catalogue.placeIndex[number] else { return [] }
        let kind = entry.isOfServices ? catalogue.placeIndex.words.word(of: entry.kind) : nil
        let found = fences.overPlaces.about(entry.record.value.id, ofKind: kind)
        Effort.count(2 + found.count)
        if entry.isOfServices { return found }
        return found.filter { fences[$0]?.fence.mayFollow(entry.record.value) ?? false }
    }
}
