internal import ArgumentParser
internal import Discovery
internal import Foundation
internal import Geo
internal import Hours
internal import Model

/// `tools/bench stores`: measures searches for the nearest stores with a product in stock.
struct StoreBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stores", abstract: "Measure the nearest store with matching stock, in process.",
        discussion: """
            Filters match from one store to all of them, by product, brand, size or price, also stores on one side of \
            the Earth queried from the other. The first answers are compared with a join of all stock rows.
            """)

    @Option(help: "The number of stores.") var stores = 100_000
    @Option(help: "The number of products.") var products = 10_000
    @Option(help: "The number of rows of stock.") var rows = 5_000_000
    @Option(help: "The number of queries of each kind.") var queries = 1000
    @Option(help: "The number of answers of each kind to compare with a join.") var checked = 5
    @Option(help: "The seed of the workload.") var seed: UInt64 = 1

    func run() async throws {
        print("stores: \(stores) stores, \(products) products, \(rows) stock rows, on \(Machine.description)")
        try await withEngine { engine in
            var warehouse = try Warehouse(stores: stores, products: products, rows: rows, seed: seed)
            let before = Machine.residentMemory
            let loading = try await ContinuousClock().measure { try await warehouse.fill(engine) }
            print(
                "loaded in \(short(loading.seconds, 1)) s; \((Machine.residentMemory - before) >> 20) MB more memory, both copies"
            )
            row("filter", "stores", "p50 ms", "p99 ms", "max ms")
            for kind in warehouse.kinds { try measure(kind, &warehouse, engine) }
        }
    }

    private func measure(_ kind: Warehouse.Kind, _ warehouse: inout Warehouse, _ engine: Engine) throws {
        var latency = Latency()
        let opening = OpeningQuery(at: Timestamp(milliseconds: 1_800_000_000_000))
        for number in 0..<queries {
            let origin = warehouse.origin(kind)
            var query = NearestQuery(limit: 10)
            query.maxScan = 200_000
            let page = latency.measure {
                engine.read { NearestStores(to: origin, having: kind.filter, opening, query).whole(in: $0).page }
            }
            guard number < checked else { continue }
            let expected = warehouse.join(kind, origin, query)
            guard page.items.map(\.store.value.id) == expected else {
                throw MeasurementError(
                    "\(kind.name): \(page.items.map(\.store.value.id.text)) and not \(expected.map(\.text))")
            }
        }
        row(
            kind.name, "\(warehouse.count(kind))", latency.milliseconds(50), latency.milliseconds(99),
            latency.milliseconds(100))
    }
}
