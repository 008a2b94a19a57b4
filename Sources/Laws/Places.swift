public import Geo

/// Random places, with many edge cases.
extension SeededGenerator {
    /// A place distributed uniformly on the sphere.
    public mutating func evenPlace() -> Coordinate {
        place(Double.asin(number(-1..<1)) * 180 / .pi, number(-180..<180))
    }

    /// A place anywhere, often at a pole, the 180° meridian, the equator, an edge or corner of a cube face, or a border of
    /// cells.
    public mutating func place() -> Coordinate {
        switch integer(0...11) {
        case 0: place(pick([90, -90, 89.999_999_9, -89.999_999_9, 89.99, -89.99]), number(-180..<180))
        case 1:
            place(number(-90..<90), pick([180, -180, 179.999_999_9, -179.999_999_9, 0, .leastNonzeroMagnitude, -0.0]))
        case 2: place(pick([0, -0.0, 1e-7, -1e-7, .leastNonzeroMagnitude]), number(-180..<180))
        case 3: place(number(-90..<90), pick([45, 135, -45, -135]))
        // Three faces of the cube meet at 35.264°, apart from the flattening.
        case 4:
            jittered(
                place(pick([35.264_389_7, -35.264_389_7]), pick([45, 135, -45, -135])), metres: pick([0, 1, 1e5]))
        case 5: CubeCell(containing: evenPlace(), level: integer(1...20)).centre
        case 6: cellCorner()
        case 7, 8: jittered(place(39.469_9, -0.376_3), metres: pick([1, 100, 1e4]))
        default: evenPlace()
        }
    }

    /// A place at most about this distance in meters from another.
    public mutating func jittered(_ place: Coordinate, metres: Double) -> Coordinate {
        Geodesic.destination(from: place, bearing: number(0..<360), metres: metres * number(0..<1))
    }

    /// A place at a corner of four cells, or at most 1 m away.
    private mutating func cellCorner() -> Coordinate {
        let cell = CubeCell(containing: evenPlace(), level: integer(1...18))
        let finer = CubeCell(containing: cell.centre, level: cell.level + 1)
        let side = Geodesic.distance(from: cell.centre, to: finer.centre)
        return jittered(
            Geodesic.destination(from: cell.centre, bearing: pick([45, 135, 225, 315]), metres: side), metres: 1)
    }

    /// The antipode, or a place near it.
    public mutating func antipode(of other: Coordinate) -> Coordinate {
        let longitude = other.longitude > 0 ? other.longitude - 180 : other.longitude + 180
        return jittered(place(-other.latitude, longitude), metres: pick([0, 1, 1e4]))
    }

    private func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
        guard let place = try? Coordinate(latitude: latitude, longitude: longitude) else {
            preconditionFailure("\(latitude), \(longitude) is a place")
        }
        return place
    }
}
