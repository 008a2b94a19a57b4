import Geo
import Laws
import Simulator
import Testing

/// The simulator's checks accept right answers and nothing else.
@Suite struct CheckerTests {
    /// Friends around a person, as the service must return them.
    private struct World {
        var place: Coordinate
        var known: [Checker.KnownFriend]
        var limit: Int

        /// Friends near difficult places: a pole, the 180° meridian, a city.
        init(seed: UInt64) throws {
            var random = SeededGenerator(seed: seed)
            let centres = [(89.999, 12.0), (-17.8, 179.999), (39.47, -0.376)]
            let (latitude, longitude) = centres[Int(seed % 3)]
            place = try Coordinate(latitude: latitude, longitude: longitude)
            known = (0..<Int.random(in: 2...30, using: &random)).map { number in
                let time = SimulatedTime(
                    milliseconds: 1_700_000_000_000 + Int64.random(in: 0..<1_000_000, using: &random))
                return Checker.KnownFriend(
                    id: "f\(number)",
                    place: Geodesic.destination(
                        from: Self.somewhere(latitude, longitude), bearing: .random(in: 0..<360, using: &random),
                        metres: .random(in: 1...20_000, using: &random)),
                    at: time, since: Bool.random(using: &random) ? time : time + -60,
                    seenUntil: Bool.random(using: &random) ? time : time + 60,
                    isExact: number < 2 || .random(in: 0..<10, using: &random) > 0)
            }
            limit = Int.random(in: 2...30, using: &random)
        }

        private static func somewhere(_ latitude: Double, _ longitude: Double) -> Coordinate {
            guard let place = try? Coordinate(latitude: latitude, longitude: longitude) else {
                preconditionFailure("the centres are places")
            }
            return place
        }

        /// The answer from a sort of all friends, with the real places even of those who do not share exactly.
        var answer: [FriendSeen] {
            known.map { friend in
                let distance = Geodesic.distance(from: place, to: friend.place)
                return FriendSeen(
                    id: friend.id, place: friend.place, distance: (distance * 10).rounded() / 10,
                    bearing: Int(Geodesic.bearing(from: place, to: friend.place).rounded()) % 360, at: friend.at,
                    since: friend.since < friend.at ? friend.since : nil,
                    seenUntil: friend.seenUntil > friend.at ? friend.seenUntil : nil, isExact: friend.isExact)
            }.sorted { ($0.distance, $0.id) < ($1.distance, $1.id) }.prefix(limit).map(\.self)
        }

        func fault(_ answer: [FriendSeen]) -> String? {
            Checker.friends(answer, of: place, known: known, limit: limit)
        }
    }

    @Test("The right friends are accepted, and every answer that differs is not") func friends() throws {
        for seed in RandomCases.seeds(0..<1000) {
            let world = try World(seed: seed)
            let right = world.answer
            #expect(world.fault(right) == nil, "seed \(seed)")
            guard let index = right.firstIndex(where: \.isExact) else { continue }
            func wrong(_ name: String, _ change: (inout [FriendSeen]) -> Void) {
                var answer = right
                change(&answer)
                #expect(world.fault(answer) != nil, "\(name), seed \(seed)")
            }
            wrong("one left out") { $0.remove(at: index) }
            wrong("a stranger") { $0[index].id = "somebody" }
            wrong("a centimetre beside") {
                let place = $0[index].place
                $0[index].place = Geodesic.destination(from: place, bearing: 0, metres: 0.03)
            }
            wrong("a decimetre too far") { $0[index].distance += 0.1 }
            wrong("a degree beside") { $0[index].bearing = ($0[index].bearing + 1) % 360 }
            wrong("a moment late") { $0[index].at = $0[index].at + 0.001 }
            wrong("there longer") { $0[index].since = $0[index].at + -3600 }
            wrong("seen longer") { $0[index].seenUntil = $0[index].at + 3600 }
            wrong("too coarse") { $0[index].isExact = false }
            if right.count > 1 { wrong("backwards") { $0.reverse() } }
        }
    }

    @Test("The nearest stores agree with a scan of all stores") func stores() throws {
        let here = try Coordinate(latitude: 0, longitude: 180)
        let places = [300.0, 100, 200, 50].map { Geodesic.destination(from: here, bearing: 80, metres: $0) }
        let stock: [[Int: [Int: Int]]] = [[1: [37: 2]], [1: [38: 1, 39: 4]], [2: [37: 1]], [1: [37: 0]]]
        let shops = Shops(
            stores: zip(places, stock).enumerated().map { index, store in
                Shops.Store(id: "s\(index)", place: store.0, stock: store.1)
            })
        let expected = shops.nearest(to: here, having: 1, size: nil, limit: 10)
        let second = StoreSeen(id: "s0", distance: 300, sizes: ["EU:37": 2])
        #expect(expected == [StoreSeen(id: "s1", distance: 100, sizes: ["EU:38": 1, "EU:39": 4]), second])
        #expect(shops.nearest(to: here, having: 1, size: 37, limit: 10) == [second])
        #expect(Checker.stores(expected, expected: expected) == nil)
        for wrong in [Array(expected.reversed()), [expected[0]], expected + [second], []] {
            #expect(Checker.stores(wrong, expected: expected) != nil)
        }
        var lessThere = expected
        lessThere[0].sizes["EU:38"] = 2
        #expect(Checker.stores(lessThere, expected: expected) != nil)
    }

    @Test("Strangers are neither friends nor repeated") func strangers() {
        let forbidden: (String) -> String? = { $0 == "friend" ? "is a friend" : nil }
        #expect(Checker.strangers(["a", "b"], forbidden: forbidden) == nil)
        #expect(Checker.strangers(["a", "friend"], forbidden: forbidden) == "friend is a friend")
        #expect(Checker.strangers(["a", "b", "a"], forbidden: forbidden) != nil)
    }

    @Test("A history has the acknowledged positions and nothing else") func history() throws {
        let place = try Coordinate(latitude: 1, longitude: 2)
        let points = [0, 200, 400].map { seconds in
            ThrottleModel.Point(fix: Fix(time: SimulatedTime(milliseconds: 1_700_000_000_000) + seconds, place: place))
        }
        #expect(Checker.history(points, expected: points) == nil)
        var marked = points
        marked[1].isSuspect = true
        for wrong in [Array(points.dropLast()), points + [points[2]], [points[1], points[0], points[2]], marked] {
            #expect(Checker.history(wrong, expected: points) != nil)
        }
    }
}
