import GRDB
import Geo
import Model
import Storage
import Synchronization
import TestSupport
import Testing

/// The number of statements in a commit of 100 rows, so that none is added to each row unnoticed.
///
/// Our own statements were counted in the sources. Nested ones, by which indexes write their own tables, were measured
/// with SQLite 3.40 on equal indexes. The bounds leave room for other versions.
@Suite struct StatementBudgetTests {
    private static let count = 100
    /// Our own statements per commit besides the rows: its beginning, its end, and maintenance.
    private static let ofCommit = 25

    private func withStore(_ body: (Store, Statements) async throws -> Void) async throws {
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            try await body(store, try Statements(of: store))
            try store.close()
        }
    }

    /// Returns 100 shops, `distance` meters apart.
    private func shops(_ name: String, every distance: Double, revision: Int64) throws -> [Change] {
        try (0..<Self.count).map { number -> Change in
            var shop = Place(id: try ID("s\(number)"), kind: "store", name: "\(name) \(number)")
            shop.address = "Calle Mayor \(number)"
            shop.tags = ["new"]
            shop.coordinate = east(Double(number) * distance)
            return .catalogue(.place(Versioned(number: PlaceNumber(number), revision: revision, value: shop)))
        }
    }

    @Test("A place takes three statements, and six if its words change") func places() async throws {
        try await withStore { store, statements in
            try await store.commit(shops("Sol", every: 100, revision: 1))
            let new = statements.take()
            // Reads its texts, writes its row, and writes its position; words take one statement for all.
            #expect(new.own.count <= 3 * Self.count + Self.ofCommit, "\(new)")
            // measured: 615
            #expect(new.within.count <= 10 * Self.count, "\(new)")
            try await store.commit(shops("Sol", every: 100, revision: 2))
            let same = statements.take()
            #expect(same.own.count <= 4 * Self.count + Self.ofCommit, "\(same)")
            // measured: 808
            #expect(same.within.count <= 13 * Self.count, "\(same)")
            try await store.commit(shops("Luna", every: 200, revision: 3))
            let other = statements.take()
            // The old words are removed, which is counted too.
            #expect(other.own.count <= 6 * Self.count + Self.ofCommit, "\(other)")
            // measured: 1421
            #expect(other.within.count <= 25 * Self.count, "\(other)")
        }
    }

    /// Words are written with the commit, not with each row, or each row would become a segment.
    @Test("The words of a commit are few segments") func textSegments() async throws {
        try await withStore { store, statements in
            func segments() throws -> Int {
                try store.inspect { try Int.fetchOne($0, sql: "SELECT count(*) FROM places_text_data") ?? 0 }
            }
            let deletions = (0..<Self.count).map { Change.catalogue(.placeDeleted(PlaceNumber($0))) }
            for changes in [
                try shops("Sol", every: 100, revision: 1), try shops("Luna", every: 100, revision: 2), deletions,
            ] {
                try await store.commit(changes)
                // measured: 6, 24 and 4
                let written = statements.take()
                #expect(written.ofSegments <= Self.count / 2, "\(written)")
                // measured: 4, 6 and 7
                #expect(try segments() <= 20)
            }
            try await store.commit(shops("Sol", every: 100, revision: 1), together: 1)
            #expect(statements.take().ofSegments >= 3 * Self.count, "one by one each is a segment")
        }
    }

    @Test("A person takes two statements, and a friendship one") func peopleAndFriendships() async throws {
        try await withStore { store, statements in
            try await store.commit(try (0..<Self.count).map { try person(PersonNumber($0), "p\($0)") })
            let people = statements.take()
            #expect(people.own.count <= 2 * Self.count + Self.ofCommit, "\(people)")
            // measured for places: one each, and six for all
            #expect(people.within.count <= 2 * Self.count, "\(people)")
            let friends = (1..<Self.count).map { number in
                Change.ties(.made(0, PersonNumber(number), at: Timestamp(milliseconds: Int64(number))))
            }
            try await store.commit(friends)
            let ties = statements.take()
            #expect(ties.own.count <= Self.count + Self.ofCommit && ties.within.isEmpty, "\(ties)")
        }
    }

    @Test("A batch of pings takes one statement, and its compaction one per ping") func pingBatches() async throws {
        try await withStore { store, statements in
            try await store.commit([person(0, "ana"), person(1, "luis")])
            _ = statements.take()
            let pings = (0..<Self.count).map { number in
                Change.pings(.stored(ping(PersonNumber(number % 2), at: Int64(number), east(Double(number)))))
            }
            try await store.commit(pings)
            let logged = statements.take()
            #expect(logged.own.count <= Self.ofCommit && logged.within.isEmpty, "\(logged)")
            #expect(try await store.compact() != nil)
            let folded = statements.take()
            // For each person, existence is checked, and the newest and live positions are written.
            #expect(folded.own.count <= Self.count + 2 * 3 + 2 * Self.ofCommit, "\(folded)")
        }
    }
}

/// The statements that the writer of a store runs.
private final class Statements: Sendable {
    private let all = Mutex<[String]>([])

    /// Records all statements from now on.
    init(of store: Store) throws {
        try store.inspectWriter { db in
            db.trace { [self] event in
                guard case .statement(let statement) = event else { return }
                let sql = statement.sql
                all.withLock { $0.append(sql) }
            }
        }
    }

    /// Returns the statements since the last call.
    func take() -> Taken {
        let taken = all.withLock { all in
            defer { all = [] }
            return all
        }
        return Taken(own: taken.filter { !$0.hasPrefix("--") }, within: taken.filter { $0.hasPrefix("--") })
    }

    /// Statements, described with the number of their runs.
    struct Taken: CustomStringConvertible {
        let own: [String]
        /// Nested statements, which SQLite reports after two hyphens.
        let within: [String]

        /// Number of statements that write segments of the word index of places.
        var ofSegments: Int {
            within.count { $0.contains("places_text_data") || $0.contains("places_text_idx") }
        }

        var description: String {
            let counts = Dictionary(grouping: own + within) { $0.prefix(80) }.mapValues(\.count)
            return counts.sorted { $0.value > $1.value }.map { "\($0.value) \($0.key)" }.joined(separator: "\n")
        }
    }
}
