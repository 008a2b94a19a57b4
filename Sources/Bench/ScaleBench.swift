internal import ArgumentParser
internal import Foundation
internal import Geo
internal import Laws
internal import Synchronization

/// `tools/bench scale`: the index under all cores at once, against as many processes that share nothing.
struct ScaleBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scale", abstract: "Measure readers and writers on all cores.",
        discussion: """
            Every thread asks for the nearest ten; with updates one operation in five is a move instead, which a thread \
            gathers and hands in 64 at a time, as the service hands commands to its writer. The mark is as many processes of one thread that each have an index of \
            their own and write it as they please.
            """)

    @Option(help: "How many entities.") var size = 1_000_000
    @Option(help: "How many threads, and processes; 0 for one a core.") var threads = 0
    @Option(help: "For how many seconds each.") var seconds = 3.0
    @Option(help: "What the work is made from.") var seed: UInt64 = 1
    /// One of the processes that share nothing: it says when it is ready and begins when it is told to.
    @Option(help: .hidden) var alone: Double?

    func run() async throws {
        let crowd = try ScaleWork(size: size, seed: seed)
        if let alone { return try runAlone(crowd, share: alone) }
        let threads = threads > 0 ? threads : ProcessInfo.processInfo.activeProcessorCount
        print("scale on \(Machine.description), \(size) entities, \(threads) threads, \(seconds) s each, seed \(seed)")
        for share in [0.0, 0.2] {
            print("\n\(Int(share * 100)) % updates")
            let apart = try processes(threads, share)
            row("\(threads) processes that share nothing", "\(Int(apart / 1000)) k/s")
            for scheme in Scheme.all {
                let result = measure(scheme, crowd, threads, share)
                row(
                    scheme.name, "\(Int(result.rate / 1000)) k/s", "\(short(result.rate / apart)) of them",
                    "p99.99 \(short(result.slowest * 1e6, 0)) µs")
            }
        }
    }

    // MARK: - Threads that share one index

    private func measure(
        _ scheme: Scheme, _ work: ScaleWork, _ threads: Int, _ share: Double
    ) -> (rate: Double, slowest: Double) {
        let index = scheme.make(work.grid())
        let queue = MoveQueue(index)
        let total = Atomic(0)
        let waits = Mutex<[Double]>([])
        let ids = work.ids
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
            var walker = Walker(work, thread: thread, of: threads)
            var pending: [Move] = []
            var times: [Double] = []
            let clock = ContinuousClock()
            let end = clock.now + .seconds(seconds)
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
        return (Double(total.load(ordering: .relaxed)) / seconds, sorted[sorted.count - 1 - sorted.count / 10_000])
    }

    // MARK: - Processes that share nothing

    private func processes(_ count: Int, _ share: Double) throws -> Double {
        let copies = try (0..<count).map { number in
            try Copy(arguments: [
                "scale", "--size", "\(size)", "--seconds", "\(seconds)", "--seed", "\(seed + UInt64(number) << 32)",
                "--alone", "\(share)",
            ])
        }
        for copy in copies { try copy.waitUntilReady() }
        for copy in copies { copy.begin() }
        return try copies.reduce(0) { try $0 + $1.result() }
    }

    private func runAlone(_ work: ScaleWork, share: Double) throws {
        var grid = work.grid()
        var walker = Walker(work, thread: 0, of: 1)
        FileHandle.standardOutput.write(Data("ready\n".utf8))
        _ = readLine()
        let clock = ContinuousClock()
        let end = clock.now + .seconds(seconds)
        while walker.operations % 16 != 0 || clock.now < end {
            if walker.moves(share) {
                let move = walker.move()
                grid.upsert(move.handle, at: move.place, signature: 1)
            } else {
                _ = grid.nearest(NearestQuery(limit: 10), to: walker.origin(), ids: work.ids)
            }
        }
        print(Double(walker.operations) / seconds)
    }
}

/// A process of this program that waits for its start.
private struct Copy {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    init(arguments: [String]) throws {
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    func waitUntilReady() throws {
        guard String(decoding: output.fileHandleForReading.availableData, as: UTF8.self) == "ready\n" else {
            throw ExitCode.failure
        }
    }

    func begin() { input.fileHandleForWriting.write(Data("go\n".utf8)) }

    func result() throws -> Double {
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard let rate = Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) else { throw ExitCode.failure }
        return rate
    }
}

/// The entities of the measurement, and where it asks from.
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

/// What one thread does: it moves its own entities, and asks from anywhere.
private struct Walker {
    private let work: ScaleWork
    private let thread, threads: Int
    private var dice: Dice
    private(set) var operations = 0

    init(_ work: ScaleWork, thread: Int, of threads: Int) {
        self.work = work
        self.thread = thread
        self.threads = threads
        dice = Dice(seed: UInt64(thread))
    }

    mutating func moves(_ share: Double) -> Bool {
        operations += 1
        return dice.chance(share)
    }

    mutating func origin() -> Coordinate { work.origins[Int(dice.next() % UInt64(work.origins.count))] }

    mutating func move() -> Move {
        let own = Int(dice.next() % UInt64(work.places.count / threads))
        let home = work.places[own * threads + thread]
        let (Δlatitude, Δlongitude) = (Int32(dice.next() % 9000) - 4500, Int32(dice.next() % 9000) - 4500)
        let moved = Coordinate(latitudeE7: home.latitudeE7 &+ Δlatitude, longitudeE7: home.longitudeE7 &+ Δlongitude)
        return Move(handle: Int32(own * threads + thread), place: moved ?? home)
    }
}
