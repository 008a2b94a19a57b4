package import Foundation
package import Geo
internal import Laws

/// A home with its time zone.
package struct Home: Sendable {
    let place: Coordinate
    let city: String?
    let zone: TimeZone

    package init(place: Coordinate, city: String? = nil, zone: TimeZone = .gmt) {
        self.place = place
        self.city = city
        self.zone = zone
    }
}

/// A person who commutes to work on weekdays, with lunch and some evenings out.
///
/// On weekends the person visits two places near home.
struct Commuter: Movement {
    /// Maximum distance of an evening's place, and below of lunch, in meters.
    private static let outing = 4_000.0
    private static let lunch = 700.0
    private static let walking = 1.4
    /// Maximum length of a walk, in meters.
    private static let longestWalk = 1_500.0

    private let home, work: Coordinate
    private let zone: TimeZone
    private let pace: Double
    private var plan: [Stretch] = []
    /// The next local day to plan, counted from 1970.
    private var day: Int
    private var freeFrom: SimulatedTime

    init(home: Home, from start: SimulatedTime, using random: inout SeededGenerator) {
        self.home = home.place
        zone = home.zone
        let way = min(40_000, 1_500 * exp(1.2 + 0.8 * random.normal()))
        work = Geodesic.destination(from: home.place, bearing: 360 * random.fraction(), metres: way)
        pace = random.among(6...14)
        // Begins on the day before, whose evening may reach into the first day.
        (day, freeFrom) = (0, start)
        day = localDay(of: start) - 1
        freeFrom = midnight(of: day)
    }

    mutating func place(at time: SimulatedTime, using random: inout SeededGenerator) -> Coordinate {
        while day <= localDay(of: time) {
            planDay(using: &random)
            day += 1
        }
        while plan.count > 1, time >= plan[1].start { plan.removeFirst() }
        return plan.first?.place(at: time) ?? home
    }

    private mutating func planDay(using random: inout SeededGenerator) {
        let midnight = midnight(of: day)
        func around(_ hour: Double, give minutes: Double, _ random: inout SeededGenerator) -> SimulatedTime {
            midnight + (hour * 3600 + minutes * 60 * random.normal())
        }
        // 1 January 1970 was a Thursday.
        if (1...5).contains((day + 4) % 7) {
            go(to: work, at: around(7.75, give: 40, &random), using: &random)
            let meal = random.place(around: work, within: Self.lunch)
            let noon = around(13, give: 20, &random)
            go(to: meal, at: noon, using: &random)
            go(to: work, at: noon + 2_700, using: &random)
            go(to: home, at: around(17.5, give: 50, &random), using: &random)
            if random.chance(0.5) { goOut(at: around(20, give: 30, &random), using: &random) }
        } else {
            goOut(at: around(11.5, give: 60, &random), using: &random)
            goOut(at: around(18.5, give: 60, &random), using: &random)
        }
    }

    private mutating func goOut(at time: SimulatedTime, using random: inout SeededGenerator) {
        go(to: random.place(around: home, within: Self.outing), at: time, using: &random)
        go(to: home, at: max(time, freeFrom) + 3600 * random.among(1...2.5), using: &random)
    }

    /// Starts a trip with a corner at a time, or as soon as the previous trip has ended.
    private mutating func go(to place: Coordinate, at time: SimulatedTime, using random: inout SeededGenerator) {
        let origin = plan.last?.destination ?? home
        let way = Geodesic.distance(from: origin, to: place)
        guard way > 0 else { return }
        let speed = way < Self.longestWalk ? Self.walking : pace
        let middle = Geodesic.destination(
            from: origin, bearing: Geodesic.bearing(from: origin, to: place) + 25 * random.normal(), metres: way * 0.55)
        let first = Stretch(from: origin, to: middle, at: max(time, freeFrom), speed: speed)
        let second = Stretch(from: middle, to: place, at: first.end, speed: speed)
        plan += [first, second]
        freeFrom = second.end
    }

    // MARK: - Local time

    private func offset(at time: SimulatedTime) -> Int {
        zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(time.milliseconds) / 1000))
    }

    private func localDay(of time: SimulatedTime) -> Int {
        Int((Double(time.milliseconds / 1000 + Int64(offset(at: time))) / 86_400).rounded(.down))
    }

    private func midnight(of day: Int) -> SimulatedTime {
        let utc = SimulatedTime(milliseconds: Int64(day) * 86_400_000)
        return utc + Double(-offset(at: utc))
    }
}
