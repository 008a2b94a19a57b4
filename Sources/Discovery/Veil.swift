package import Geo
package import Storage

/// The privacy zones of a person, displaced: in them others get the public cell.
///
/// Who collects exact positions at the edge of a circle finds its middle: so the middle is not that of the zone. From the true
/// one it lies 100 to 200 m off, somewhere that depends on a secret, the person and the zone's id only, so that many edits do not
/// give many circles, whose middles together would tell.
struct Veil: Sendable {
    private let circles: [Circle]

    init(_ zones: [PrivacyZone], of person: EntityID, _ key: SipKey?) {
        circles = zones.map { zone in
            Circle(key.map { zone.displacedCentre(of: person, $0) } ?? zone.centre, zone.radius)
        }
    }

    /// Whether a place lies in a zone.
    func covers(_ place: Coordinate) -> Bool { circles.contains { $0.contains(place) } }

    /// Whether a stored position is not to be told exactly: it lay in a zone when it was stored, or lies in one now.
    func covers(_ place: Coordinate, _ wasVeiled: Bool) -> Bool { wasVeiled || covers(place) }

    /// Whether two places lie in the same zone.
    func covers(_ a: Coordinate, and b: Coordinate) -> Bool { circles.contains { $0.contains(a) && $0.contains(b) } }

    /// The public cell that a person keeps who was at another place of the same zone before; nil for any other.
    func keptCell(at place: Coordinate, after before: Waypoint?) -> CubeCell? {
        guard let before, covers(before.place, and: place) else { return nil }
        return before.publicCell
    }
}

extension PrivacyZone {
    /// How far the circle that is used lies off the true one, in metres; less than the least radius, so that the true middle
    /// is inside.
    package static let displacement = 100.0...200.0

    /// The middle of the circle that is used, anywhere in the ring around the true one with the same chance.
    package func displacedCentre(of person: EntityID, _ key: SipKey) -> Coordinate {
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
