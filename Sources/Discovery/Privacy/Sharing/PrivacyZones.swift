package import Geo
package import Model
package import Structures

/// The displaced privacy zones of a person, inside which others see the public cell.
///
/// An attacker who collects exact positions at the edge of a circle finds its center, so the center is displaced by 100
/// to 200 m. The offset depends only on a secret, the person and the zone's id, so that repeated edits do not give many
/// circles whose centers average to the true one.
///
/// The cell is fixed at the first entry. A new cell at each entry would reveal the sides from which the person comes,
/// and so where these meet.
struct PrivacyZones: Sendable {
    private var areas: [Area] = []

    /// Overlapping zones, which act as one, because a cell that changed between them would locate the overlap.
    private struct Area {
        var circles: [Circle] = []
        var trueCentres: [Coordinate] = []

        func covers(_ place: Coordinate) -> Bool { circles.contains { $0.contains(place) } }

        func overlaps(_ circle: Circle) -> Bool {
            circles.contains { Geodesic.isCloser($0.centre, circle.centre, than: $0.radius + circle.radius) }
        }

        /// Whether a person who enters may be shown in a cell.
        func reaches(_ cell: CubeCell) -> Bool { circles.contains { $0.mayTouch(cell, RememberedCell.overhang) } }

        func isWhere(_ cell: RememberedCell) -> Bool { cell.key == nil && trueCentres.contains(cell.place) }

        mutating func unite(with other: Area) {
            circles += other.circles
            trueCentres += other.trueCentres
        }
    }

    init() {}

    var isEmpty: Bool { areas.isEmpty }

    init(_ zones: [PrivacyZone], of person: PersonID, _ key: SipKey?) {
        for zone in zones {
            let circle = Circle(key.map { zone.displacedCentre(of: person, $0) } ?? zone.centre, zone.radius)
            var area = Area(circles: [circle], trueCentres: [zone.centre])
            for other in areas where other.overlaps(circle) { area.unite(with: other) }
            areas.removeAll { $0.overlaps(circle) }
            areas.append(area)
        }
    }

    func covers(_ place: Coordinate) -> Bool { areas.contains { $0.covers(place) } }

    /// Whether two places lie in the same zone.
    func haveInOne(_ place: Coordinate, _ other: Coordinate) -> Bool {
        areas.contains { $0.covers(place) && $0.covers(other) }
    }

    /// Whether a zone contains one of two places and not the other, so that they are shown differently.
    func separate(_ place: Coordinate, from other: RecentPing) -> Bool {
        let isInZone = covers(place)
        guard isInZone == covers(other.place, other.isInPrivacyZone) else { return true }
        return isInZone && !haveInOne(place, other.place)
    }

    /// A lower bound of the distance to the border of a zone, in meters; at most `limit`.
    ///
    /// - Complexity: O(circles).
    func distanceToBorder(from place: Coordinate, upTo limit: Double) -> Double {
        areas.reduce(limit) { nearest, area in
            WorkBudget.count(20 * area.circles.count)
            return area.circles.reduce(nearest) {
                min($0, abs(Geodesic.distance(from: place, to: $1.centre) - $1.radius))
            }
        }
    }

    /// Whether a stored position must not be shown exactly: it lay in a zone when it was stored, or lies in one now.
    func covers(_ place: Coordinate, _ wasInZone: Bool) -> Bool { wasInZone || covers(place) }

    /// The public cell already shown for the zone around a place, remembered or from the position before; nil for none.
    func keptCell(at place: Coordinate, after before: RecentPing?, _ cells: [RememberedCell]) -> CubeCell? {
        guard let area = areas.first(where: { $0.covers(place) }) else { return nil }
        if let known = cells.first(where: area.isWhere) { return known.cell }
        return before.flatMap { area.covers($0.place) && area.reaches($0.publicCell) ? $0.publicCell : nil }
    }

    /// The remembered cells after `cell` was shown at a place, with the first cell shown in the place's zone.
    func rememberedCells(_ cells: [RememberedCell], showing cell: CubeCell, at place: Coordinate) -> [RememberedCell] {
        guard let area = areas.first(where: { $0.covers(place) }), area.reaches(cell),
            !cells.contains(where: area.isWhere), let centre = area.trueCentres.first
        else { return cells }
        return [RememberedCell(key: nil, place: centre, cell: cell)] + cells
    }

    /// The remembered cells to keep: without cells of removed zones, and cells that their zone no longer reaches.
    func rememberedCells(_ cells: [RememberedCell]) -> [RememberedCell] {
        cells.filter { cell in
            cell.key != nil || areas.contains { $0.isWhere(cell) && $0.reaches(cell.cell) }
        }
    }
}

extension PrivacyZone {
    /// The displacement of the center, in meters; less than the minimum radius, so that the true center is inside.
    package static let displacement = 100.0...200.0

    /// The displaced center, uniformly distributed over the ring around the true center.
    package func displacedCentre(of person: PersonID, _ key: SipKey) -> Coordinate {
        let own = key.derived(for: "\(person) \(id)")
        let (turn, share) = (own.fraction(0), own.fraction(1))
        let (near, far) = (Self.displacement.lowerBound, Self.displacement.upperBound)
        let metres = (near * near + share * (far * far - near * near)).squareRoot()
        return Geodesic.destination(from: centre, bearing: turn * 360, metres: metres)
    }
}

extension SipKey {
    /// A number in [0, 1).
    fileprivate func fraction(_ number: UInt64) -> Double { Double(hash(number) >> 11) * 0x1p-53 }
}
