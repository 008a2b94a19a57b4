import Discovery
import Foundation
import GRDB
import Geo
import Model
import Storage
import TestSupport
import Testing

/// Deletion of an author or a place with many comments takes short turns.
@Suite struct CommentDeletionTests {
    private static let comments = 200_000

    @Test(
        "A turn of the deletion of 200,000 comments stays within its budget",
        arguments: [DeletePerson(id("ana")), DeletePlace(id("sol"))] as [any Deletion])
    func turns(deletion: any Deletion) async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            try await engine.perform(PutPlaces([Write(Place(id: id("sol"), kind: "spot", name: "Sol"))]))
            try engine.store.close()
            let file = try DatabaseQueue(path: engine.folder.appending(path: Store.fileName).path)
            try await file.write { db in
                try db.execute(
                    sql: """
                        WITH RECURSIVE numbers (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM numbers WHERE i + 1 < ?)
                        INSERT INTO comments SELECT i, 'c' || i, 0, 0, 0, NULL, 1, 'Nice' FROM numbers
                        """, arguments: [Self.comments])
            }
            try file.close()
            let monitor = WorkMonitor()
            let again = try TestEngine(folder: engine.folder, monitor: monitor)
            for _ in 0..<3 {
                #expect(try await again.engine.step(deletion, by: .service, at: morning) == .begun)
            }
            #expect(monitor.longest(.turn) <= WorkBudget.stepsPerTurn)
            try again.store.close()
        }
    }
}
