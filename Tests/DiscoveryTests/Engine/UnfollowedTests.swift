import Discovery
import Foundation
import Model
import Storage
import TestSupport
import Testing

/// Nodes that cannot follow their log any further.
@Suite(.timeLimit(.minutes(60))) struct UnfollowedTests {
    @Test("An unknown entry ends following") func unknownEntry() async throws {
        try await withFolder { folder in
            let log = ListedLog()
            let one = try openFollower(folder, log)
            try await following(log, one) { try await one.add(person("ana")) }
            await #expect(throws: LogEntries.Fault.version(9)) {
                try await one.engine.follow([LogMessage(2, [9, 1], at: morning)], at: morning)
            }
            #expect(one.engine.logProgress?.number == 1)
            await #expect(throws: LogEntries.Fault.gap(2)) {
                try await one.engine.follow([LogMessage(5, try LogEntries.first, at: morning)], at: morning)
            }
            #expect(one.engine.logProgress?.number == 1)
            try one.store.close()
        }
    }

    @Test("Nothing after an unknown entry is read") func laterEntries() async throws {
        try await withFolder { folder in
            let log = ListedLog()
            let one = try openFollower(folder, log)
            let first = LogMessage(1, try LogEntries.first, at: morning)
            let entries = [
                first, LogMessage(2, [9, 1], at: morning), LogMessage(3, try LogEntries.first, at: morning),
            ]
            await #expect(throws: LogEntries.Fault.version(9)) { try await one.engine.follow(entries, at: morning) }
            #expect(one.engine.logProgress?.number == 1)
            try one.store.close()
        }
    }

    @Test("Pending and new commands fail when following has ended") func pendingCommands() async throws {
        try await withFolder { folder in
            let log = ListedLog()
            let one = try openFollower(folder, log)
            let waiting = Task { try await one.add(person("ana")) }
            while log.count == 0 { try await Task.sleep(for: .milliseconds(1)) }
            one.engine.endFollowing("broken")
            await #expect(throws: StorageError.unanswered) { try await waiting.value }
            #expect(one.engine.logProgress?.fault == "broken")
            await #expect(throws: StorageError.unanswered) { try await one.add(person("luis")) }
            #expect(log.count == 1, "what nobody here can answer is not written")
            try one.store.close()
        }
    }
}
