import Discovery
import Foundation
import Model
import Storage
import TestSupport
import Testing

/// Log entries that no node can store.
@Suite(.timeLimit(.minutes(60))) struct UnstorableTests {
    private func entry(_ number: UInt64, _ people: Person...) throws -> LogMessage {
        let actions = people.map { LogEntry(PutPerson(Write($0)), by: .service, at: morning) }
        let heading = LogEntries.Heading(origin: 7, number: number)
        return LogMessage(
            number, try LogEntries.message(heading, with: actions, longest: 100_000).bytes, at: morning)
    }

    /// Actions in the same commit or message are stored once.
    @Test("Only the action that cannot be stored is skipped") func skipped() async throws {
        try await withFolder { folder in
            let one = try TestEngine(folder: folder, log: ListedLog())
            let bad = person("bad") { $0.throttle.distance = -1 }
            let entries = [
                try entry(1, person("ana")), try entry(2, person("luis")),
                try entry(3, person("eva"), bad, person("max")),
                try entry(4, person("rex")),
            ]
            try await one.engine.follow(entries, at: morning)
            #expect(one.engine.logProgress?.number == 4 && one.engine.logProgress?.fault == nil)
            #expect(one.engine.read { $0.counts.people } == 5)
            #expect(difference(one.engine.draftDump, one.canonicalDump + one.engine.read { $0.volatileDump }) == [])
            #expect(throws: Refusal.unknown(.person, id("bad"))) {
                try one.engine.read { try $0.person(id("bad"), for: .service) }
            }
            try one.store.close()
        }
    }
}
