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
            Most people have a position, and cell levels are computed from a week of positions; some have only a city, the \
            same for all, whose cell contains them all. The first answers of each kind are compared with a scan of all public cells.
            """)

    @Option(help: "The number of people with positions.") var people = 1_000_000
    @Option(help: "The number of people of one city, without positions.") var citizens = 100_000
    @Option(help: "The number of queries of each kind.") var queries = 1000
    @Option(help: "The number of answers of each kind to verify.") var checked = 10
    @Option(help: "The seed of the workload.") var seed: UInt64 = 1

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
            if number < checked, let origin = engine.read({ $0.searchOrigin(of: query.viewer, at: Self.now) }) {
                try town.check(page, query, from: origin, at: Self.now)
            }
        }
        row(
            kind.name, short(Double(found) / Double(queries), 1), latency.milliseconds(50), latency.milliseconds(99),
            latency.milliseconds(100))
    }
}
