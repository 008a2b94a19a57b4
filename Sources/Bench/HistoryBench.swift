internal import Algorithms
internal import ArgumentParser
internal import Discovery
internal import Foundation
internal import Geo
internal import Laws
internal import Model
internal import Storage

/// `tools/bench history`: measures queries of the past over many stored positions.
struct HistoryBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Measure queries of the past.",
        discussion: """
            A month of positions is stored through the service's own commits and compactions, then queried in process. Some answers \
            of each kind are compared with a full scan.
            """)

    @Option(help: "The number of stored positions.") var pings = 10_000_000
    @Option(help: "The number of queries of each kind.") var queries = 1000
    @Option(help: "The number of answers of each kind to verify.") var checks = 5
    @Option(help: "The seed of the workload.") var seed: UInt64 = 1
    @Option(help: "A folder for the data, which is kept and reused.") var folder: String?

    private static let friends = 200
    /// Number of people who have friends.
    private static let sociable = 50

    func run() async throws {
        let months = try Months(people: max(2 * Self.friends, pings / Months.positions), seed: seed)
        let count = months.people * Months.positions
        print("history of \(months.people) people, \(count) stored positions, on \(Machine.description), seed \(seed)")
        try await withFolder(folder) { try await measure(months, $0) }
    }

    private func measure(_ months: Months, _ folder: URL) async throws {
        let file = folder.appending(path: Store.fileName)
        let isThere = FileManager.default.fileExists(atPath: file.path)
        if !isThere {
            let store = try Store(folder: folder)
            try await load(months, into: store)
            try store.close()
        }
        let count = months.people * Months.positions
        print("\(Machine.size(of: file) / count) bytes of file for each stored position")
        let engine = try Engine(folder)
        var random = SeededGenerator(seed: seed)
        row("", "p50 ms", "p99 ms", "answers", "mark")
        try await month(months, engine, &random)
        for radius in [500.0, 2000, 10_000] { try await hour(radius, months, engine, &random) }
        try await instants(months, engine, &random)
        try await friends(months, engine, &random)
        try await encounters(months, engine, &random)
        try await engine.close()
    }

    private func load(_ months: Months, into store: Store) async throws {
        let loader = Loader(store)
        try await loader.commit(
            (0..<months.people).map {
                .people(.put(Versioned(number: Number($0), revision: 1, value: Person(id: id($0)))))
            })
        let long = Months.beginning - .seconds(86_400)
        for person in 0..<Self.sociable {
            try await loader.commit(
                (1...Self.friends).map {
                    .ties(.made(Number(person), Number((person + $0) % months.people), at: long))
                })
        }
        let start = ContinuousClock.now
        for index in 0..<Months.positions {
            try await loader.commit((0..<months.people).map { .pings(.stored(months.ping(of: $0, index))) })
            while store.uncompactedCount > 100_000 { _ = try await store.compact() }
        }
        while store.uncompactedCount > 0 { _ = try await store.compact() }
        let stored = .now - start
        for index in 0..<Months.positions {
            let stays = (0..<months.people).compactMap { person -> Change? in
                let (at, until) = months.times(of: person, index)
                return until.map {
                    .pings(
                        .stayWritten(person: Number(person), PingKey(time: at, sequence: 0), Stay(since: at, until: $0))
                    )
                }
            }
            try await loader.commit(stays)
        }
        let count = months.people * Months.positions
        print(
            "stored and compacted in \(short(stored.seconds, 0)) s, \(Int(Double(count) / stored.seconds)) a second; stays written in \(short((.now - start - stored).seconds, 0)) s"
        )
    }

    private func id(_ person: Int) -> PersonID { ID(known: "p\(person)") }

    private func instant(_ random: inout SeededGenerator) -> Timestamp {
        Months.beginning + .seconds(random.integer(86_400...(Months.days - 1) * 86_400))
    }

    /// Runs queries, checks the first results, and prints a row.
    private func ask<Question, Reply>(
        _ name: String, mark: String = "", _ questions: [Question],
        _ answer: (Question) async throws -> (Reply, count: Int), isRight: (Question, Reply) throws -> Bool
    ) async throws {
        var latency = Latency()
        var answers = 0
        for (number, question) in questions.enumerated() {
            let start = ContinuousClock.now
            let (reply, count) = try await answer(question)
            latency.record(.now - start)
            answers += count
            if number < checks, try !isRight(question, reply) {
                throw MeasurementError("\(name): the answer to \(question) is wrong")
            }
        }
        row(name, latency.milliseconds(50), latency.milliseconds(99), "\(answers / questions.count)", mark)
    }

    private func month(_ months: Months, _ engine: Engine, _ random: inout SeededGenerator) async throws {
        let people = (0..<queries).map { _ in random.integer(0...months.people - 1) }
        let end = Months.beginning + .seconds(Months.days * 86_400)
        try await ask("a person's month", mark: "20 ms", people) { person in
            let history = try await engine.history(of: id(person), from: Months.beginning, to: end, limit: 10_000)
            return (history, history.count)
        } isRight: { person, history in
            history.map(\.place) == (0..<Months.positions).map { months.place(of: person, $0) }
                && history.map(\.seenUntil) == (0..<Months.positions).map { months.times(of: person, $0).until }
        }
    }

    private func hour(_ radius: Double, _ months: Months, _ engine: Engine, _ random: inout SeededGenerator)
        async throws
    {
        let questions = (0..<queries).map { _ in
            let from = instant(&random)
            let home = months.home(of: random.integer(0...months.people - 1))
            return (place: random.jittered(home, metres: 500), times: from..<from + .seconds(3600))
        }
        var query = NearestQuery(limit: .max)
        query.within = radius
        try await ask("within \(Int(radius)) m in an hour", mark: "100 ms", questions) { [query] question in
            let page = try await engine.people(query, around: question.place, during: question.times, by: .service)
            let found = page.page.items.map(\.person.id.text)
            return (found, found.count)
        } isRight: { question, found in
            months.people(in: Circle(question.place, radius), during: question.times) == found
        }
    }

    private func instants(_ months: Months, _ engine: Engine, _ random: inout SeededGenerator) async throws {
        let questions = (0..<queries).map { _ in (random.integer(0...months.people - 1), instant(&random)) }
        try await ask("position of a person", questions) { person, time in
            (try await engine.position(of: id(person), at: time, by: .service, now: time), 1)
        } isRight: { question, position in
            months.place(of: question.0, at: question.1)?.place == position.place
        }
    }

    private func friends(_ months: Months, _ engine: Engine, _ random: inout SeededGenerator) async throws {
        let questions = (0..<queries).map { _ in (random.integer(0...Self.sociable - 1), instant(&random)) }
        try await ask("nearest 20 of 200 friends then", questions) { person, time in
            let page = try await engine.nearestFriends(
                of: id(person), at: time, NearestQuery(limit: 20), by: .service, now: time)
            return (page.items.map(\.person.id.text), page.items.count)
        } isRight: { question, found in
            let (person, time) = question
            guard let own = months.place(of: person, at: time)?.place else { return false }
            let friends = Set(
                (1...Self.friends).map { (person + $0) % months.people }
                    + (0..<Self.sociable).filter {
                        (1...Self.friends).contains((person - $0 + months.people) % months.people)
                    })
            let distances = friends.compactMap { friend in
                months.place(of: friend, at: time).map { (Geodesic.micrometres(from: own, to: $0.place), "p\(friend)") }
            }
            return distances.sorted { $0 < $1 }.prefix(20).map(\.1) == found
        }
    }

    /// Measures encounters of people whose homes are near each other, if there are any.
    private func encounters(_ months: Months, _ engine: Engine, _ random: inout SeededGenerator) async throws {
        let pairs = (0..<queries).map { _ in
            let person = random.integer(0...months.people - 1)
            let others = (0..<50).map { _ in random.integer(0...months.people - 1) }.filter { $0 != person }
            let nearest = others.min {
                Geodesic.micrometres(from: months.home(of: person), to: months.home(of: $0))
                    < Geodesic.micrometres(from: months.home(of: person), to: months.home(of: $1))
            }
            return (person, nearest ?? (person + 1) % months.people)
        }
        let within = 1000.0
        let month = Months.beginning..<Months.beginning + .seconds(Months.days * 86_400)
        try await ask("encounters of two in a month", pairs) { a, b in
            var query = EncounterQuery(of: id(a), with: id(b), within: within, during: month)
            query.limit = 1000
            let page = try await engine.encounters(query, by: .service, now: query.times.upperBound)
            return (page.encounters, page.encounters.count)
        } isRight: { pair, encounters in
            stride(from: 0, to: Months.days * 86_400, by: 1800).allSatisfy { second in
                let time = Months.beginning + .seconds(second)
                let places = [pair.0, pair.1].compactMap { months.place(of: $0, at: time) }.filter(\.isKnown)
                let isReported = encounters.contains { $0.times.contains(time) }
                guard places.count == 2 else { return !isReported }
                let distance = Geodesic.distance(from: places[0].place, to: places[1].place)
                return abs(distance - within) < 100 || (distance < within) == isReported
            }
        }
    }
}

/// Commits changes through the single writer, like the service.
private final class Loader: Sendable {
    private struct Batch: Sendable {
        let changes: [Change]
        let continuation: CheckedContinuation<Void, any Error>
    }

    private let commits: GroupCommit<Batch, Int>

    init(_ store: Store) {
        commits = GroupCommit(
            store: store, bounds: .init(maxWeight: 10_000) { _ in 10_000 }, weight: { max(1, $0.changes.count) },
            perform: { batch, transaction in for change in batch.changes { try transaction.write(change) } },
            rollback: {},
            complete: { batches, error in
                for batch in batches {
                    if let error { batch.continuation.resume(throwing: error) } else { batch.continuation.resume() }
                }
            })
    }

    func commit(_ changes: [Change]) async throws {
        for part in changes.chunks(ofCount: 10_000) {
            try await withCheckedThrowingContinuation { continuation in
                commits.submit([Batch(changes: Array(part), continuation: continuation)], of: 0)
            }
        }
    }
}
