import Foundation
import Geo
import Laws
import Simulator
import Testing

/// The people of the simulated crowd and their movement.
@Suite struct CrowdTests {
    @Test("Few people have many friends, and most friends live in the same city") func sociality() {
        let cities = (0..<5000).map { $0 % 25 }
        let friendships = Friendships(cities: cities, seed: 3)
        let degrees = friendships.friends.map(\.count).sorted()
        let mean = Double(degrees.reduce(0, +)) / Double(degrees.count)
        #expect((6...14).contains(mean), "mean \(mean)")
        #expect(degrees[4999] > 8 * degrees[2500] && degrees[4999] <= Friendships.most)
        let local = friendships.friends.enumerated().reduce(0) { sum, person in
            sum + person.element.count { cities[$0] == cities[person.offset] }
        }
        #expect(Double(local) > 0.75 * mean * 5000)
        for (person, others) in friendships.friends.enumerated() {
            #expect(!others.contains(person) && others == Array(Set(others)).sorted())
            for other in others { #expect(friendships.friends[other].contains(person)) }
        }
        #expect(Friendships(cities: cities, seed: 3).friends == friendships.friends)
        #expect(Friendships(cities: cities, seed: 4).friends != friendships.friends)
    }

    /// At a pole, on the 180° meridian, and in a city, with at most 17 m/s on the road and 14 m/s while commuting.
    @Test(
        "Movements have a possible speed and are reproducible",
        arguments: MovementKind.allCases.filter { $0 != .recorded })
    func movements(kind: MovementKind) throws {
        let homes = [(89.98, 40.0), (-17.8, 179.97), (40.4, -3.7)]
        for seed in RandomCases.seeds(0..<60) {
            let (latitude, longitude) = homes[Int(seed % 3)]
            let centre = try Coordinate(latitude: latitude, longitude: longitude)
            let home = Home(place: centre)
            func way(every seconds: Double) -> [Coordinate] {
                var random = SeededGenerator(seed: seed)
                let start = SimulatedTime(milliseconds: 1_795_132_800_000)
                var movement = kind.movement(from: home, at: start, following: nil, using: &random)
                return (0..<600).map { movement.place(at: start + Double($0) * seconds, using: &random) }
            }
            let places = way(every: 60)
            #expect(way(every: 60) == places, "seed \(seed)")
            let fastest = zip(places, places.dropFirst()).map { Geodesic.distance(from: $0, to: $1) / 60 }.max() ?? 0
            #expect(fastest <= 17.1, "seed \(seed): \(fastest) m/s")
            #expect(kind == .stationary || fastest > 0.3, "seed \(seed) did not go anywhere")
            #expect(places.allSatisfy { Geodesic.distance(from: centre, to: $0) < 80_000 }, "seed \(seed)")
        }
    }

    @Test("The distance to a stored line is that to its nearest point, also across 180°") func storedLine() throws {
        let middle = try Coordinate(latitude: 0, longitude: 180)
        let ends = [-90.0, 90].map { Geodesic.destination(from: middle, bearing: $0, metres: 5_000) }
        let line = StoredLine(ends)
        for (bearing, metres, expected) in [(0.0, 700.0, 700.0), (90, 3_000, 0), (90, 6_000, 1_000)] {
            let place = Geodesic.destination(from: middle, bearing: bearing, metres: metres)
            let distance = try #require(line.distance(to: place))
            #expect(abs(distance - expected) < 0.01 * expected + 0.1, "\(bearing)°: \(distance)")
        }
        #expect(StoredLine([]).distance(to: middle) == nil)
    }

    @Test(
        "Recorded tracks are read from CSV and GPX",
        arguments: [
            (
                "a.csv",
                "person,t,lat,lon,accuracy_m\nana,2026-11-20T10:02:00Z,1.5,2,7\nana,2026-11-20T10:00:00Z,1,2,\nluis,2026-11-20T10:00:00Z,1,2,\n"
            ),
            (
                "a.gpx",
                "<gpx><trk><trkseg><trkpt lat=\"1\" lon=\"2\"><time>2026-11-20T10:00:00Z</time></trkpt><trkpt lat=\"1.5\" lon=\"2\"><ele>7</ele><time>2026-11-20T10:02:00.000Z</time></trkpt></trkseg></trk></gpx>"
            ),
        ])
    func recordedTracks(name: String, text: String) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "cerca-track-\(UUID().uuidString)-\(name)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(text.utf8).write(to: file)
        let tracks = try Track.read(file.path, atLeast: 60)
        #expect(tracks.count == 1)
        #expect(tracks.first?.fixes.map(\.time) == [0, 120])
        #expect(try tracks.first?.fixes.last?.place == Coordinate(latitude: 1.5, longitude: 2))
        #expect(throws: (any Error).self) { try Track.read(file.path, atLeast: 600) }
    }
}
