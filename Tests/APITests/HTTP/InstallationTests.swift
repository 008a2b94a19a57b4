import API
import Synchronization
import TestSupport
import Testing

/// The state of the installation at `/v1/service`.
@Suite struct InstallationTests {
    @Test("An installation is examined once a minute, however many ask") func examinedOnce() async throws {
        let count = Mutex(0)
        let installation = Installation(
            schema: 39, databaseBytes: 4096, backup: (morning, 2048),
            findings: [("backups", "ok"), ("disk", "warning")])
        let examine: @Sendable () async -> Installation = {
            count.withLock { $0 += 1 }
            return installation
        }
        try await withServer({ $0.examine = examine }) { server in
            let replies = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<8 { group.addTask { try await server.send("GET /v1/service").body } }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(
                replies.map { $0.replacing(#/"version":"[0-9.]+"/#, with: #""version":"…""#) } == [
                    """
                    {"version":"…","started_at":"2026-11-20T10:00:00Z","counts":{"people":0,"places":0,"products":0},\
                    "schema":39,"database_bytes":4096,"backup":{"at":"2026-11-20T10:00:00Z","bytes":2048},\
                    "findings":[{"subject":"backups","state":"ok"},{"subject":"disk","state":"warning"}],\
                    "examined_at":"2026-11-20T10:00:00Z"}
                    """
                ])
            #expect(count.withLock { $0 } == 1)
        }
    }
}
