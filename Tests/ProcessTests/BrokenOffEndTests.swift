import Foundation
import GRDB
import Storage
import Testing

/// The real program completes at start what an earlier process left unfinished.
@Suite(.timeLimit(.minutes(60))) struct BrokenOffEndTests {
    @Test("A start removes former friends from fences to which they do not consent") func formerFriends() async throws {
        try await withFolder { folder in
            var service = try await Service(data: folder)
            for person in ["ana", "luis", "eva"] { try await service.send("PUT /v1/people/\(person)", "{}") }
            for friend in ["ana", "eva"] {
                try await service.send("PUT /v1/people/luis/friends/\(friend)")
                try await service.send("PUT /v1/people/\(friend)/friends/luis")
            }
            let fence = #"{"area":{"lat":39.47,"lon":-0.37,"within_m":100},"people":["ana","eva"]}"#
            let made = try await service.send("PUT /v1/people/luis/fences/home", fence)
            try #require(made.status == 201, "\(made)")
            #expect(service.stop() == 0)
            // The rows that the first turn of ending a friendship leaves for later turns.
            let database = try openDatabase(folder.appending(path: Store.fileName))
            try await database.write { db in
                try db.execute(
                    sql: """
                        DELETE FROM friendships WHERE a = (SELECT number FROM people WHERE id = 'ana');
                        UPDATE fence_watches SET state = 'ended'
                        WHERE person = (SELECT number FROM people WHERE id = 'ana');
                        """)
            }
            try database.close()
            service = try await Service(data: folder)
            var body = ""
            try await wait(
                until: {
                    body = try await service.send("GET /v1/people/luis/fences/home").body
                    return body.contains(#""people":["eva"]"#)
                }, { "the fence names eva alone: \(body)" })
            #expect(service.stop() == 0)
        }
    }
}
