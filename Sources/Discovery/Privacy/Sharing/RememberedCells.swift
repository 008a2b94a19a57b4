internal import Geo
internal import Model
internal import Structures

/// A place where a person stays keeps the cell that strangers are shown, at each return.
///
/// Otherwise receiver jitter or the side of arrival would choose between two neighboring cells every evening, and
/// reveal after some days how near to the border the home lies.
extension RememberedCell {
    /// The minimum duration of a stay.
    private static let stay = Duration.seconds(900)
    /// A position nearer than this to a remembered place, in meters, is a return.
    private static let reach = 200.0
    /// The depth inside a cell, in sides of the cell, beyond which the cell is unambiguous.
    private static let depth = 0.2
    /// How far around a remembered cell its surroundings still count as that cell, in sides of the cell.
    package static let overhang = 0.35
    /// The maximum number of remembered stays, besides the zones' cells; the most recent are kept.
    private static let most = 8
    /// The minimum time between two updates of a remembered cell's visit.
    private static let day = Duration.seconds(86_400)

    /// The index of the remembered cell at a place; the nearest of several.
    static func at(_ place: Coordinate, of cells: [RememberedCell]) -> Int? {
        cells.indices.filter { cells[$0].key != nil && Geodesic.isCloser(cells[$0].place, place, than: reach) }
            .min {
                Geodesic.distance(from: cells[$0].place, to: place)
                    < Geodesic.distance(from: cells[$1].place, to: place)
            }
    }

    /// The remembered cells of a person who was at a stored position until the next was stored.
    ///
    /// In a privacy zone the cell may lie far from the place; such a cell is not remembered as a stay.
    static func after(_ cells: [RememberedCell], leaving point: RecentPing, at time: Timestamp) -> [RememberedCell] {
        guard time - point.time >= stay, (-overhang..<depth).contains(point.publicCell.depth(of: point.place))
        else { return cells }
        let zones = cells.filter { $0.key == nil }
        var stays = cells.filter { $0.key != nil }
        if let known = at(point.place, of: stays) {
            guard let key = stays[known].key, point.time - key.time >= day, stays[known].cell == point.publicCell
            else { return cells }
            stays.remove(at: known)
        }
        stays.append(RememberedCell(key: point.key, place: point.place, cell: point.publicCell))
        return zones + stays.suffix(most)
    }
}

extension CubeCell {
    /// The public cell of a person who moved from `current` to `place`: the remembered one after a return.
    static func publicCell(at place: Coordinate, after current: CubeCell?, _ cells: [RememberedCell]) -> CubeCell {
        let known = RememberedCell.at(place, of: cells).map { cells[$0].cell }
        if let known, known.overshoot(of: place) <= RememberedCell.overhang {
            return known
        }
        return publicCell(at: place, after: current)
    }
}

extension PersonState {
    /// The changes after positions are deleted; a cell shown in a zone belongs to the zone, not to a position.
    func forgettingRememberedCells(of keys: Set<PingKey>) -> [Change] {
        having(traces.rememberedCells.filter { remembered in remembered.key.map { !keys.contains($0) } ?? true })
    }

    /// The changes after an edit of the zones; the cell shown in a zone before its creation remains the zone's cell.
    func consequencesOfZones() -> [Change] {
        let left = privacyZones.rememberedCells(traces.rememberedCells)
        return having(last.map { privacyZones.rememberedCells(left, showing: $0.publicCell, at: $0.place) } ?? left)
    }

    private func having(_ left: [RememberedCell]) -> [Change] {
        left == traces.rememberedCells ? [] : [.strangers(.rememberedCells(person: record.number, left))]
    }
}
