import Cities
import Discovery
import Foundation
import Geo
import Laws
import Model
import Storage
import Synchronization
import TestSupport
import Testing

/// Runs the body on a service with a temporary database.
func withEngine<Result>(
    rules: PingRules = .everywhereFine, monitor: WorkMonitor? = nil, _ body: (TestEngine) async throws -> Result
) async throws -> Result {
    try await withFolder { folder in
        let engine = try TestEngine(folder: folder, rules: rules, monitor: monitor)
        let result = try await body(engine)
        try engine.store.close()
        return result
    }
}

extension PingRules {
    /// The default rules, with public cells of the finest level for any number of people.
    static var everywhereFine: PingRules {
        var rules = PingRules()
        rules.defences.coarsens = false
        return rules
    }
}

struct TestEngine {
    let folder: URL
    let store: Store
    let engine: Engine
    let rules: PingRules

    init(
        folder: URL, rules: PingRules = .everywhereFine, monitor: WorkMonitor? = nil, longestLogRow: Int = 256 << 10,
        log: (any ActionLog)? = nil, events: Int? = nil
    ) throws {
        self.folder = folder
        self.rules = rules
        try migrate(folder)
        store = try Store(
            folder: folder, maxReadDuration: .seconds(600), monitor: monitor, longestLogRow: longestLogRow)
        var capacity = Engine.Capacity()
        if let events { capacity.events = events }
        engine = try Engine(store: store, gazetteer: gazetteer, rules: rules, capacity: capacity, log: log)
    }

    /// Stops the service and starts it again.
    func restarted() async throws -> TestEngine {
        try await engine.close()
        return try TestEngine(folder: folder, rules: rules)
    }

    @discardableResult
    func perform<A: Action>(
        _ action: A, by caller: Caller = .service, at time: Timestamp = morning
    ) async throws -> A.Outcome {
        try await engine.perform(action, by: caller, at: time)
    }

    func add(_ people: Person...) async throws { try await perform(PutPeople(people.map { Write($0) })) }

    /// Sends pings, by default received well after their fix times.
    func send(_ reports: PingReport..., at time: Timestamp = morning + .seconds(86_400)) async throws -> [Verdict] {
        try await perform(Record(reports), at: time).verdicts
    }

    /// Sends pings, and returns their verdicts and the hints after them.
    func hinted(
        _ reports: PingReport..., by caller: Caller = .service, at time: Timestamp = morning
    ) async throws -> (verdicts: [Verdict], hints: [Hint]) {
        let recorded = try await perform(Record(reports), by: caller, at: time)
        return (recorded.verdicts, try await engine.hints(after: reports, recorded, at: time))
    }

    var canonicalDump: [String] { engine.read { $0.canonicalDump } }
}

extension LiveState {
    /// Runs all parts of a search for nearest friends on one state.
    func nearestFriends(
        of id: PersonID, _ query: NearestQuery, from first: Coordinate? = nil, passing filter: FriendFilter = .none,
        by caller: Caller, at now: Timestamp
    ) throws(Refusal) -> Page<PersonNearby> {
        let search = NearestFriends(of: id, query, from: first, passing: filter, by: caller, at: now)
        guard let page = try search.whole(in: self).page else { preconditionFailure("all parts were looked at") }
        return page
    }
}

/// The lines that only one of two accounts has.
func difference(_ a: [String], _ b: [String]) -> [String] { Set(a).symmetricDifference(b).sorted() }

func id<Thing>(_ text: String) -> ID<Thing> {
    guard let id = try? ID<Thing>(text) else { preconditionFailure("\(text) is an id") }
    return id
}

/// A discoverable adult who shares exactly with friends.
func person(_ name: String, _ change: (inout Person) -> Void = { _ in }) -> Person {
    var person = Person(id: id(name))
    person.name = name
    person.born = CalendarDate(year: 1996, month: 5, day: 1)
    person.isDiscoverable = true
    person.sharing = Sharing(.exact)
    change(&person)
    return person
}

/// A ping, by default of `ana`, with a fix time in seconds after the morning.
func ping(
    _ seconds: Double, _ place: Coordinate, accuracy: Float? = 10, of person: String = "ana", device: String = "phone"
)
    -> PingReport
{
    var report = PingReport(
        person: id(person), device: device, time: morning + .milliseconds(Int64(seconds * 1000)), place: place)
    report.details.accuracy = accuracy
    return report
}

/// Results of several tasks.
final class Words: Sendable { let all = Mutex<[String]>([]) }
