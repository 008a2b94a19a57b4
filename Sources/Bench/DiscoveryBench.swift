internal import ArgumentParser
internal import Discovery
internal import Foundation
internal import Geo
internal import Model

/// `tools/bench discovery`: measures filtered searches for strangers among many people.
struct DiscoveryBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "discovery", abstract: "Measure the discovery of strangers, in process.",
        discussion: """
            Most people are where they sent a position, levels of cells made from a week of them; some have only a city, all the \
            same, whose cell holds them all. The first answers of each kind are compared with a look at everybody's public cell.
            """)

    @Option(help: "How many people with positions.") var people = 1_000_000
    @Option(help: "How many people of one city, without positions.") var citizens = 100_000
    @Option(help: "How many queries of each kind.") var queries = 1000
    @Option(help: "How many answers of each kind are compared.") var checked = 10
    @Option(help: "What the work is made from.") var seed: UInt64 = 1

    private static let start = Timestamp(milliseconds: 1_795_168_800_000)
    private static let now = start + .seconds(9 * 86_400)

    func run() async throws {
        print("discovery: \(people) people, \(citizens) of one city, on \(Machine.description)")
        try await withEngine { engine in
            var town = try Town(people: people, citizens: citizens, seed: seed)
            let loading = try await ContinuousClock().measure {
                try await town.settle(in: engine, from: Self.start, to: Self.now)
            }
            town.lookAtCells(engine)
            print("loaded in \(short(loading.seconds, 1)) s; \(town.cellCount) public cells, levels \(town.levels)")
            row("filter", "found", "p50 ms", "p99 ms", "max ms")
            for kind in Town.kinds { try measure(kind, &town, engine) }
        }
    }

    private func measure(_ kind: Town.Kind, _ town: inout Town, _ engine: Engine) throws {
        var latency = Latency()
        var found = 0
        for number in 0..<queries {
            var query = StrangerQuery(viewer: town.viewer(kind), limit: 20)
            kind.change(&query)
            query.maxScan = 200_000
            let page = try latency.measure { try engine.strangers(query, at: Self.now) }
            found += page.strangers.count
            if number < checked, let origin = engine.read({ $0.viewpoint(of: query.viewer, at: Self.now) }) {
                try town.check(page, query, from: origin, at: Self.now)
            }
        }
        row(
            kind.name, short(Double(found) / Double(queries), 1), latency.milliseconds(50), latency.milliseconds(99),
            latency.milliseconds(100))
    }
}
