import Discovery
import Foundation
import Geo
import Laws
import Model
import Storage
import TestSupport
import Testing

/// A service keeps its state over any commands and any kind of end.
@Suite(.timeLimit(.minutes(60))) struct RestartLawTests {
    @Test("Nothing stored is lost, and nothing deleted comes back", arguments: RandomCases.seeds(0..<12))
    func restarts(seed: UInt64) async throws {
        try await withEngine(rules: Course.rules) { engine in
            var course = Course(engine, seed: seed)
            for step in 0..<80 {
                course.now = course.now + .seconds(course.random.integer(1...400))
                let done = try await course.advance()
                let place: Comment = "seed \(seed), step \(step): \(done)"
                let engine = course.engine
                #expect(
                    difference(engine.engine.draftDump, engine.canonicalDump + engine.engine.read { $0.volatileDump })
                        == [],
                    place)
                #expect(try await course.histories().map(\.points) == course.expected, place)
            }
            try await course.restart(.stop)
            let check = try DatabaseFile(course.engine.folder.appending(path: Store.fileName)).integrity { _, _ in }
            #expect(check.faults == [], "seed \(seed)")
            try course.engine.store.close()
        }
    }
}

/// A random course of commands about three people, and the positions that must be stored.
private struct Course {
    /// How a service ends.
    enum End: CaseIterable { case stop, stopWithoutTimeToCompact, kill }

    /// A stored position as it was sent.
    struct Point: Hashable { var time: Timestamp; var place: Coordinate }

    static let rules: PingRules = {
        var rules = PingRules.everywhereFine
        rules.distance = 100
        rules.interval = .seconds(5)
        return rules
    }()

    private static let names = ["ana", "luis", "eva"]

    var engine: TestEngine
    var random: SeededGenerator
    var now = morning
    /// By person, nil for a person who does not exist.
    private var stored: [String: Set<Point>] = [:]

    init(_ engine: TestEngine, seed: UInt64) {
        self.engine = engine
        random = SeededGenerator(seed: seed)
    }

    /// Performs a random step and returns a description of it.
    mutating func advance() async throws -> String {
        let name = random.pick(Self.names)
        guard stored[name] != nil else {
            try await put(name)
            stored[name] = []
            return "made \(name)"
        }
        switch random.integer(0...99) {
        case 0..<52: return try await send(name)
        case 52..<66: return try await erase(name)
        case 66..<76: try await engine.engine.compact()
        case 76..<80: try await engine.engine.writePendingStays(dueAt: nil)
        case 80..<87: try await put(name)
        case 87..<89:
            try await engine.perform(DeletePerson(id(name)), at: now)
            stored[name] = nil
            return "deleted \(name)"
        default:
            let end = random.pick(End.allCases)
            try await restart(end)
            return "\(end)"
        }
        return "maintenance, or \(name) changed"
    }

    private mutating func put(_ name: String) async throws {
        var sharing = Sharing(random.pick([.exact, .exact, .city, .hidden]))
        if random.chance(0.2) { sharing.pausedUntil = now + .seconds(600) }
        if random.chance(0.2) {
            sharing.timetable = ZonedHours(hours: "Mo-Fr 08:00-18:00", timezone: "Europe/Madrid")
        }
        if random.chance(0.2) { sharing.zones = [PrivacyZone(id: id("home"), centre: valencia, radius: 300)] }
        let isDiscoverable = random.chance(0.7)
        let person = person(name) {
            $0.sharing = sharing
            $0.isDiscoverable = isDiscoverable
        }
        try await engine.perform(PutPeople([Write(person)]), at: now)
    }

    /// Sends a few positions, mostly at home, and now and then a distant one, which the next ones outweigh.
    private mutating func send(_ name: String) async throws -> String {
        let start = now - .seconds(random.chance(0.2) ? random.integer(0...4000) : random.integer(0...30))
        let reports = (0..<random.integer(1...6)).map { number in
            let metres = random.chance(0.25) ? 5_000_000 : Double(random.integer(0...3)) * 150
            var report = ping(0, east(metres), of: name, device: random.pick(["phone", "watch"]))
            report.time = start + .seconds(number * random.integer(5...20))
            return report
        }
        let verdicts = try await engine.perform(Record(reports), at: now + .seconds(150)).verdicts
        for (report, verdict) in zip(reports, verdicts) where verdict == .stored {
            if let time = report.time { stored[name]?.insert(Point(time: time, place: report.place)) }
        }
        return "\(name) sent \(verdicts)"
    }

    private mutating func erase(_ name: String) async throws -> String {
        let from = now - .seconds(random.pick([30, 300, 3000, 40_000]))
        let times = from..<(random.chance(0.5) ? now + .seconds(1000) : from + .seconds(random.integer(1...3000)))
        let home = try Box(west: -0.38, south: 39.46, east: -0.3755, north: 39.48)
        let area = random.chance(0.3) ? Region.box(home) : nil
        let erased = try await engine.engine.erase(of: id(name), in: times, where: area, by: .service, received: now)
        let gone = stored[name, default: []].filter { times.contains($0.time) && area?.contains($0.place) ?? true }
        stored[name]?.subtract(gone)
        #expect(erased.pings == gone.count)
        return "deleted \(erased) of \(name)"
    }

    /// Ends the service, starts it again, and expects the same state.
    mutating func restart(_ end: End) async throws {
        if end == .kill { try await engine.engine.writePendingStays(dueAt: nil) }
        let before = (engine.canonicalDump, try await histories())
        engine = try await ended(by: end)
        #expect(difference(engine.canonicalDump, before.0) == [], "\(end)")
        #expect(try await histories() == before.1, "\(end)")
    }

    private func ended(by end: End) async throws -> TestEngine {
        switch end {
        case .stop: return try await engine.restarted()
        case .stopWithoutTimeToCompact:
            let waiting = engine.store.uncompactedCount
            #expect(try await engine.engine.close(compactingFor: .zero) == waiting)
            return try TestEngine(folder: engine.folder, rules: engine.rules)
        case .kill:
            // A copy of the files stands for what a killed process leaves on disk.
            let copy = engine.folder.appendingPathExtension("copy")
            try FileManager.default.copyItem(at: engine.folder, to: copy)
            try engine.store.close()
            try FileManager.default.removeItem(at: engine.folder)
            try FileManager.default.moveItem(at: copy, to: engine.folder)
            return try TestEngine(folder: engine.folder, rules: engine.rules)
        }
    }

    func histories() async throws -> [History] {
        var histories: [History] = []
        for name in Self.names where stored[name] != nil {
            let pings = try await engine.engine.history(
                of: id(name), from: Timestamp(milliseconds: 0), to: Timestamp(milliseconds: .max), limit: 10_000)
            histories.append(History(name: name, pings: pings))
        }
        return histories
    }

    struct History: Equatable {
        var name: String
        var pings: [StoredPing]

        var points: Set<Point> { Set(pings.map { Point(time: $0.time, place: $0.place) }) }
    }

    /// The positions that histories must contain.
    var expected: [Set<Point>] { Self.names.compactMap { stored[$0] } }
}
