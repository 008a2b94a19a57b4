import Discovery
import Foundation
import Geo
import Laws
import Model
import Storage
import TestSupport

/// One person's pings in the order of fix times, and the thresholds of the throttle.
struct ThrottleWalk {
    /// Seconds after which a position is stored at any place.
    static let day = 86_400.0

    let seed: UInt64
    var throttle: ThrottleOverride
    var reports: [PingReport] = []

    var name: String { "p\(seed)" }
    var distance: Double { throttle.distance ?? 500 }
    /// At one instant no position precedes the other, so with a distance only one of them is kept.
    var interval: Duration { max(throttle.interval ?? .seconds(120), distance > 0 ? .milliseconds(1) : .zero) }
    var person: Person { DiscoveryTests.person(name) { $0.throttle = throttle } }

    init(seed: UInt64, takesTeleports: Bool) {
        var random = SeededGenerator(seed: seed)
        self.seed = seed
        throttle = random.throttle()
        var place = random.chance(0.5) ? valencia : random.place()
        var time = 0.0
        let bearing = random.number(0..<360)
        for _ in 0..<random.integer(20...60) {
            let seconds = random.pick([
                0, 0.001, max(0, interval.seconds - 0.001), interval.seconds, random.number(0..<100),
                random.chance(0.7) ? 60 : random.pick([40_000, Self.day - 0.001, Self.day, Self.day + 0.001]),
            ])
            let metres = random.step(distance, in: takesTeleports ? .infinity : seconds)
            place = Geodesic.destination(
                from: place, bearing: random.chance(0.7) ? bearing : random.number(0..<360), metres: metres)
            time += random.chance(0.05) && takesTeleports ? -random.number(0..<2000) : seconds
            reports.append(ping(time, place, accuracy: 20, of: name, device: random.pick(["phone", "phone", "watch"])))
        }
    }

    /// The reports as in a file that is sorted by time.
    var inOrder: [PingReport] {
        reports.enumerated().sorted { a, b in (a.1.time ?? morning, a.0) < (b.1.time ?? morning, b.0) }.map(\.1)
    }

    /// Positions of the person outside the walk, in any order.
    func others(_ random: inout SeededGenerator) -> [PingReport] {
        reports.filter { _ in random.chance(0.3) }.shuffled(using: &random).map { report in
            let metres = random.pick([0, distance - 1, distance + 1, 3000, random.chance(0.2) ? 900_000 : 100])
            let place = Geodesic.destination(
                from: report.place, bearing: random.number(0..<360), metres: max(0, metres))
            let seconds = (report.time ?? morning).milliseconds - morning.milliseconds
            return ping(
                Double(seconds) / 1000 + random.pick([0, -0.001, 1, -interval.seconds, 50, -500, 7000]), place,
                accuracy: 20,
                of: name, device: "other")
        }
    }

    /// The first position, then each that is an interval after the last kept one, and far from it or a day later.
    func reference() -> [Kept] {
        var kept: [Kept] = []
        for report in reports {
            let one = Kept(report)
            guard let last = kept.last else {
                kept.append(one)
                continue
            }
            let isFar = Geodesic.distance(from: last.place, to: one.place) >= distance
            if one.time - last.time >= interval, isFar || one.time - last.time >= .seconds(Self.day) {
                kept.append(one)
            }
        }
        return kept
    }
}

/// A sent or stored position, by the properties that identify it among a person's positions.
struct Kept: Hashable {
    let time: Timestamp
    let place: Coordinate
    let device: String

    init(_ report: PingReport) {
        time = report.time ?? morning
        place = report.place
        device = report.device
    }

    init(_ ping: StoredPing) {
        time = ping.time
        place = ping.place
        device = ping.device
    }
}

extension SeededGenerator {
    /// Random thresholds, mostly not the defaults.
    mutating func throttle() -> ThrottleOverride {
        pick([
            ThrottleOverride(), ThrottleOverride(distance: 50, interval: .seconds(30)),
            ThrottleOverride(distance: 0, interval: .milliseconds(1500)), ThrottleOverride(distance: 2000),
            ThrottleOverride(distance: 10, interval: .zero),
        ])
    }

    /// Length of a step in meters, often within a millimeter of the threshold, and never faster than a car.
    fileprivate mutating func step(_ distance: Double, in seconds: Double) -> Double {
        if chance(0.02), seconds == .infinity { return number(0..<5_000_000) }
        let metres = pick([0, 1, distance - 0.001, distance, distance + 0.001, number(0..<2 * distance + 10)])
        return min(metres, 40 * seconds)
    }
}
