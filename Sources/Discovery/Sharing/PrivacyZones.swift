package import Geo
package import Model
package import Structures

/// The privacy zones of a person, displaced: in them others get the public cell.
///
/// Who collects exact positions at the edge of a circle finds its middle: so the middle is not that of the zone. From the true
/// one it lies 100 to 200 m off, somewhere that depends on a secret, the person and the zone's id only, so that many edits do not
/// give many circles, whose middles together would tell.
///
/// The cell is that of the first entry ever since: a cell of each entry would tell from which sides the person comes, and so
/// where they meet.
struct PrivacyZones: Sendable {
    private var areas: [Area] = []

    /// Zones that overlap: one zone to others, for a cell that changed between them would tell where they meet.
    private struct Area {
        var circles: [Circle] = []
        var trueCentres: [Coordinate] = []

        func covers(_ place: Coordinate) -> Bool { circles.contains { $0.contains(place) } }

        func overlaps(_ circle: Circle) -> Bool {
            circles.contains { Geodesic.isCloser($0.centre, circle.centre, than: $0.radius + circle.radius) }
        }

        /// Whether somebody who enters may be told to be in a cell.
        func reaches(_ cell: CubeCell) -> Bool { circles.contains { $0.mayTouch(cell, RememberedCell.overhang) } }

        func isWhere(_ cell: RememberedCell) -> Bool { cell.key == nil && trueCentres.contains(cell.place) }

        mutating func unite(with other: Area) {
            circles += other.circles
            trueCentres += other.trueCentres
        }
    }

    /// None.
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

    /// Whether a place lies in a zone.
    func covers(_ place: Coordinate) -> Bool { areas.contains { $0.covers(place) } }

    /// Whether two places lie in the same zone.
    func haveInOne(_ place: Coordinate, _ other: Coordinate) -> Bool {
        areas.contains { $0.covers(place) && $0.covers(other) }
    }

    /// Whether a zone has one of two places and not the other, so that people are shown them in different ways.
    func separate(_ place: Coordinate, from other: JudgedPing) -> Bool {
        let isInZone = covers(place)
        guard isInZone == covers(other.place, other.isInPrivacyZone) else { return true }
        return isInZone && !haveInOne(place, other.place)
    }

    /// How far it is at least to the border of a zone, in metres; at most a limit.
    ///
    /// - Complexity: O(circles).
    func distanceToBorder(from place: Coordinate, upTo limit: Double) -> Double {
        areas.reduce(limit) { nearest, area in
            Effort.count(20 * area.circles.count)
            return area.circles.reduce(nearest) {
                min($0, abs(Geodesic.distance(from: place, to: $1.centre) - $1.radius))
            }
        }
    }

    /// Whether a stored position is not to be told exactly: it lay in a zone when it was stored, or lies in one now.
    func covers(_ place: Coordinate, _ wasInZone: Bool) -> Bool { wasInZone || covers(place) }

    /// The public cell that was told before in the zone in which a place lies: ever, or of the position before; nil for none.
    func keptCell(at place: Coordinate, after before: JudgedPing?, _ cells: [RememberedCell]) -> CubeCell? {
        guard let area = areas.first(where: { $0.covers(place) }) else { return nil }
        if let known = cells.first(where: area.isWhere) { return known.cell }
        return before.flatMap { area.covers($0.place) && area.reaches($0.publicCell) ? $0.publicCell : nil }
    }

    /// The remembered cells after a cell was told at a place: with that of its zone, if none was told there before.
    func rememberedCells(_ cells: [RememberedCell], telling cell: CubeCell, at place: Coordinate) -> [RememberedCell] {
        guard let area = areas.first(where: { $0.covers(place) }), area.reaches(cell),
            !cells.contains(where: area.isWhere), let centre = area.trueCentres.first
        else { return cells }
        return [RememberedCell(key: nil, place: centre, cell: cell)] + cells
    }

    /// The remembered cells that these zones leave: without those of zones that are gone, or too small for them.
    func rememberedCells(_ cells: [RememberedCell]) -> [RememberedCell] {
        cells.filter { cell in
            cell.key != nil || areas.contains { $0.isWhere(cell) && $0.reaches(cell.cell) }
        }
    }
}

extension PrivacyZone {
    /// How far the circle that is used lies off the true one, in metres; less than the least radius, so that the true middle
    /// is inside.
    package static let displacement = 100.0...200.0

    /// The middle of the circle that is used, anywhere in the ring around the true one with the same chance.
    package func displacedCentre(of person: PersonID, _ key: SipKey) -> Coordinate {
        let own = key.derived(for: "\(person) \(id)")
        let (turn, share) = (own.fraction(0), own.fraction(1))
        let (near, far) = (Self.displacement.lowerBound, Self.displacement.upperBound)
        let metres = (near * near + share * (far * far - near * near)).squareRoot()
        return Geodesic.destination(from: centre, bearing: turn * 360, metres: metres)
    }
}

extension SipKey {
    /// A number from 0 to less than 1.
    fileprivate func fraction(_ number: UInt64) -> Double { Double(hash(number) >> 11) * 0x1p-53 }
}
