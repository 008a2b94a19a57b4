import Foundation
import GRDB
import Geo
import Model
import Storage

/// Opens the database of a folder like another program that has our tokenizer, but not SpatiaLite's triggers.
func openFile(_ folder: URL) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.prepareDatabase { db in db.add(tokenizer: WordTokenizer.self) }
    return try DatabaseQueue(path: folder.appending(path: Store.fileName).path, configuration: configuration)
}

extension Store {
    /// Commits changes, at most `together` in a group, and waits for them.
    func commit(_ changes: [Change], together: Int = 1000, monitor: WorkMonitor? = nil) async throws {
        let box = Outcome()
        let commits = GroupCommit<Change, Int>(
            store: self, bounds: .init(maxWeight: together, maxDuration: .seconds(3600), turn: { _ in together }),
            weight: { _ in 1 },
            perform: { change, transaction in
                transaction.beginLogRow()
                guard let monitor else { return try transaction.write(change) }
                try monitor.measure(.turn) { try transaction.write(change) }
            },
            rollback: {},
            complete: { items, error in box.complete(items.count, error) })
        try await withCheckedThrowingContinuation { continuation in
            box.expect(changes.count, continuation)
            commits.submit(changes, of: 0)
        }
    }
}

private final class Outcome: @unchecked Sendable {  // all state is guarded by the lock
    private let lock = NSLock()
    private var left = 0
    private var continuation: CheckedContinuation<Void, any Error>?
    private var error: StorageError?

    func expect(_ count: Int, _ continuation: CheckedContinuation<Void, any Error>) {
        lock.withLock {
            left = count
            self.continuation = continuation
        }
    }

    func complete(_ count: Int, _ error: StorageError?) {
        lock.withLock {
            left -= count
            self.error = self.error ?? error
            guard left == 0, let continuation else { return }
            if let error = self.error { continuation.resume(throwing: error) } else { continuation.resume() }
        }
    }
}

func person(_ number: PersonNumber, _ id: String) throws -> Change {
    .people(.put(Versioned(number: number, revision: 1, value: Person(id: try ID(id)))))
}

func ping(_ person: PersonNumber, at milliseconds: Int64, _ place: Coordinate) -> StoredPing {
    var ping = StoredPing(
        person: person, time: Timestamp(milliseconds: milliseconds),
        received: Timestamp(milliseconds: milliseconds + 5),
        place: place, publicCell: CubeCell(containing: place, level: 13))
    ping.device = "phone"
    ping.details.accuracy = 12.5
    return ping
}

/// Returns all compacted pings of a person.
func history(_ store: Store, of person: PersonNumber) async throws -> [StoredPing] {
    let always = Timestamp(milliseconds: 0)..<Timestamp(milliseconds: .max)
    var pings: [StoredPing] = []
    var rows: Rows<StoredPing>
    repeat {
        rows = try await store.pings(
            of: person, in: always, from: pings.last.map { .after($0.key) } ?? .beginning, limit: 10_000)
        pings += rows.items
    } while !rows.isLast
    return pings
}
