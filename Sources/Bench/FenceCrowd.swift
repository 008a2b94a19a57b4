internal import Discovery
internal import Foundation
internal import Geo
internal import Laws
internal import Model

/// People who walk in a square and send their positions to an engine in the same process.
struct FenceCrowd {
    struct Turn {
        /// Fixes per second.
        let rate: Double
        /// CPU time per fix, in microseconds.
        let cost: Double
    }

    static let start = Timestamp(milliseconds: 1_795_168_800_000)
    /// Number of people who send in one batch, and then request the hints.
    private static let together = 1_000
    /// Time for work that continues after the last response.
    private static let rest = Duration.milliseconds(50)

    private let live: Live
    private var groups: [Group]
    private(set) var turns: [Turn] = []

    /// Creates people in a square with this half side, in degrees.
    init(_ people: Int, of live: Live, within half: Double, seed: UInt64) throws {
        self.live = live
        groups = try stride(from: 0, to: people, by: Self.together).map { first in
            var dice = Dice(seed: seed + UInt64(first))
            let last = min(first + Self.together, people)
            let places = try (first..<last).map { _ in try Self.place(within: half, &dice) }
            return Group(first: first, places: places, dice: dice)
        }
    }

    static func place(within half: Double, _ dice: inout Dice) throws -> Coordinate {
        try Coordinate(
            latitude: 39.5 + Double.random(in: -half...half, using: &dice),
            longitude: -0.4 + Double.random(in: -half...half, using: &dice))
    }

    /// Sends a number of fixes for each person, concurrently by group.
    mutating func walk(_ fixes: Int) async throws {
        let (groups, live) = (groups, live)
        let processor = Machine.processorTime(of: "self")
        let start = ContinuousClock.now
        self.groups = try await withThrowingTaskGroup(of: Group.self) { tasks in
            for group in groups {
                tasks.addTask {
                    var group = group
                    for _ in 0..<fixes { try await group.send(to: live) }
                    return group
                }
            }
            return try await tasks.reduce(into: []) { $0.append($1) }
        }
        let taken = ContinuousClock.now - start
        try await Task.sleep(for: Self.rest)
        let count = Double(fixes * groups.reduce(0) { $0 + $1.places.count })
        let cost = (Machine.processorTime(of: "self") - processor) / count * 1e6
        turns.append(Turn(rate: count / taken.seconds, cost: cost))
    }

    private struct Group: Sendable {
        let first: Int
        var places: [Coordinate]
        var dice: Dice
        var step = 0

        /// Sends a fix for each person, 30 s and some 200 m after the previous one.
        mutating func send(to live: Live) async throws {
            let time = FenceCrowd.start + .seconds(Int64(30 * step))
            let reports = places.enumerated().map { number, place in
                PingReport(person: ID(known: "p\(first + number)"), time: time, place: place)
            }
            let recorded = try await live.perform(Record(reports), by: .service, at: time)
            _ = try await live.hints(after: reports, recorded, at: time)
            for number in places.indices {
                places[number] = try Coordinate(
                    latitude: places[number].latitude + Double.random(in: -0.003...0.003, using: &dice),
                    longitude: places[number].longitude + Double.random(in: -0.003...0.003, using: &dice))
            }
            step += 1
        }
    }
}
