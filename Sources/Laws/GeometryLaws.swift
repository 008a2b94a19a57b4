import Geo

extension Law {
    /// The laws of the geometry beneath the index.
    public static let geometry: [Law] = [
        Law("distance is symmetric, and zero only between equal places") { random in
            let (a, b) = (random.place(), random.chance(0.3) ? random.antipode(of: random.place()) : random.place())
            let there = Geodesic.distance(from: a, to: b)
            let back = Geodesic.distance(from: b, to: a)
            try demand(abs(there - back) < 1e-7, "\(a) to \(b): \(there) there, \(back) back")
            try demand((there == 0) == (a == b), "\(a) to \(b): \(there)")
            try demand(there <= Geodesic.longestDistance + 1e-6, "\(a) to \(b): \(there)")
        },
        Law("a chord bounds the geodesic from below and above") { random in
            let a = random.place()
            let b = random.pick([
                random.place(), random.antipode(of: a), random.jittered(a, metres: 100),
                random.jittered(a, metres: 1e6),
            ])
            let distance = Geodesic.distance(from: a, to: b)
            let chord = EarthCentred(a).chord(to: EarthCentred(b))
            try demand(
                ChordBounds.lower(chord) <= distance, "\(a) \(b): lower \(ChordBounds.lower(chord)) > \(distance)")
            try demand(
                ChordBounds.upper(chord) >= distance, "\(a) \(b): upper \(ChordBounds.upper(chord)) < \(distance)")
            try demand(ChordBounds.longestChord(within: distance) >= chord, "\(a) \(b): longest chord of \(distance)")
            try demand(ChordBounds.shortestChord(beyond: distance) <= chord, "\(a) \(b): shortest chord of \(distance)")
            if distance < 10_000 {
                let width = ChordBounds.upper(chord) - ChordBounds.lower(chord)
                try demand(width < 25e-6, "\(a) \(b): the bounds are \(width) apart at \(distance)")
            }
        },
        Law("distances in tenths of a meter equal the geodesic") { random in
            let a = random.place()
            let b = random.chance(0.5) ? random.jittered(a, metres: 1e5) : random.place()
            let expected = Int64((Geodesic.distance(from: a, to: b) * 10).rounded())
            let got = Origin(a).decimetres(to: b)
            try demand(got == expected, "\(a) to \(b): \(got) instead of \(expected)")
        },
        Law("an initial course equals the geodesic, to a tenth of a meter and a degree") { random in
            let a = random.place()
            let b = random.jittered(a, metres: random.pick([0.02, 1, 100, 1e4, 1e5, 1e6, 1e7]))
            let decimetres = Int64((Geodesic.distance(from: a, to: b) * 10).rounded())
            let bearing = Int(Geodesic.bearing(from: a, to: b).rounded()) % 360
            let got = Origin(a).course(to: b)
            try demand(got == (decimetres, bearing), "\(a) to \(b): \(got) instead of \((decimetres, bearing))")
        },
        Law("a comparison with a limit agrees with the geodesic") { random in
            let a = random.place()
            let b = random.jittered(a, metres: random.pick([1, 1000, 1e6]))
            let distance = Geodesic.distance(from: a, to: b)
            for limit in [distance, distance.nextUp, distance - 1e-6, distance + 1e-6, 500, 0] {
                let got = Geodesic.isCloser(a, b, than: limit)
                try demand(got == (distance < limit), "\(a) to \(b) at \(distance): closer than \(limit) is \(got)")
            }
        },
        Law("a destination is as far as requested") { random in
            let a = random.place()
            let metres = random.number(0..<9_000_000)
            let b = Geodesic.destination(from: a, bearing: random.number(0..<360), metres: metres)
            let distance = Geodesic.distance(from: a, to: b)
            try demand(abs(distance - metres) < 0.02, "\(a): \(distance) instead of \(metres)")
        },
        Law("a coordinate survives being rounded, written and read") { random in
            let place = random.place()
            let read = try Coordinate(latitude: place.latitude, longitude: place.longitude)
            try demand(read == place, "\(place) became \(read)")
            let stored = Coordinate(latitudeE7: place.latitudeE7, longitudeE7: place.longitudeE7)
            try demand(stored == place, "\(place) became \(String(describing: stored))")
            try demand(place.longitude > -180 && place.longitude <= 180, "\(place)")
            try demand(abs(place.latitudeE7) < 900_000_000 || place.longitudeE7 == 0, "\(place)")
        },
        Law("cells nest, contain their center, and a place outside one overshoots it") { random in
            let place = random.place()
            let level = random.integer(1...30)
            let cell = CubeCell(containing: place, level: level)
            try demand(cell.level == level && cell.contains(place), "\(place) at level \(level)")
            try demand(cell.ancestor(level - 1) == CubeCell(containing: place, level: level - 1), "parent of \(place)")
            try demand(CubeCell(id: cell.id) == cell, "\(cell.id) read again")
            if level < 27 { try demand(cell.contains(cell.centre), "center of \(cell.id)") }
            try demand(cell.overshoot(of: place) < 1e-6 * Double(1 << level), "\(place) overshoots its own cell")
            let other = random.jittered(place, metres: 3000)
            if !cell.contains(other), level < 27 {
                try demand(cell.overshoot(of: other) > 0, "\(other) is outside \(cell.id)")
            }
        },
        Law("a cell of level 13 has sides of 0.86 to 1.22 km") { random in
            let cell = CubeCell(containing: random.place(), level: 13)
            let centres = [0.0, 90, 180, 270].map { bearing in
                CubeCell(containing: Geodesic.destination(from: cell.centre, bearing: bearing, metres: 1250), level: 13)
            }
            for other in centres where other != cell {
                let distance = Geodesic.distance(from: cell.centre, to: other.centre)
                try demand(distance > 700 && distance < 2600, "\(cell.id): a neighbor's center is \(distance) away")
            }
        },
        Law("a box contains the places east of its west, west of its east and between its parallels") { random in
            let (south, north) = (random.integer(-90...90), random.integer(-90...90))
            let (west, east) = (random.integer(-180...180), random.integer(-180...180))
            guard south <= north else { return }
            let box = try Box(west: Double(west), south: Double(south), east: Double(east), north: Double(north))
            let place =
                random.chance(0.5)
                ? random.place()
                : try Coordinate(
                    latitude: Double(random.integer(-90...90)), longitude: Double(random.integer(-180...180)))
            let width = west == -180 && east == 180 ? 360 : (east - west + 360) % 360
            let eastward = (place.longitude - Double(west) + 720).truncatingRemainder(dividingBy: 360)
            // 180° is both edges of the plane, so a box that ends there contains it, as does a box that begins there.
            let isWithin = eastward <= Double(width) || abs(place.latitude) == 90
            let expected = isWithin && place.latitude >= Double(south) && place.latitude <= Double(north)
            try demand(box.contains(place) == expected, "\(west) \(south) \(east) \(north) and \(place): \(!expected)")
        },
        Law("an area of one piece lies within its cap") { random in
            let region = random.region(around: random.place())
            guard let caps = region.circles, caps.count == 1 else { return }
            for _ in 0..<20 {
                let place = random.chance(0.5) ? random.place() : random.jittered(caps[0].centre, metres: 2e6)
                guard region.contains(place) else { continue }
                let chord = EarthCentred(caps[0].centre).chord(to: EarthCentred(place))
                try demand(
                    chord <= caps[0].radius,
                    "\(place) of \(region) is \(chord) from the middle, beyond \(caps[0].radius)")
            }
        },
        Law("a polygon contains the points that its outline winds around") { random in
            let corners = (0..<random.integer(3...12)).map { _ in
                (longitude: random.number(-60..<60).rounded(), latitude: random.number(-60..<60).rounded())
            }
            guard let polygon = try? Polygon(rings: [corners + [corners[0]]]) else { return }
            let point = (
                longitude: random.number(-60..<60) + 0.123_456_7, latitude: random.number(-60..<60) + 0.123_456_7
            )
            var crossings = 0
            for (a, b) in zip(corners, corners.dropFirst() + [corners[0]])
            where (a.latitude > point.latitude) != (b.latitude > point.latitude) {
                let share = (point.latitude - a.latitude) / (b.latitude - a.latitude)
                let longitude = a.longitude + share * (b.longitude - a.longitude)
                if abs(longitude - point.longitude) < 1e-5 { return }
                if longitude > point.longitude { crossings += 1 }
            }
            let place = try Coordinate(latitude: point.latitude, longitude: point.longitude)
            try demand(polygon.contains(place) == !crossings.isMultiple(of: 2), "\(corners) and \(point)")
        },
        Law("an area contains a place exactly if a test of all edges does") { random in
            let area = random.area()
            guard let region = area.region else { return }
            for _ in 0..<20 {
                let place = random.place(of: area)
                let isHeld = area.contains(place)
                try demand(region.contains(place) == isHeld, "\(area.polygons) and \(place): \(isHeld)")
            }
        },
        Law("points that a simplified line omits are within its tolerance") { random in
            var place = random.place()
            let step = random.pick([1.0, 50, 1000, 50_000])
            let line = (0..<random.integer(0...120)).map { _ in
                if random.chance(0.8) { place = random.jittered(place, metres: step) }
                return place
            }
            let tolerance = random.pick([0, 1, 20, step / 2, step * 5])
            let kept = Simplification.kept(line, tolerance: tolerance)
            try demand(kept.first == line.indices.first && kept.last == line.indices.last, "an end was lost")
            for (first, last) in zip(kept, kept.dropFirst()) {
                // Maximum deviation of the great circle from the geodesic.
                let length = Geodesic.distance(from: line[first], to: line[last])
                let bulge = length * length * 1.4e-10
                for index in first + 1..<last {
                    let distance = lineDistance(from: line[index], to: line[first], line[last])
                    try demand(
                        distance <= tolerance * 1.001 + 0.02 + bulge,
                        "\(line[index]) is \(distance) m off, not \(tolerance)")
                }
            }
            let ends = Simplification.kept(line, tolerance: 2e7)
            try demand(
                ends == Array(Set([0, line.count - 1]).filter { $0 >= 0 && !line.isEmpty }).sorted(), "kept \(ends)")
        },
        Law("a polygon contains its corners and the midpoints of its edges") { random in
            let corners = (0..<random.integer(3...12)).map { _ in
                (longitude: Double(random.integer(-44...44) * 2), latitude: Double(random.integer(-44...44) * 2))
            }
            guard let polygon = try? Polygon(rings: [corners + [corners[0]]]) else { return }
            for (a, b) in zip(corners, corners.dropFirst() + [corners[0]]) {
                let middle = try Coordinate(
                    latitude: (a.latitude + b.latitude) / 2, longitude: (a.longitude + b.longitude) / 2)
                let corner = try Coordinate(latitude: a.latitude, longitude: a.longitude)
                try demand(
                    polygon.contains(middle) && polygon.contains(corner), "\(corners): \(a) or the middle to \(b)")
            }
        },
    ]
}

/// The distance in meters of a place from a short geodesic between two others, by ternary search.
private func lineDistance(from place: Coordinate, to start: Coordinate, _ end: Coordinate) -> Double {
    let length = Geodesic.distance(from: start, to: end)
    let bearing = Geodesic.bearing(from: start, to: end)
    func distance(_ metres: Double) -> Double {
        Geodesic.distance(from: place, to: Geodesic.destination(from: start, bearing: bearing, metres: metres))
    }
    var (low, high) = (0.0, length)
    for _ in 0..<60 {
        let (a, b) = (low + (high - low) / 3, high - (high - low) / 3)
        if distance(a) < distance(b) { high = b } else { low = a }
    }
    return min(
        distance((low + high) / 2), Geodesic.distance(from: place, to: start), Geodesic.distance(from: place, to: end))
}
