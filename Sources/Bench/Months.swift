internal import Geo
internal import Laws
internal import Model

/// A synthetic month of many people, whose stored positions can be computed from a seed in any order.
///
/// A day begins with a night of more than seven hours at home. Then a person spends twelve minutes at one of their
/// usual places every two hours, and moves around home between these stays. One in ten people has a privacy zone around
/// home, whose cell is a few kilometers away.
struct Months {
    static let positionsOfADay = 33
    static let days = 30
    /// The radius of privacy zones, in meters.
    private static let zone = 3000.0
    /// 2026-01-01T00:00:00Z.
    static let beginning = Timestamp(milliseconds: 1_767_225_600_000)

    let people: Int
    private let seed: UInt64
    private let homes: [Coordinate]
    private let haunts: [Coordinate]

    static var positions: Int { days * positionsOfADay }

    init(people: Int, seed: UInt64) throws {
        self.people = people
        self.seed = seed
        var work = try Work(seed: seed)
        homes = (0..<people).map { _ in work.place() }
        haunts = homes.map { home in work.jittered([home], metres: 8000) }
    }

    func home(of person: Int) -> Coordinate { homes[person] }

    /// The time of a stored position, and the end of the stay there; nil without a confirmed stay.
    func times(of person: Int, _ index: Int) -> (at: Timestamp, until: Timestamp?) {
        var random = generator(person, index)
        let (day, number) = index.quotientAndRemainder(dividingBy: Self.positionsOfADay)
        let second = number == 0 ? 0 : 28_800 + (number - 1) * 1700
        let time = Self.beginning + .seconds(day * 86_400 + second + random.integer(0...800))
        if number == 0 { return (time, time + .seconds(27_000)) }
        return (time, number % 4 == 1 ? time + .seconds(720) : nil)
    }

    func place(of person: Int, _ index: Int) -> Coordinate {
        let number = index % Self.positionsOfADay
        if number == 0 { return homes[person] }
        if number % 4 == 1 { return haunts[person] }
        var random = generator(person, index)
        _ = random.next()
        return Geodesic.destination(
            from: homes[person], bearing: random.number(0..<360), metres: random.logNormal(median: 2000))
    }

    func ping(of person: Int, _ index: Int) -> StoredPing {
        let time = times(of: person, index).at
        let place = place(of: person, index)
        var ping = StoredPing(
            person: Number(person), time: time, received: time, place: place,
            publicCell: CubeCell(containing: place, level: 13))
        if person % 10 == 0, Geodesic.isCloser(place, homes[person], than: Self.zone) {
            let entry = Geodesic.destination(from: homes[person], bearing: 90, metres: Self.zone)
            ping.publicCell = CubeCell(containing: entry, level: 13)
            ping.isInPrivacyZone = true
        }
        ping.device = "phone"
        ping.details.accuracy = 12
        return ping
    }

    private func generator(_ person: Int, _ index: Int) -> SeededGenerator {
        var mixed = SeededGenerator(seed: seed &+ UInt64(person) << 32 &+ UInt64(index))
        return SeededGenerator(seed: mixed.next())
    }

    // MARK: - Answers without an index

    /// The people who were in a circle during an interval, nearest first.
    func people(in circle: Circle, during times: Range<Timestamp>) -> [String] {
        var found: [(Int64, String)] = []
        for person in 0..<people {
            // A person never moves this far from home.
            guard Geodesic.isCloser(homes[person], circle.centre, than: circle.radius + 5e5) else { continue }
            let there = (0..<Self.positions).filter { index in
                let (at, until) = self.times(of: person, index)
                return at < times.upperBound && until ?? at >= times.lowerBound
            }.map { place(of: person, $0) }.filter { circle.contains($0) }
            let nearest = there.map { Geodesic.micrometres(from: circle.centre, to: $0) }.min()
            if let nearest { found.append((nearest, "p\(person)")) }
        }
        return found.sorted { $0 < $1 }.map(\.1)
    }

    /// A person's interpolated position at a time, known during a stay and between positions at most an hour apart.
    func place(of person: Int, at time: Timestamp) -> (place: Coordinate, isKnown: Bool)? {
        guard let index = (0..<Self.positions).last(where: { times(of: person, $0).at <= time }) else { return nil }
        let (at, until) = times(of: person, index)
        let seen = until ?? at
        let here = place(of: person, index)
        guard time > seen, index + 1 < Self.positions else { return (here, time <= seen) }
        let next = times(of: person, index + 1).at
        let there = place(of: person, index + 1)
        let share = (time - seen).seconds / (next - seen).seconds
        let length = Geodesic.distance(from: here, to: there)
        let bearing = Geodesic.bearing(from: here, to: there)
        return (
            Geodesic.destination(from: here, bearing: bearing, metres: length * share), next - seen <= .seconds(3600)
        )
    }
}
