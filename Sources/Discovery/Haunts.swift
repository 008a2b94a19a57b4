internal import Geo
internal import Storage

/// Where people stay, strangers are told the same cell each time they come back.
///
/// Without that the jitter of a receiver, or the side from which somebody came, would decide anew every evening which of two
/// neighbouring cells it is, and that would tell after some days how near home lies to the border.
extension Haunt {
    /// Who was nowhere else for so long stayed.
    private static let stay = Duration.seconds(900)
    /// Whoever is nearer than this, in metres, came back.
    private static let reach = 200.0
    /// How deep inside a cell a place lies, in sides of the cell, that is in no doubt.
    private static let depth = 0.2
    /// How far outside its cell a haunt's surroundings are the haunt's still, in sides of the cell.
    package static let overhang = 0.35
    /// How many a person has: those where they were last.
    private static let most = 8
    /// When a haunt was visited is written no more often than this.
    private static let day = Duration.seconds(86_400)

    /// The one at which a place is; the nearest of several.
    static func at(_ place: Coordinate, of haunts: [Haunt]) -> Int? {
        haunts.indices.filter { Geodesic.isCloser(haunts[$0].place, place, than: reach) }
            .min {
                Geodesic.distance(from: haunts[$0].place, to: place)
                    < Geodesic.distance(from: haunts[$1].place, to: place)
            }
    }

    /// The haunts of a person who was at a stored position until another was stored; nil if they are the same as before.
    static func after(_ haunts: [Haunt], leaving point: Waypoint, at time: Timestamp) -> [Haunt]? {
        guard time - point.time >= stay, point.publicCell.depth(of: point.place) < depth else { return nil }
        var haunts = haunts
        if let known = at(point.place, of: haunts) {
            guard point.time - haunts[known].key.time >= day, haunts[known].cell == point.publicCell else { return nil }
            haunts.remove(at: known)
        }
        haunts.append(Haunt(key: point.key, place: point.place, cell: point.publicCell))
        return haunts.suffix(most)
    }
}

extension CubeCell {
    /// The public cell of a person who was in `current` and is now at `place`: where they stayed before, that of then.
    static func publicCell(at place: Coordinate, after current: CubeCell?, _ haunts: [Haunt]) -> CubeCell {
        if let haunt = Haunt.at(place, of: haunts), haunts[haunt].cell.overshoot(of: place) <= Haunt.overhang {
            return haunts[haunt].cell
        }
        return publicCell(at: place, after: current)
    }
}
