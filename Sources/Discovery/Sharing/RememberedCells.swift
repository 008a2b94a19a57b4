internal import Geo
internal import Model
internal import Structures

/// Where people stay, strangers are told the same cell each time they come back.
///
/// Without that the jitter of a receiver, or the side from which somebody came, would decide anew every evening which of two
/// neighbouring cells it is, and that would tell after some days how near home lies to the border.
extension RememberedCell {
    /// Who was nowhere else for so long stayed.
    private static let stay = Duration.seconds(900)
    /// Whoever is nearer than this, in metres, came back.
    private static let reach = 200.0
    /// How deep inside a cell a place lies, in sides of the cell, that is in no doubt.
    private static let depth = 0.2
    /// How far outside its cell a remembered cell's surroundings are the remembered cell's still, in sides of the cell.
    package static let overhang = 0.35
    /// How many a person has beside those of zones: those where they were last.
    private static let most = 8
    /// When a remembered cell was visited is written no more often than this.
    private static let day = Duration.seconds(86_400)

    /// The one at which a place is; the nearest of several.
    static func at(_ place: Coordinate, of cells: [RememberedCell]) -> Int? {
        cells.indices.filter { cells[$0].key != nil && Geodesic.isCloser(cells[$0].place, place, than: reach) }
            .min {
                Geodesic.distance(from: cells[$0].place, to: place)
                    < Geodesic.distance(from: cells[$1].place, to: place)
            }
    }

    /// The remembered cells of a person who was at a stored position until another was stored.
    ///
    /// In a zone the cell may lie far from the place: then that is none.
    static func after(_ cells: [RememberedCell], leaving point: JudgedPing, at time: Timestamp) -> [RememberedCell] {
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
    /// The public cell of a person who was in `current` and is now at `place`: where they stayed before, that of then.
    static func publicCell(at place: Coordinate, after current: CubeCell?, _ cells: [RememberedCell]) -> CubeCell {
        let known = RememberedCell.at(place, of: cells).map { cells[$0].cell }
        if let known, known.overshoot(of: place) <= RememberedCell.overhang {
            return known
        }
        return publicCell(at: place, after: current)
    }
}

extension PersonState {
    /// What follows when positions are deleted: what was told in a zone belongs to the zone, not to one of them.
    func forgettingRememberedCells(of keys: Set<PingKey>) -> [Change] {
        having(traces.rememberedCells.filter { remembered in remembered.key.map { !keys.contains($0) } ?? true })
    }

    /// What follows when these are the person's zones now: what was told in one before it was made stays what is told there.
    func consequencesOfZones() -> [Change] {
        let left = privacyZones.rememberedCells(traces.rememberedCells)
        return having(last.map { privacyZones.rememberedCells(left, telling: $0.publicCell, at: $0.place) } ?? left)
    }

    private func having(_ left: [RememberedCell]) -> [Change] {
        left == traces.rememberedCells ? [] : [.strangers(.rememberedCells(person: record.number, left))]
    }
}
