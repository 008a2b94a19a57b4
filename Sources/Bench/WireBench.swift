internal import ArgumentParser
internal import Foundation

/// `tools/bench wire`: measures the cost of requests beyond their searches.
struct WireBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wire",
        abstract: "Measure requests over HTTP: rates, latencies, and CPU time per request.",
        discussion: """
            wrk sends each request over each number of connections, compared with the constant answer of /livez. The \
            CPU time is the service's alone: it is comparable even on a busy machine, rates and \
            latencies are not. Redis finds ten of the same places in the same run if it is installed.
            """)

    @Option(help: "The number of places, a tenth of which have two products in stock.") var places = 1_000_000
    @Option(help: "The number of people, each with a position; one in ten has ten friends.") var people = 1_000_000
    @Option(parsing: .upToNextOption, help: "The numbers of concurrent connections.") var from = [1, 16, 64, 256]
    @Option(help: "The duration of each request's load, in seconds.") var seconds = 5
    @Option(help: "Only requests whose name contains this.") var only = ""
    @Option(help: "The folder of the data, which is created if it does not exist, and kept.") var folder: String?
    @Option(help: "The seed of the workload.") var seed: UInt64 = 1

    func run() async throws {
        print("wire: \(places) places, \(people) people, on \(Machine.description)")
        try await withFolder(folder) { folder in
            let data = folder.appending(path: "wire-data")
            let town = try WireTown(places: places, people: people, seed: seed)
            if !FileManager.default.fileExists(atPath: data.path) {
                let loading = folder.appending(path: "loading")
                try town.load(into: loading)
                try FileManager.default.moveItem(at: loading, to: data)
            }
            let service = try RunningService(data: data)
            print("listening after \(short(service.startup.seconds, 1)) s, \(service.memory >> 20) MB")
            var load = WireLoad(service, seconds: seconds, people: min(people, 20_000), in: folder)
            WireLoad.Result.printHead()
            for connections in from { try measure(town, &load, connections) }
            if let redis = try RedisBaseline(town.coordinates, in: folder) {
                // Redis models the Earth as a sphere.
                let reaches = try await town.reaches(service).map { ($0.origin, $0.metres * 1.01) }
                for connections in from {
                    let (rate, cost) = try redis.ask(reaches, from: connections, seconds: seconds)
                    print(
                        "Redis, 10 places in a known radius, from \(connections): \(Int(rate)) a second, CPU \(short(cost, 1)) us"
                    )
                }
            }
            print("\(service.memory >> 20) MB in the end")
            try service.stop()
        }
    }

    private func measure(_ town: WireTown, _ load: inout WireLoad, _ connections: Int) throws {
        let constant = try load.ask([WireTown.livez], from: connections)
        func report(_ name: String, _ result: WireLoad.Result) {
            result.print(name, connections, constant: constant.rate)
        }
        report("/livez", constant)
        for (name, lines) in town.all where name.contains(only) || only.isEmpty {
            report(name, try load.ask(lines, from: connections))
        }
        guard "pings".contains(only) || only.isEmpty else { return }
        report("a ping", try load.send(1, from: connections).end())
        let best = try load.send(100, from: connections).end()
        report("a batch of 100 pings", best)
        // Twice the interval of a connection's batches, minus the duration of a batch.
        let waiting = max(1, Int(2000 * Double(connections) / best.rate - best.p50))
        let beside = try load.send(100, from: connections, waiting: waiting)
        let reads = try load.ask(town.nearest(10), from: connections)
        reads.print("nearest 10 places beside half of that", connections, constant: constant.rate)
        try beside.end().print("half of that", connections, constant: constant.rate)
    }
}
