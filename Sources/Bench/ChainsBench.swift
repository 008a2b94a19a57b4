internal import ArgumentParser
internal import Cities
internal import Discovery
internal import Foundation
internal import Geo
internal import Hours
internal import Model
internal import Storage
internal import Synchronization

/// `tools/bench chains`: compares the stores of real chains nearest to every city with a scan of all stores.
struct ChainsBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chains",
        abstract: "Compare the nearest stores of chains to every city with looking at all stores.",
        discussion: """
            The file is imported by the program itself with --normalise. Then of every city the nearest stores of any chain, and \
            of some chains, are asked for and compared with brute force: the geodesic to each store is worked out, but for \
            those whose chord shows them to be farther than the nearest; for --full cities to all without exception. \
            Ends with 1 on any difference.
            """)

    @Option(help: "A list of stores with the columns brand, lat and lon, as CSV, which may be packed.") var stores:
        String
    @Option(help: "A chain to ask for; else two large, a middling and two small ones.") var chain: [String] = []
    @Option(help: "How many stores are asked for each time.") var limit = 3
    @Option(help: "For how many cities no chord is trusted.") var full = 100

    func run() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "stores.csv")
            try Archive.text(stores).write(to: file, atomically: true, encoding: .utf8)
            var said = ""
            let importing = try ContinuousClock().measure {
                said = try RunningService.run(
                    "import", "places", file.path, "--normalise", "--data", folder.path, accepting: [0, 65])
            }
            print(
                said.replacing(file.path, with: stores), "imported in \(short(importing.seconds, 1)) s", separator: "")
            let live = try Live(folder)
            var all: [Outlet] = []
            try live.store.forEachPlace { record in
                if let place = record.value.coordinate, record.value.kind == "store" {
                    all.append(Outlet(record.value, place))
                }
            }
            let counts = Dictionary(all.compactMap(\.chain).map { ($0, 1) }, uniquingKeysWith: +)
            let names = counts.keys.sorted { (-(counts[$0] ?? 0), $0) < (-(counts[$1] ?? 0), $1) }
            let few = [0, 1, names.count / 2, names.count - 2, names.count - 1].filter(names.indices.contains)
            guard !all.isEmpty else { throw MeasurementError("no store was imported") }
            let cities = live.gazetteer.all
            print("\(all.count) stores of \(names.count) chains, \(cities.count) cities, on \(Machine.description)")
            row("chain", "stores", "p50 µs", "p99 µs", "brute force s")
            for chain in [nil] + (chain.isEmpty ? few.map { names[$0] } : chain) {
                let some = chain.map { name in all.filter { $0.chain == name } } ?? all
                try compare(chain, some, cities, live)
            }
            try await live.close()
        }
    }

    private func compare(_ chain: String?, _ outlets: [Outlet], _ cities: [City], _ live: Live) throws {
        var filter = PlaceFilter()
        filter.kind = "store"
        filter.tags = chain.map { [$0] } ?? []
        let opening = OpeningQuery(at: Timestamp(milliseconds: 1_800_000_000_000))
        var latency = Latency()
        let answers = cities.map { city in
            let page = latency.measure {
                live.read {
                    NearestPlaces(to: city.coordinate, filter, opening, NearestQuery(limit: limit)).whole(in: $0).page
                }
            }
            return page.items.map(\.place.value.id)
        }
        let difference = Mutex<String?>(nil)
        let parts = ProcessInfo.processInfo.activeProcessorCount
        let time = ContinuousClock().measure {
            DispatchQueue.concurrentPerform(iterations: parts) { part in
                for number in stride(from: part, to: cities.count, by: parts) {
                    let isFull = number % max(1, cities.count / max(1, full)) == 0 && full > 0
                    let nearest = outlets.nearest(limit, to: cities[number].coordinate, trustingChords: !isFull)
                    if nearest != answers[number] {
                        let said = "\(answers[number].map(\.text)) and not \(nearest.map(\.text))"
                        difference.withLock { $0 = "\(chain ?? "any chain"), \(cities[number].name): \(said)" }
                    }
                }
            }
        }
        if let difference = difference.withLock({ $0 }) { throw MeasurementError(difference) }
        row(
            chain ?? "any", "\(outlets.count)", latency.microseconds(50), latency.microseconds(99),
            short(time.seconds, 1))
    }
}

private struct Outlet {
    let id: PlaceID
    let place: Coordinate
    let chain: String?
    let point: EarthCentred

    init(_ store: Place, _ place: Coordinate) {
        id = store.id
        self.place = place
        chain = if case .text(let brand)? = store.attributes["brand"] { brand } else { nil }
        point = EarthCentred(place)
    }
}

extension [Outlet] {
    /// The nearest stores, by a scan.
    fileprivate func nearest(_ count: Int, to place: Coordinate, trustingChords: Bool) -> [PlaceID] {
        let from = EarthCentred(place)
        var farthest = Double.infinity
        if trustingChords, self.count > count {
            var least = [Double](repeating: .infinity, count: count)
            for outlet in self {
                let chord = from.chord(to: outlet.point)
                guard chord < least[count - 1] else { continue }
                least[count - 1] = chord
                least.sort()
            }
            farthest = ChordBounds.upper(least[count - 1])
        }
        let longest = farthest == .infinity ? .infinity : ChordBounds.longestChord(within: farthest)
        var found: [(micrometres: Int64, id: PlaceID)] = []
        for outlet in self where from.chord(to: outlet.point) <= longest {
            found.append((Geodesic.micrometres(from: place, to: outlet.place), outlet.id))
        }
        found.sort { ($0.micrometres, $0.id) < ($1.micrometres, $1.id) }
        return found.prefix(count).map(\.id)
    }
}
