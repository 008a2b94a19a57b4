internal import ArgumentParser
internal import Foundation
internal import Geo
internal import Laws
internal import Synchronization

/// `tools/bench scale`: measures the index on all cores, against as many processes that share nothing.
struct ScaleBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scale", abstract: "Measure readers and writers on all cores.",
        discussion: """
            Every thread queries the nearest ten; with updates one operation in five is a move instead, which a thread \
            submits in batches of 64, as the service submits commands to its writer. The baseline is the same number of single-threaded processes, each with an index of \
            its own without synchronization.
            """)

    @Option(help: "The number of entities.") var size = 1_000_000
    @Option(help: "The number of threads, and of processes; 0 for one per core.") var threads = 0
    @Option(help: "The duration of each in each round, in seconds.") var seconds = 1.0
    @Option(help: "The number of rounds; the results are medians.") var rounds = 7
    @Option(help: "The seed of the workload.") var seed: UInt64 = 1
    /// Whether this is one of the processes that share nothing, which starts on command; the value is its share of
    /// writes.
    @Option(help: .hidden) var alone: Double?

    func run() async throws {
        let crowd = try ScaleWork(size: size, seed: seed)
        if let alone { return try runAlone(crowd, share: alone) }
        let threads = threads > 0 ? threads : ProcessInfo.processInfo.activeProcessorCount
        print(
            "scale on \(Machine.description), \(size) entities, \(threads) threads, \(rounds) rounds of \(seconds) s, seed \(seed)"
        )
        for share in [0.0, 0.2] { try compare(crowd, threads, share) }
    }

    /// Measures all variants in alternation, so that other load of the machine affects them equally.
    private func compare(_ work: ScaleWork, _ threads: Int, _ share: Double) throws {
        let copies = try start(threads, share)
        let indexes = Scheme.all.map { $0.make(work.grid()) }
        var apart: [Double] = []
        var results = indexes.map { _ in [Result]() }
        for _ in 0..<rounds {
            for copy in copies { try copy.write("go\n") }
            apart.append(
                try copies.reduce(0) { sum, copy in
                    guard let rate = Double(copy.readLine()) else { throw ExitCode.failure }
                    return sum + rate
                })
            for (number, index) in indexes.enumerated() {
                results[number].append(measure(index, work, threads, share))
            }
        }
        for copy in copies { try copy.end() }
        print("\n\(Int(share * 100)) % updates")
        row("\(threads) processes that share nothing", "\(Int(Self.middle(apart) / 1000)) k/s")
        for (scheme, rounds) in zip(Scheme.all, results) {
            let ratio = Self.middle(zip(rounds, apart).map { $0.rate / $1 })
            row(
                scheme.name, "\(Int(Self.middle(rounds.map(\.rate)) / 1000)) k/s", "\(short(ratio)) of them",
                "p99.99 \(short(Self.middle(rounds.map(\.slowest)) * 1e6, 0)) µs")
        }
    }

    private static func middle(_ numbers: [Double]) -> Double { numbers.sorted()[numbers.count / 2] }

    private struct Result {
        /// Operations per second.
        var rate: Double
        /// The 99.99th percentile of the query time, in seconds.
        var slowest: Double
    }

    private func measure(
        _ index: any SharedIndex, _ work: ScaleWork, _ threads: Int, _ share: Double
    ) -> Result {
        let queue = MoveQueue(index)
        let total = Atomic(0)
        let waits = Mutex<[Double]>([])
        let ids = work.ids
        let clock = ContinuousClock()
        let start = clock.now
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
            var walker = Walker(work, thread: thread, of: threads)
            var pending: [Move] = []
            var times: [Double] = []
            let end = start + .seconds(seconds)
            while true {
                if pending.count == 64 {
                    queue.add(pending)
                    pending.removeAll(keepingCapacity: true)
                }
                if walker.moves(share) {
                    pending.append(walker.move())
                    continue
                }
                let origin = walker.origin()
                guard walker.operations % 16 == 0 else {
                    index.nearest(to: origin, ids)
                    continue
                }
                let begun = clock.now
                index.nearest(to: origin, ids)
                let done = clock.now
                times.append((done - begun).seconds)
                if done > end { break }
            }
            total.add(walker.operations, ordering: .relaxed)
            waits.withLock { $0 += times }
        }
        let sorted = waits.withLock { $0.sorted() }
        return Result(
            rate: Double(total.load(ordering: .relaxed)) / (clock.now - start).seconds,
            slowest: sorted[sorted.count - 1 - sorted.count / 10_000])
    }

    private func start(_ count: Int, _ share: Double) throws -> [Helper] {
        let copies = try (0..<count).map { number in
            try Helper([
                "scale", "--size", "\(size)", "--seconds", "\(seconds)", "--seed", "\(seed + UInt64(number) << 32)",
                "--alone", "\(share)",
            ])
        }
        for copy in copies { try copy.waitUntilReady() }
        return copies
    }

    private func runAlone(_ work: ScaleWork, share: Double) throws {
        var grid = work.grid()
        var walker = Walker(work, thread: 0, of: 1)
        let clock = ContinuousClock()
        FileHandle.standardOutput.write(Data("ready\n".utf8))
        while readLine() != nil {
            let before = walker.operations
            let end = clock.now + .seconds(seconds)
            while walker.operations % 16 != 0 || clock.now < end {
                if walker.moves(share) {
                    let move = walker.move()
                    grid.upsert(move.handle, at: move.place, signature: 1)
                } else {
                    _ = grid.nearest(NearestQuery(limit: 10), to: walker.origin(), ids: work.ids)
                }
            }
            FileHandle.standardOutput.write(Data("\(Double(walker.operations - before) / seconds)\n".utf8))
        }
    }
}

/// The entities of the measurement, and the search origins.
private struct ScaleWork: Sendable {
    let places: [Coordinate]
    let origins: [Coordinate]
    let ids: Identifiers

    init(size: Int, seed: UInt64) throws {
        var work = try Work(seed: seed)
        places = (0..<size).map { _ in work.place() }
        origins = (0..<100_000).map { _ in work.place() }
        var ids = Identifiers()
        for number in 0..<size { _ = ids.insert("e\(number)") }
        self.ids = ids
    }

    func grid() -> Grid {
        var grid = Grid()
        for (handle, place) in places.enumerated() { grid.upsert(Int32(handle), at: place, signature: 1) }
        return grid
    }
}

/// The work of one thread, which moves its own entities and searches from anywhere.
private struct Walker {
    private let work: ScaleWork
    private let thread, threads: Int
    private var random: SeededGenerator
    private(set) var operations = 0

    init(_ work: ScaleWork, thread: Int, of threads: Int) {
        self.work = work
        self.thread = thread
        self.threads = threads
        random = SeededGenerator(seed: UInt64(thread))
    }

    mutating func moves(_ share: Double) -> Bool {
        operations += 1
        return random.chance(share)
    }

    mutating func origin() -> Coordinate { work.origins[Int(random.next() % UInt64(work.origins.count))] }

    mutating func move() -> Move {
        let own = Int(random.next() % UInt64(work.places.count / threads))
        let home = work.places[own * threads + thread]
        let (Δlatitude, Δlongitude) = (Int32(random.next() % 9000) - 4500, Int32(random.next() % 9000) - 4500)
        let moved = Coordinate(latitudeE7: home.latitudeE7 &+ Δlatitude, longitudeE7: home.longitudeE7 &+ Δlongitude)
        return Move(handle: Int32(own * threads + thread), place: moved ?? home)
    }
}
