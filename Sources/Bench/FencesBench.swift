internal import ArgumentParser
internal import Discovery
internal import Foundation
internal import Geo
internal import Laws
internal import Model

/// `tools/bench fences`: what fences cost the pings of a crowd, and what a reader of events does.
struct FencesBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fences", abstract: "Measure fences and events, in process.",
        discussion: """
            People walk about a square and send a fix every 30 s, some 200 m farther; fences of 10 to 1,000 places lie all over \
            it, one in 8 km², every other one a circle, and all watch everybody. Each number of fences is measured with as many \
            fixes as none, beside a scan: every fence looked at for every fix, of some of them. Then readers follow what was told.
            """)

    @Option(parsing: .upToNextOption, help: "How many fences.") var fences = [1_000, 10_000, 100_000]
    @Option(help: "How many people walk.") var people = 10_000
    @Option(help: "How many fixes each sends.") var fixes = 20
    @Option(help: "How many readers follow, of everything.") var readers = 100
    @Option(help: "What the work is made from.") var seed: UInt64 = 1

    private static let start = Timestamp(milliseconds: 1_795_168_800_000)
    private static let widths = [8, 8, 10, 8, 10, 12, 16]
    /// How many fences are loaded in one go, as many callers at a time would do it.
    private static let loaded = 256

    func run() async throws {
        print("fences: \(people) people with \(fixes) fixes each, on \(Machine.description)")
        row(
            "fences", "load s", "pings/s", "of none", "events", "µs a scan", "ns an event read",
            widths: Self.widths)
        var none = 0.0
        for count in [0] + fences {
            // Half of a side of the square, in degrees.
            let half = 0.45 * (Double(max(count, fences.min() ?? 1)) / 1000).squareRoot()
            try await withLive { live in
                var dice = Dice(seed: seed)
                let people = (0..<self.people).map { PutPerson(Write(Person(id: ID(known: "p\($0)")))) }
                for start in stride(from: 0, to: people.count, by: 1_000) {
                    try await live.perform(
                        Each(Array(people[start..<min(start + 1_000, people.count)])), by: .service, at: Self.start
                    )
                }
                let areas = try (0..<count).map { _ in
                    try FenceShape(around: Self.place(within: half, &dice), &dice).area()
                }
                let loading = try await ContinuousClock().measure {
                    try await load(areas, into: live)
                }
                let walking = try await ContinuousClock().measure { try await walk(live, within: half) }
                let rate = Double(self.people * fixes) / walking.seconds
                if count == 0 { none = rate }
                let (events, reading) = try await read(live)
                row(
                    "\(count)", short(loading.seconds, 1), short(rate, 0), short(rate / none, 2), "\(events)",
                    short(try scan(areas, within: half), 1), short(reading, 0), widths: Self.widths)
            }
        }
    }

    private func load(_ areas: [Fence.Area], into live: Live) async throws {
        for start in stride(from: 0, to: areas.count, by: Self.loaded) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in start..<min(start + Self.loaded, areas.count) {
                    let fence = Fence(id: ID(known: "f\(number)"), areas[number], watching: .everybody)
                    group.addTask { try await live.perform(PutFence(Write(fence)), by: .service, at: Self.start) }
                }
                try await group.waitForAll()
            }
        }
    }

    private static func place(within half: Double, _ dice: inout Dice) throws -> Coordinate {
        try Coordinate(
            latitude: 39.5 + Double.random(in: -half...half, using: &dice),
            longitude: -0.4 + Double.random(in: -half...half, using: &dice))
    }

    /// Everybody sends a fix every 30 s, a thousand of them at once, and asks for the hints after it.
    private func walk(_ live: Live, within half: Double) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for start in stride(from: 0, to: people, by: 1_000) {
                let people = start..<min(start + 1_000, people)
                group.addTask { try await walk(people, live, within: half) }
            }
            try await group.waitForAll()
        }
    }

    private func walk(_ people: Range<Int>, _ live: Live, within half: Double) async throws {
        var dice = Dice(seed: seed + 1 + UInt64(people.lowerBound))
        var places = try people.map { _ in try Self.place(within: half, &dice) }
        for step in 0..<fixes {
            let time = Self.start + .seconds(Int64(30 * step))
            let reports = zip(people, places).map { PingReport(person: ID(known: "p\($0)"), time: time, place: $1) }
            let recorded = try await live.perform(Record(reports), by: .service, at: time)
            _ = try await live.hints(after: reports, recorded, at: time)
            for number in places.indices {
                places[number] = try Coordinate(
                    latitude: places[number].latitude + Double.random(in: -0.003...0.003, using: &dice),
                    longitude: places[number].longitude + Double.random(in: -0.003...0.003, using: &dice))
            }
        }
    }

    /// How many events each reader was told, and the nanoseconds for one of them.
    private func read(_ live: Live) async throws -> (events: Int, nanoseconds: Double) {
        var told = 0
        let taken = try await ContinuousClock().measure {
            for _ in 0..<readers {
                var reader = EventReader(for: .service, EventFilter(), after: 0, of: live)
                var part = 0
                repeat {
                    part = try await reader.next(from: live, at: Self.start).events.count
                    told += part
                } while part > 0
            }
        }
        return (told / max(1, readers), taken.seconds * 1e9 / Double(max(1, told)))
    }

    /// Microseconds for looking whether a place lies in one of the fences, each looked at.
    private func scan(_ areas: [Fence.Area], within half: Double) throws -> Double {
        guard !areas.isEmpty else { return 0 }
        let fenced = areas.prefix(1_000).compactMap { FencedArea($0) }
        var dice = Dice(seed: seed + 2)
        var (steps, inside) = (0, 0)
        let taken = try ContinuousClock().measure {
            for _ in 0..<100 {
                let place = try Self.place(within: half, &dice)
                for area in fenced where area.contains(place, steps: &steps) { inside += 1 }
            }
        }
        return taken.seconds * 1e6 / 100 * Double(areas.count) / Double(fenced.count)
    }
}
