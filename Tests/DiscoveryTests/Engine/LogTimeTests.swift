import Discovery
import Foundation
import Model
import Storage
import Synchronization
import TestSupport
import Testing

/// The clock of a replicated log, on which its nodes agree.
@Suite(.timeLimit(.minutes(60))) struct LogTimeTests {
    @Test("Commands received with a wrong clock get the time of the log") func wrongClock() async throws {
        try await withFolder { folder in
            let log = ListedLog()
            let (a, b) = (folder.appending(path: "a"), folder.appending(path: "b"))
            try TestEngine(folder: a).store.close()
            try FileManager.default.copyItem(at: a, to: b)
            let first = try openFollower(a, log)
            var second = try openFollower(b, log)
            /// The second of a friendship that a node received at `received` while the log's clock showed `shown`.
            func made(_ number: Int, by node: TestEngine, received: Int, log shown: Int) async throws -> Int64 {
                log.clock.withLock { $0 = morning + .seconds(shown) }
                let written = try await node.perform(
                    MakeFriends(id("p0"), id("p\(number)")), at: morning + .seconds(received))
                return (Timestamp(milliseconds: written.revision) - morning).milliseconds / 1000
            }
            try await following(log, first, second) {
                try await first.perform(PutPeople((0..<12).map { Write(person("p\($0)")) }))
                #expect(try await made(1, by: first, received: 99, log: 100) == 99, "a little earlier is right")
                #expect(first.engine.logProgress?.lead == nil)
                #expect(try await made(2, by: first, received: 3700, log: 101) == 101, "its clock is ahead")
                #expect(first.engine.logProgress?.lead == .seconds(3599))
                #expect(try await made(3, by: second, received: 90, log: 102) == 102, "its clock is behind")
                #expect(try await made(4, by: first, received: 103, log: 103) == 103)
                #expect(first.engine.logProgress?.lead == nil, "it was put right")
                #expect(try await made(5, by: second, received: 50, log: 50) == 103, "the log's goes back")
                #expect(second.engine.logProgress?.lead == .seconds(-53), "time stands still until then")
                let verdicts = try await second.send(ping(103, valencia, of: "p1"), at: morning - .seconds(3600))
                #expect(verdicts == [.stored], "for its clock that is of the future")
            }
            try second.store.close()
            second = try openFollower(b, log)
            try await following(log, first, second) {
                let last = try await made(6, by: second, received: 60, log: 60)
                #expect(last == 103, "nor does it after a start")
            }
            let reported = try await first.store.events(after: 0, atMost: 100)
            #expect(reported.count >= 6)
            #expect(try await second.store.events(after: 0, atMost: 100) == reported)
            #expect(difference(accounts(second), accounts(first)) == [])
            log.clock.withLock { $0 = morning + .seconds(200) }
            try await following(log, first) {
                try await first.add(person("late"))
                let next = log.entries(after: second.engine.logProgress?.number ?? 0)
                try await second.engine.follow(next, at: morning + .seconds(100))
                #expect(second.engine.logProgress?.lead == .seconds(-100), "the log is in its future")
            }
            for node in [first, second] { try node.store.close() }
        }
    }
}
