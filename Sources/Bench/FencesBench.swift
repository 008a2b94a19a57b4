internal import Algorithms
internal import ArgumentParser
internal import Discovery
internal import Foundation
internal import Geo
internal import Laws
internal import Model

/// `tools/bench fences`: measures the cost of fences for pings, and of reading events.
struct FencesBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fences", abstract: "Measure fences and events, in process.",
        discussion: """
            People walk about a square and send a fix every 30 s, some 200 m farther; fences of 10 to 1,000 places lie all over \
            it, one in 8 km², every other one a circle. Each number of fences is measured twice, by turns with none: all \
            watch everybody, or each somebody else. Medians of the rounds are printed. Beside it stands a scan: every fence \
            looked at for every fix, of some of them. Readers follow what was told. At last five fences that watch \
            everybody lie around the square.
            """)

    @Option(parsing: .upToNextOption, help: "How many fences.") var fences = [1_000, 10_000, 100_000]
    @Option(help: "How many people walk.") var people = 10_000
    @Option(help: "How many fixes each sends in a round.") var fixes = 5
    @Option(help: "How often the service without fences and that with them have their turns.") var rounds = 9
    @Option(help: "How many readers follow, of everything.") var readers = 100
    @Option(help: "What the work is made from.") var seed: UInt64 = 1

    private static let widths = [8, 10, 8, 10, 10, 8, 10, 8, 10, 12, 16]
    /// Number of concurrent callers that load fences.
    private static let callers = 256

    func run() async throws {
        print("fences: \(people) people with \(rounds) times \(fixes) fixes each, on \(Machine.description)")
        row(
            "fences", "watching", "load s", "none/s", "pings/s", "of none", "CPU µs", "more µs", "events", "µs a scan",
            "ns an event read", widths: Self.widths)
        for count in fences {
            let half = half(for: count)
            var dice = Dice(seed: seed)
            let areas = try (0..<count).map { _ in
                try FenceShape(around: FenceCrowd.place(within: half, &dice), &dice).area()
            }
            try await compare(areas, nil, within: half)
            try await compare(areas, (0..<count).map { _ in Int.random(in: 0..<people, using: &dice) }, within: half)
        }
        let around = try Coordinate(latitude: 39.5, longitude: -0.4)
        let circles = (1...5).map { Fence.Area.circle(around, metres: 100_000 + 1_000 * Double($0)) }
        try await compare(circles, nil, within: half(for: 0))
    }

    /// Half the side of the square for a number of fences, in degrees.
    private func half(for count: Int) -> Double { 0.45 * (Double(max(count, fences.min() ?? 1)) / 1000).squareRoot() }

    /// Prints the cost of fences that watch all people, or one person each, compared with no fences.
    private func compare(_ areas: [Fence.Area], _ watched: [Int]?, within half: Double) async throws {
        let fences = areas.enumerated().map { number, area in
            let who = watched.map { Fence.Watched.people([ID(known: "p\($0[number])")]) } ?? .everybody
            return Fence(id: ID(known: "f\(number)"), area, watching: who)
        }
        try await withTemporaryFolder { folder in
            let (live, _) = try await town([], folder.appending(path: "none"))
            let (fenced, loading) = try await town(fences, folder.appending(path: "fences"))
            var crowds = try [live, fenced].map { try FenceCrowd(people, of: $0, within: half, seed: seed + 1) }
            // The first round warms up the state of each person.
            for _ in 0..<1 + rounds {
                for number in crowds.indices { try await crowds[number].walk(fixes) }
            }
            let (none, some) = (crowds[0].turns.dropFirst(), crowds[1].turns.dropFirst())
            let (events, reading) = try await read(fenced)
            row(
                "\(areas.count)", watched == nil ? "all" : "one", short(loading.seconds, 1),
                short(middle(none.map(\.rate)), 0), short(middle(some.map(\.rate)), 0),
                short(middle(zip(none, some).map { $1.rate / $0.rate }), 2), short(middle(none.map(\.cost)), 1),
                short(middle(zip(none, some).map { $1.cost - $0.cost }), 1), "\(events)",
                short(try scan(areas, within: half), 1), short(reading, 0), widths: Self.widths)
            for live in [live, fenced] { try await live.close() }
        }
    }

    private func middle(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    /// A restarted engine with people and fences, and the time that creating the fences took.
    private func town(_ fences: [Fence], _ folder: URL) async throws -> (Live, loading: Duration) {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let live = try Live(folder)
        for people in (0..<people).chunks(ofCount: 1_000) {
            let people = people.map { PutPerson(Write(Person(id: ID(known: "p\($0)")))) }
            try await live.perform(Each(people), by: .service, at: FenceCrowd.start)
        }
        let loading = try await ContinuousClock().measure { try await load(fences, into: live) }
        try await live.close()
        return (try Live(folder), loading)
    }

    private func load(_ fences: [Fence], into live: Live) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for caller in 0..<Self.callers {
                group.addTask {
                    for number in stride(from: caller, to: fences.count, by: Self.callers) {
                        try await live.perform(PutFence(Write(fences[number])), by: .service, at: FenceCrowd.start)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// The number of events per reader, and the time per event in nanoseconds.
    private func read(_ live: Live) async throws -> (events: Int, nanoseconds: Double) {
        var told = 0
        let taken = try await ContinuousClock().measure {
            for _ in 0..<readers {
                var reader = EventReader(for: .service, EventFilter(), after: 0, of: live)
                var part = 0
                repeat {
                    part = try await reader.next(from: live, at: FenceCrowd.start).events.count
                    told += part
                } while part > 0
            }
        }
        return (told / max(1, readers), taken.seconds * 1e9 / Double(max(1, told)))
    }

    /// Microseconds to check a place against all fences, by a scan.
    private func scan(_ areas: [Fence.Area], within half: Double) throws -> Double {
        let fenced = areas.prefix(1_000).compactMap { FencedArea($0) }
        var dice = Dice(seed: seed + 2)
        var (steps, inside) = (0, 0)
        let taken = try ContinuousClock().measure {
            for _ in 0..<100 {
                let place = try FenceCrowd.place(within: half, &dice)
                for area in fenced where area.contains(place, steps: &steps) { inside += 1 }
            }
        }
        return taken.seconds * 1e6 / 100 * Double(areas.count) / Double(fenced.count)
    }
}
