import Discovery
import Foundation
import GRDB
import Geo
import Model
import Storage
import TestSupport
import Testing

/// However much somebody wrote, and however much was written about a place, each turn of deleting it is short.
@Suite struct CommentDeletionTests {
    private static let comments = 200_000

    @Test(arguments: [DeletePerson(id("ana")), DeletePlace(id("sol"))] as [any Deletion])
    func aTurnDoesNotMoveAllThatIsLeftForEachCommentThatGoes(deletion: any Deletion) async throws {
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
