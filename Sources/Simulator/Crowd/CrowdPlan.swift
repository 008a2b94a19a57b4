internal import Foundation
internal import Geo
internal import Laws

/// The crowd and its behavior, all of which is derived from the seed before anything is sent.
struct CrowdPlan: Sendable {
    let choice: Choice
    let names: Names
    let rules: ServiceRules
    let kinds: [MovementKind]
    let homes: [Home]
    let cities: [Int]
    let profiles: [Profile]
    let friendships: Friendships
    let shops: Shops
    let fences: CrowdFences
    let neighbours: [Int: [Int]]

    /// The command line options.
    struct Choice: Sendable {
        var people: Int
        var seed: UInt64
        var start: SimulatedTime
        /// Nil for a crowd without an end.
        var end: SimulatedTime?
        /// The interval between fixes of a phone, in seconds.
        var period: Double
        var follows: Bool
        /// The number of searches per person and hour.
        var questions: Double
        var shares: MovementShares
        var tracks: [Track]
        /// The number of fences that watch the crowd.
        var fences: Int
    }

    init(_ choice: Choice, in cities: Cities, _ rules: ServiceRules) {
        (self.choice, self.rules) = (choice, rules)
        names = Names(prefix: "sim\(choice.seed)")
        var kinds: [MovementKind] = []
        var homes: [Home] = []
        var numbers: [Int] = []
        for person in 0..<choice.people {
            var random = SeededGenerator(seed: choice.seed, person: person, .place)
            let (city, home) = cities.home(using: &random)
            let isFirst = person < choice.tracks.count
            // The first follower of each recorded track moves where it was recorded.
            let first = isFirst ? choice.tracks[person].fixes.first?.place : nil
            homes.append(first.map { Home(place: $0, city: home.city, zone: home.zone) } ?? home)
            numbers.append(city)
            let kind = choice.shares.kind(using: &random)
            kinds.append(choice.tracks.isEmpty ? kind : .recorded)
        }
        (self.kinds, self.homes, self.cities) = (kinds, homes, numbers)
        let year = Calendar(identifier: .gregorian).component(
            .year, from: Date(timeIntervalSince1970: Double((choice.end ?? choice.start).milliseconds) / 1000))
        profiles = (0..<choice.people).map { Profile(of: $0, seed: choice.seed, in: year) }
        friendships = Friendships(cities: numbers, seed: choice.seed)
        shops = Shops(homes: homes.map(\.place), names: names, seed: choice.seed)
        let neighbours = Dictionary(grouping: 0..<choice.people) { numbers[$0] }
        self.neighbours = neighbours
        fences = CrowdFences(choice.fences, homes: homes.map(\.place), names: names, seed: choice.seed) { person in
            neighbours[numbers[person], default: []]
        }
    }

    var people: Range<Int> { homes.indices }

    func journey(of person: Int) -> Journey {
        var random = SeededGenerator(seed: choice.seed, person: person, .way)
        let track = kinds[person] == .recorded ? choice.tracks[person % choice.tracks.count] : nil
        // Avoids that all phones send at the same second.
        let phase = track == nil ? choice.period * random.fraction() : 0
        let movement = kinds[person].movement(from: homes[person], at: choice.start, following: track, using: &random)
        return Journey(movement: movement, track: track, choice: choice, phase: phase, random: random)
    }

    /// Whether two friends must see each other's exact position.
    func isExact(_ a: Int, _ b: Int) -> Bool { profiles[a].sharesExactly && profiles[b].sharesExactly }
}

/// The true positions of a person over time.
struct Journey: Sendable {
    fileprivate var movement: any Movement
    fileprivate let track: Track?
    fileprivate let choice: CrowdPlan.Choice
    fileprivate let phase: Double
    fileprivate var random: SeededGenerator
    fileprivate var count = 0

    /// A true position at a time, with the recorded accuracy if there is one.
    struct Instant: Sendable {
        var time: SimulatedTime
        var place: Coordinate
        var accuracy: Float?
        var isRecorded: Bool
    }

    /// The next instant at which the phone takes a fix; nil at the end.
    mutating func next() -> Instant? {
        let recorded: Track.Fix?
        let time: SimulatedTime
        if let track {
            guard count < track.fixes.count else { return nil }
            recorded = track.fixes[count]
            time = choice.start + track.fixes[count].time
        } else {
            recorded = nil
            time = choice.start + (phase + Double(count) * choice.period)
        }
        if let end = choice.end, time > end { return nil }
        count += 1
        let place = movement.place(at: time, using: &random)
        return Instant(time: time, place: place, accuracy: recorded?.accuracy, isRecorded: recorded != nil)
    }
}
