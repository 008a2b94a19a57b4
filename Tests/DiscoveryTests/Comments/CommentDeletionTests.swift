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
        try await withLive { live in
            try await live.add(person("ana"))
            try await live.perform(PutPlaces([Write(Place(id: id("sol"), kind: "spot", name: "Sol"))]))
            try live.store.close()
            let file = try DatabaseQueue(path: live.folder.appending(path: Store.fileName).path)
            try await file.write { db in
                try db.execute(
                    sql: """
                        WITH RECURSIVE numbers (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM numbers WHERE i + 1 < ?)
                        INSERT INTO comments SELECT i, 'c' || i, 0, 0, 0, NULL, 1, 'Nice' FROM numbers
                        """, arguments: [Self.comments])
            }
            try file.close()
            let gauge = Gauge()
            let again = try TestLive(folder: live.folder, gauge: gauge)
            for _ in 0..<3 {
                #expect(try await again.live.step(deletion, by: .service, at: morning) == .begun)
            }
            #expect(gauge.longest(.turn) <= Effort.turn)
            try again.store.close()
        }
    }
}
