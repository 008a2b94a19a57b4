internal import Algorithms
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
            it, one in 8 km², every other one a circle. Each number of fences is measured twice, just after none: all watch \
            everybody, or each somebody else. Beside it stands a scan: every fence looked at for every fix, of some of \
            them. Readers follow what was told. At last five fences that watch everybody lie around the square.
            """)

    @Option(parsing: .upToNextOption, help: "How many fences.") var fences = [1_000, 10_000, 100_000]
    @Option(help: "How many people walk.") var people = 10_000
    @Option(help: "How many fixes each sends.") var fixes = 20
    @Option(help: "How many readers follow, of everything.") var readers = 100
    @Option(help: "What the work is made from.") var seed: UInt64 = 1

    private static let start = Timestamp(milliseconds: 1_795_168_800_000)
    private static let widths = [8, 10, 8, 10, 10, 8, 12, 10, 12, 16]
    /// How many callers load fences, each one after the other.
    private static let callers = 256

    /// What a pace of fixes was, what a core did for one, and what else was measured with it.
    private struct Pace {
        var rate = 0.0
        var processor = 0.0
        var loading = Duration.zero
        var events = 0
        var reading = 0.0
    }

    func run() async throws {
        print("fences: \(people) people with \(fixes) fixes each, on \(Machine.description)")
        row(
            "fences", "watching", "load s", "none/s", "pings/s", "of none", "more CPU µs", "events", "µs a scan",
            "ns an event read", widths: Self.widths)
        for count in fences {
            let half = half(for: count)
            var dice = Dice(seed: seed)
            let areas = try (0..<count).map { _ in
                try FenceShape(around: Self.place(within: half, &dice), &dice).area()
            }
            try await compare(areas, nil, within: half)
            try await compare(areas, (0..<count).map { _ in Int.random(in: 0..<people, using: &dice) }, within: half)
        }
        let around = try Coordinate(latitude: 39.5, longitude: -0.4)
        let circles = (1...5).map { Fence.Area.circle(around, metres: 100_000 + 1_000 * Double($0)) }
        try await compare(circles, nil, within: half(for: 0))
    }

    /// Half of a side of the square, in degrees, that has room for so many fences.
    private func half(for count: Int) -> Double { 0.45 * (Double(max(count, fences.min() ?? 1)) / 1000).squareRoot() }

    /// Prints what fences that watch everybody, or a person each, cost beside none just before.
    private func compare(_ areas: [Fence.Area], _ watched: [Int]?, within half: Double) async throws {
        let none = try await measure([], nil, within: half)
        let pace = try await measure(areas, watched, within: half)
        row(
            "\(areas.count)", watched == nil ? "all" : "one", short(pace.loading.seconds, 1), short(none.rate, 0),
            short(pace.rate, 0), short(pace.rate / none.rate, 2), short(pace.processor - none.processor, 1),
            "\(pace.events)", short(try scan(areas, within: half), 1), short(pace.reading, 0), widths: Self.widths)
    }

    /// Measures fences that watch everybody, or a person each.
    private func measure(_ areas: [Fence.Area], _ watched: [Int]?, within half: Double) async throws -> Pace {
        var pace = Pace()
        try await withTemporaryFolder { folder in
            let fences = areas.enumerated().map { number, area in
                let who = watched.map { Fence.Watched.people([ID(known: "p\($0[number])")]) } ?? .everybody
                return Fence(id: ID(known: "f\(number)"), area, watching: who)
            }
            let before = try Live(folder)
            for people in (0..<people).chunks(ofCount: 1_000) {
                let people = people.map { PutPerson(Write(Person(id: ID(known: "p\($0)")))) }
                try await before.perform(Each(people), by: .service, at: Self.start)
            }
            pace.loading = try await ContinuousClock().measure { try await load(fences, into: before) }
            try await before.close()
            let live = try Live(folder)
            let processor = Machine.processorTime(of: "self")
            let walking = try await ContinuousClock().measure { try await walk(live, within: half) }
            let pings = Double(people * fixes)
            pace.rate = pings / walking.seconds
            pace.processor = (Machine.processorTime(of: "self") - processor) / pings * 1e6
            (pace.events, pace.reading) = try await read(live)
            try await live.close()
        }
        return pace
    }

    private func load(_ fences: [Fence], into live: Live) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for caller in 0..<Self.callers {
                group.addTask {
                    for number in stride(from: caller, to: fences.count, by: Self.callers) {
                        try await live.perform(PutFence(Write(fences[number])), by: .service, at: Self.start)
                    }
                }
            }
            try await group.waitForAll()
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
