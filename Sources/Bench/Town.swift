internal import Algorithms
internal import Discovery
internal import Geo
internal import Laws
internal import Model

/// Discoverable people, with a reference for searches of strangers from all public cells.
struct Town {
    struct Kind: Sendable {
        let name: String
        /// Whether the searching people live in the densest cell.
        var isDense = false
        let change: @Sendable (inout StrangerQuery) -> Void
    }

    static let kinds = [
        Kind(name: "everybody") { _ in },
        Kind(name: "25 to 29 years") { $0.ages = 25...29 },
        Kind(name: "female") { $0.sexes = [.female] },
        Kind(name: "single or divorced") { $0.relationships = [.single, .divorced] },
        Kind(name: "female, single, 25 to 29") {
            $0.sexes = [.female]
            $0.relationships = [.single]
            $0.ages = 25...29
        },
        Kind(name: "few: other, widowed, 70 to 74") {
            $0.sexes = [.other]
            $0.relationships = [.widowed]
            $0.ages = 70...74
        },
        Kind(name: "none: 110 years and more") { $0.ages = 110...150 },
        Kind(name: "in the city, all", isDense: true) { _ in },
        Kind(name: "in the city, few", isDense: true) {
            $0.sexes = [.other]
            $0.relationships = [.widowed]
            $0.ages = 70...74
        },
    ]

    private let people, citizens: Int
    private var work: Work
    private var random: SeededGenerator
    private var documents: [Person] = []
    private var cells: [CubeCell?] = []
    private var centres: [CubeCell: [Int]] = [:]

    init(people: Int, citizens: Int, seed: UInt64) throws {
        self.people = people
        self.citizens = citizens
        work = try Work(seed: seed)
        random = SeededGenerator(seed: seed + 1)
    }

    var cellCount: Int { centres.count }
    /// The number of people by cell level.
    var levels: String {
        Dictionary(grouping: cells.compactMap { $0?.level }, by: \.self).sorted { $0.key < $1.key }
            .map { "\($0.key): \($0.value.count)" }.joined(separator: ", ")
    }

    mutating func viewer(_ kind: Kind) -> PersonID {
        documents[kind.isDense ? people + random.integer(0...citizens - 1) : random.integer(0...people - 1)].id
    }

    /// Creates all people, keeps them in place for a week until levels are chosen, and then moves them a little.
    mutating func settle(in engine: Engine, from start: Timestamp, to now: Timestamp) async throws {
        documents = (0..<people + citizens).map { number in person(number) }
        for some in documents.chunks(ofCount: 5000) {
            try await engine.perform(Batch(some.map { PutPerson(Write($0)) }), by: .service, at: start)
        }
        let places = (0..<people).map { _ in work.place() }
        try await send(places, engine, at: start)
        try await engine.updateCellLevels(at: now - .seconds(86_400))
        var random = random
        try await send(places.map { random.jittered($0, metres: 1500) }, engine, at: now - .seconds(3600))
    }

    private func send(_ places: [Coordinate], _ engine: Engine, at time: Timestamp) async throws {
        for numbers in places.indices.chunks(ofCount: 5000) {
            let reports = numbers.map { number in
                PingReport(person: documents[number].id, time: time, place: places[number])
            }
            try await engine.perform(Record(reports), by: .service, at: time)
            if numbers.lowerBound % 100_000 == 0 { try await engine.compact() }
        }
        try await engine.compact()
    }

    private mutating func person(_ number: Int) -> Person {
        var person = Person(id: ID(known: "p\(number)"))
        person.isDiscoverable = true
        person.born = CalendarDate(year: 2007 - min(random.integer(0...70), random.integer(0...70)), month: 3, day: 3)
        person.sex = random.chance(0.02) ? .other : random.chance(0.5) ? .female : .male
        person.relationship =
            random.chance(0.02) ? .widowed : random.pick([Relationship.single, .partnered, .married, .divorced])
        if number >= people { person.city = "Madrid" }
        return person
    }

    /// Records the public cell of each person.
    mutating func lookAtCells(_ engine: Engine) {
        cells = engine.read { state in documents.map { state.publicCell(of: $0.id) } }
        for (number, cell) in cells.enumerated() { if let cell { centres[cell, default: []].append(number) } }
    }

    /// Compares a page with a scan of all people: the nearest buckets, filled with matching people.
    func check(_ page: StrangerPage, _ query: StrangerQuery, from origin: Coordinate, at now: Timestamp) throws {
        guard let today = CalendarDate(now) else { return }
        var buckets: [String: Int] = [:]
        for (cell, members) in centres {
            let distance = Geodesic.distance(from: origin, to: cell.centre)
            guard let bucket = [1, 2, 5, 10, 25, 50, 100].first(where: { distance < Double($0) * 1000 }) else {
                continue
            }
            for member in members where documents[member].id != query.viewer && matches(documents[member], query, today)
            {
                buckets[documents[member].id.text] = bucket
            }
        }
        let expected = buckets.values.sorted().prefix(query.limit)
        let shown = page.strangers.map(\.kilometres)
        guard shown == Array(expected) || page.next != nil && shown == Array(expected.prefix(shown.count)),
            page.strangers.allSatisfy({ buckets[$0.id.text] == $0.kilometres }),
            Set(page.strangers.map(\.id)).count == shown.count
        else { throw MeasurementError("\(query.viewer) is shown \(shown) and not \(Array(expected))") }
    }

    private func matches(_ person: Person, _ query: StrangerQuery, _ today: CalendarDate) -> Bool {
        guard let age = person.born?.shownAge(on: today), age >= StrangerQuery.adulthood else { return false }
        return query.ages?.contains(age) ?? true
            && (query.sexes.isEmpty || person.sex.map(query.sexes.contains) ?? false)
            && (query.relationships.isEmpty || person.relationship.map(query.relationships.contains) ?? false)
    }
}
